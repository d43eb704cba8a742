"""Which files does the host add to every app's origin, below `/__lime__/`? The outer frame, the SDK and the fonts."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_SERVED_FOLDERS = ("sdk", "fonts")
"""Apps import the SDK from `/__lime__/sdk/`, whatever version of the host they meet, and find the fonts that the theme
names in `/__lime__/fonts/fonts.css`."""


@lru_cache(maxsize=4)
def host_files(resources: Path) -> Mapping[str, bytes]:
    """The host's files by their name below `/__lime__/`."""
    served = {
        path.relative_to(resources).as_posix(): path.read_bytes()
        for folder in _SERVED_FOLDERS
        for path in sorted((resources / folder).rglob("*"))
        if path.is_file()
    }
    return {"frame.html": (resources / "view/frame.html").read_bytes(), **served}
