"""Is Lime Desktop itself installed as it should be: Python, SQLite and the libraries it names?"""

import platform
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import TYPE_CHECKING

from lime_desktop.doctor.finding import Finding, ill, poor, well

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_BOOTSTRAP = "Run: python3 packaging/bootstrap.py run"
# STRICT tables came with this version.
_OLDEST_SQLITE = (3, 37)
_WHAT_EXTRAS_BRING = {"desktop": "the window", "sigstore": "checking sigstore signatures"}


def check_python() -> Finding:
    """Python 3.11 or newer."""
    found = f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})"
    if sys.version_info < (3, 11):  # noqa: UP036 - somebody may have forced the install
        return ill("Python", found, "Install Python 3.11 or newer")
    return well("Python", found)


def check_platform() -> Finding:
    """Only told, never judged."""
    return well("platform", f"{platform.platform()} ({platform.machine()})")


def check_sqlite() -> Finding:
    """Some builds of Python have an old SQLite, or none."""
    try:
        import sqlite3  # noqa: PLC0415, TID251 - asked for its version only, and it may be missing
    except ImportError:
        return ill("SQLite", "this Python was built without it", "Install a complete Python")
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        needed = ".".join(map(str, _OLDEST_SQLITE))
        return ill("SQLite", sqlite3.sqlite_version, f"Use a Python with SQLite {needed} or newer")
    return well("SQLite", sqlite3.sqlite_version)


def check_dependencies() -> Iterator[Finding]:
    """Compare each library that the installed project names with the version that is there."""
    try:
        from packaging.requirements import Requirement  # noqa: PLC0415 - itself a dependency

        named = metadata.requires("lime-desktop") or []
    except (ImportError, metadata.PackageNotFoundError) as missing:
        yield ill("dependencies", f"{missing.name} is not installed", _BOOTSTRAP)
        return
    for requirement in map(Requirement, named):
        extra = next((e for e in ("", *_WHAT_EXTRAS_BRING) if _applies(requirement, e)), None)
        if extra is not None:
            yield _check_dependency(requirement.name, str(requirement.specifier), extra)


def _applies(requirement: "Requirement", extra: str) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def _check_dependency(name: str, wanted: str, extra: str) -> Finding:
    from packaging.specifiers import SpecifierSet  # noqa: PLC0415 - see above

    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        if extra:
            message = f"not installed; {_WHAT_EXTRAS_BRING[extra]} needs it"
            return poor(name, message, f"Run: pip install 'lime-desktop[{extra}]'")
        return ill(name, "not installed", _BOOTSTRAP)
    if not SpecifierSet(wanted).contains(found, prereleases=True):
        return ill(name, f"{found}, but {wanted} is needed", _BOOTSTRAP)
    return well(name, found)
