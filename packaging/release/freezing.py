"""The frozen tree: the program with its own Python and Qt, in one folder that needs nothing installed beside it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from newcomer.console import StoppedError, run_with_progress, say

from release.checkout import Checkout
from release.distributions import runtime_distributions
from release.environment import ReleaseEnvironment, clean_environment
from release.pruning import prune

SPEC = Path(__file__).with_name("frozen") / "lime-desktop.spec"
NAME = "lime-desktop"
_MADE_BY_THE_ENGINE = "_internal/PySide6/Qt/resources/locales"
"""The web engine makes this empty folder where it may write; a package that did not hold it would leave it behind."""

_PROGRAMS = ("lime-app-server", "lime-desktop")
_WITH_SYMBOLS = ("libpython3*.so*", "xllamacpp/*.so")
"""Some builds of Python, and the model's engine: 80 of its 106 MB. Qt's files stay as its wheels have them."""


def freeze(checkout: Checkout, environment: ReleaseEnvironment, wheel: Path, icon: Path) -> Path:
    """Freeze the wheel, prune what comes of it, and give the folder."""
    environment.install_wheel(wheel)
    dist, work = environment.work / "frozen", environment.work / "freezing"
    for folder in (dist, work):
        shutil.rmtree(folder, ignore_errors=True)
    names = ",".join(each.name for each in runtime_distributions(environment))
    command = [
        *(environment.python, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"),
        *("--distpath", dist, "--workpath", work, SPEC),
    ]
    settings = clean_environment(
        SOURCE_DATE_EPOCH=str(checkout.epoch),
        LIME_RELEASE_DISTRIBUTIONS=names,
        # Elsewhere icons lie beside programs, not in them.
        LIME_RELEASE_ICON=str(icon) if sys.platform == "win32" else "",
        # Its cache must not carry over from other builds.
        PYINSTALLER_CONFIG_DIR=str(work / "cache"),
    )
    run_with_progress("Freezing with PyInstaller", command, environment.log, settings)
    tree = dist / NAME
    pruned = prune(tree)
    say(f"  {len(pruned.files)} files that nothing reaches taken out, {pruned.byte_count >> 20} MB")
    _strip_symbols(tree)
    for program in _PROGRAMS:
        # What does not even start here starts nowhere.
        asked = [tree / program, "--version"]
        run_with_progress(f"Trying {program}", asked, environment.log, clean_environment())
    (tree / _MADE_BY_THE_ENGINE).mkdir(exist_ok=True)
    return tree


def add_trust(source: Path, tree: Path) -> None:
    """Put in what says where updates come from and whose signature they need.

    Raises:
        StoppedError: it is not there.
    """
    for name in ("update-source.json", "update-root.json"):
        if not (source / name).is_file():
            raise StoppedError(
                f"{source} holds no {name}. Write it: lime-desktop publish trust {source} --url … --keys …"
            )
        shutil.copyfile(source / name, tree / name)


def settle(tree: Path, epoch: int) -> None:
    """Give every file the modes and the time that it has in every build."""
    for path in sorted(tree.rglob("*")):
        if path.is_symlink():
            os.utime(path, (epoch, epoch), follow_symlinks=False)
            continue
        is_program = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if is_program else 0o644)
        os.utime(path, (epoch, epoch))
    os.utime(tree, (epoch, epoch))


def _strip_symbols(tree: Path) -> None:
    """Take out what only a debugger reads, where it is several times the library's own size."""
    for pattern in _WITH_SYMBOLS:
        for library in sorted((tree / "_internal").glob(pattern)):
            if not library.is_symlink():
                subprocess.run(["strip", "--strip-unneeded", library], check=True)
