"""Takes out of a frozen tree what nothing in it can reach: by what each file asks the loader for, not by a list of names.

Roots are the executables, Python's modules, Qt's plugins that the product uses, and the web engine's process. A
library that no root reaches, directly or through others, goes.
"""

import fnmatch
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lime_desktop.stamping.elf import ElfFile, read_elf

KEPT_PLUGINS = frozenset(
    {
        # Screens: X11, Wayland, and none at all for tests of apps and for drawing pictures.
        *("platforms/libqxcb.so", "platforms/libqwayland*.so", "platforms/libqoffscreen.so"),
        *(
            "platforms/libqminimal.so",
            "xcbglintegrations/*",
            "wayland-shell-integration/libxdg-shell.so",
        ),
        *("wayland-decoration-client/*", "wayland-graphics-integration-client/*"),
        # Typing Chinese and dead keys.
        "platforminputcontexts/libibusplatforminputcontextplugin.so",
        "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
        # The desktop's own dialogs and colours, without GTK's libraries.
        "platformthemes/libqxdgdesktopportal.so",
        "iconengines/libqsvgicon.so",
        *(f"imageformats/libq{kind}.so" for kind in ("gif", "ico", "jpeg", "svg", "webp")),
        "tls/*",
    }
)
KEPT_LOCALES = frozenset({"en-US.pak", "zh-CN.pak", "zh-TW.pak"})
"""What the web engine says itself, in the product's languages; elsewhere it says it in English."""
KEPT_TRANSLATIONS = ("qtbase_en.qm", "qtbase_zh_*.qm", "qtwebengine_en.qm", "qtwebengine_zh_*.qm")
_QT = "_internal/PySide6/Qt/"


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was taken out."""

    files: tuple[str, ...]
    byte_count: int


def prune(tree: Path) -> Pruned:
    """Delete what the product does not use from a frozen tree."""
    removed: list[str] = []
    byte_count = 0
    for name in (*_unused_data(tree), *_dead_links(tree)):
        byte_count += _remove(tree / name)
        removed.append(name)
    for name in unreachable(_elf_files(tree)):
        byte_count += _remove(tree / name)
        removed.append(name)
    # A link to a library that went.
    for name in _dead_links(tree):
        byte_count += _remove(tree / name)
        removed.append(name)
    _remove_empty_folders(tree)
    return Pruned(tuple(sorted(removed)), byte_count)


def unreachable(files: Mapping[str, ElfFile]) -> list[str]:
    """The libraries that no root needs. A name in `needed` means every file of that name or soname in the tree."""
    holders: dict[str, set[str]] = {}
    for name, elf in files.items():
        for called in {PurePosixPath(name).name, elf.soname or ""} - {""}:
            holders.setdefault(called, set()).add(name)
    waiting = [name for name in files if _is_root(name)]
    reached = set(waiting)
    while waiting:
        for needed in files[waiting.pop()].needed:
            new = holders.get(needed, set()) - reached
            reached |= new
            waiting += new
    return sorted(set(files) - reached)


def _is_root(name: str) -> bool:
    """Whether something other than the loader asks for this file: a person, Python, Qt or the web engine."""
    path = PurePosixPath(name)
    if not name.startswith(_QT):
        # Beside the interpreter's modules, wheels keep libraries in folders of their own, named for it.
        is_library = path.name.startswith("lib") and ".so" in path.name
        # The executables open Python's library by its name.
        return not is_library or path.name.startswith("libpython3")
    below = name.removeprefix(_QT)
    return below.startswith(("plugins/", "libexec/"))


def _unused_data(tree: Path) -> list[str]:
    qt = tree / _QT
    found = [*_all_files(qt / "qml"), *_all_files(qt / "metatypes"), *_all_files(qt / "modules")]
    plugins = qt / "plugins"
    found += [
        path for path in _all_files(plugins) if not _is_kept_plugin(path.relative_to(plugins))
    ]
    locales = qt / "translations/qtwebengine_locales"
    found += [path for path in _all_files(locales) if path.name not in KEPT_LOCALES]
    for path in (qt / "translations").glob("*.qm"):
        if not any(fnmatch.fnmatch(path.name, kept) for kept in KEPT_TRANSLATIONS):
            found.append(path)
    found += (qt / "resources").glob("*.debug.*")
    # Checksums of system libraries that are not here.
    found += (tree / "_internal").glob("*.chk")
    for pattern in ("direct_url.json", "INSTALLER", "RECORD", "REQUESTED"):
        # They name folders of the build machine, and files that are not here.
        found += (tree / "_internal").glob(f"*.dist-info/{pattern}")
    return sorted({path.relative_to(tree).as_posix() for path in found})


def _is_kept_plugin(plugin: Path) -> bool:
    return any(fnmatch.fnmatch(plugin.as_posix(), kept) for kept in KEPT_PLUGINS)


def _elf_files(tree: Path) -> dict[str, ElfFile]:
    read = ((path, read_elf(path)) for path in _all_files(tree) if not path.is_symlink())
    return {path.relative_to(tree).as_posix(): elf for path, elf in read if elf is not None}


def _dead_links(tree: Path) -> list[str]:
    links = (path for path in tree.rglob("*") if path.is_symlink())
    return sorted(path.relative_to(tree).as_posix() for path in links if not path.exists())


def _all_files(folder: Path) -> Iterable[Path]:
    return (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def _remove(path: Path) -> int:
    size = 0 if path.is_symlink() else path.stat().st_size
    path.unlink()
    return size


def _remove_empty_folders(tree: Path) -> None:
    for folder in sorted((each for each in tree.rglob("*") if each.is_dir()), reverse=True):
        if not folder.is_symlink() and not any(folder.iterdir()):
            folder.rmdir()
