"""Which files does the host add to every app's origin, below `/__lime__/`? The outer frame, and the SDK at a fixed path."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

SDK_PATH = "sdk"
"""Apps import the SDK from `/__lime__/sdk/`, whatever version of the host they meet."""


@lru_cache(maxsize=4)
def host_files(resources: Path) -> Mapping[str, bytes]:
    """The host's files by their name below `/__lime__/`."""
    sdk = resources / "sdk"
    served = {
        f"{SDK_PATH}/{path.relative_to(sdk).as_posix()}": path.read_bytes()
        for path in sorted(sdk.rglob("*"))
        if path.is_file()
    }
    return {"frame.html": (resources / "view/frame.html").read_bytes(), **served}
