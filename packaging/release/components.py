"""Of what is a tree made? Each file belongs to exactly one component: a wheel, Python, Qt's engine parts, or ourselves."""

import base64
import platform
import sqlite3  # noqa: TID251 - asked for its version only
import sys
from dataclasses import dataclass, field
from pathlib import Path

from lime_desktop.file_hashes import sha256_of
from release.distributions import Distribution, runtime_distributions
from release.environment import ReleaseEnvironment

_ENGINE = """
from PySide6.QtWebEngineCore import qWebEngineChromiumVersion
from PySide6.QtCore import qVersion
print(qWebEngineChromiumVersion(), qVersion())
"""
_QT = "_internal/PySide6/Qt/"
_OF_CHROMIUM = ("libQt6WebEngineCore", "QtWebEngineProcess", "qtwebengine_", "v8_context_snapshot")
_OF_ICU = ("libicu", "icudtl")


@dataclass(slots=True)
class Component:
    """Something with a name, a version and a licence of its own, and the files of the tree that are its."""

    name: str
    version: str
    licence: str
    purl: str = ""
    licence_files: tuple[str, ...] = ()
    files: dict[str, str] = field(default_factory=dict[str, str])
    """Name below the tree, and SHA-256 in hex."""


def find_components(tree: Path, environment: ReleaseEnvironment) -> list[Component]:
    """Assign every file of the tree. Those that nothing else claims are the program's own."""
    chromium, qt = environment.ask(_ENGINE).split()
    return assign(tree, runtime_distributions(environment), chromium, qt)


def assign(
    tree: Path, distributions: list[Distribution], chromium: str, qt: str
) -> list[Component]:
    """The same, from what the environment told."""
    wheels = {each.name: _of_wheel(each) for each in distributions}
    others = {each.name: each for each in _others(chromium, qt)}
    known = {f"_internal/{path}": each.name for each in distributions for path in each.files}
    by_hash = {_hex(digest): each.name for each in distributions for digest in each.files.values()}
    for path in sorted(tree.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            continue
        name = path.relative_to(tree).as_posix()
        digest = sha256_of(path)
        owner = _owner(name) or known.get(name) or by_hash.get(digest) or "lime-desktop"
        (others.get(owner) or wheels.get(owner) or wheels["lime-desktop"]).files[name] = digest
    return [*others.values(), *(wheels[name] for name in sorted(wheels, key=str.lower))]


def _owner(name: str) -> str | None:
    """By where it lies; None leaves it to the wheels' records."""
    last = name.rsplit("/", 1)[-1]
    if name.startswith(_QT) and last.startswith(_OF_CHROMIUM):
        return "chromium"
    if name.startswith(_QT) and last.startswith(_OF_ICU):
        return "icu"
    if name.startswith("_internal/") and name.count("/") == 1:
        if last.startswith("libsqlite3"):
            return "sqlite"
        if last.startswith(
            ("libpython3", "base_library.zip", "libffi", "libbz2", "liblzma", "libuuid", "libmpdec")
        ):
            return "cpython"
    if name.startswith(("_internal/lib-dynload/", "_internal/python3")):
        return "cpython"
    return None


def _others(chromium: str, qt: str) -> list[Component]:
    """What comes inside of wheels or with Python, and has a name and faults of its own."""
    python = platform.python_version()
    return [
        Component(
            "chromium", chromium, "BSD-3-Clause AND others", f"pkg:generic/chromium@{chromium}"
        ),
        Component("cpython", python, "PSF-2.0", f"pkg:generic/cpython@{python}"),
        Component("icu", f"with Qt {qt}", "Unicode-3.0", "pkg:generic/icu"),
        Component("pyinstaller-bootloader", "6.22.3", "GPL-2.0-or-later WITH Bootloader-exception"),
        Component("qt", qt, "LGPL-3.0-only", f"pkg:generic/qt@{qt}"),
        Component(
            "sqlite",
            sqlite3.sqlite_version,
            "blessing",
            f"pkg:generic/sqlite@{sqlite3.sqlite_version}",
        ),
    ]


def _of_wheel(each: Distribution) -> Component:
    purl = f"pkg:pypi/{each.name.lower().replace('_', '-')}@{each.version}"
    return Component(each.name, each.version, each.licence, purl, each.licence_files)


def _hex(digest: str) -> str:
    return base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4)).hex()


def python_licence() -> Path | None:
    """The text that comes with this Python, wherever its distributor put it."""
    folder = Path(sys.base_prefix)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    places = (
        folder / f"lib/{version}/LICENSE.txt",
        folder / "LICENSE.txt",
        Path(f"/usr/share/doc/{version}/copyright"),
    )
    return next((path for path in places if path.is_file()), None)
