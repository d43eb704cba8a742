"""How an installed Lime Desktop is written down. Uses the standard library alone: releases are built before anything is installed.

One field a line and no escapes, in this order: the launcher of a product reads it with the system's shell.
"""

import json
import platform
from collections.abc import Mapping
from pathlib import Path

from lime_desktop.executables import WITH_WINDOW, WITHOUT_WINDOW
from lime_desktop.file_hashes import sha256_of

RUNTIME = "lime-runtime"
"""What products require, in the words of the standard."""
SYSTEM = "/usr/share/lime-runtime"
"""Where packages of the system register."""
FILE = f"{WITH_WINDOW}.json"
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def platform_name() -> str:
    """This machine as the standard names it."""
    found = platform.machine().lower()
    return f"linux-{_MACHINES.get(found, found)}"


def installed(version: str, tree: Path, place: str) -> dict[str, object]:
    """What a frozen tree says of itself once it lies at `place`. Blocks."""
    return {
        "format": 1,
        "runtime": RUNTIME,
        "version": version,
        "kind": "installed",
        "platform": platform_name(),
        "program": f"{place}/{WITH_WINDOW}",
        "programSha256": sha256_of(tree / WITH_WINDOW),
        "sidecar": f"{place}/{WITHOUT_WINDOW}",
        "sidecarSha256": sha256_of(tree / WITHOUT_WINDOW),
    }


def release_manifest(version: str, tree: Path) -> dict[str, object]:
    """What vendors put into their packages to accept this release and no other. Blocks."""
    told = installed(version, tree, "")
    kept = ("version", "platform", "programSha256", "sidecarSha256")
    return {"format": 1, "releases": [{key: told[key] for key in kept}]}


def as_lines(fields: Mapping[str, object]) -> bytes:
    """The file's bytes."""
    return json.dumps(fields, indent=1, ensure_ascii=False).encode() + b"\n"
