"""What is built: the files of this checkout, its version and the moment that stands for its build."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from newcomer.console import StoppedError

ROOT = Path(__file__).resolve().parents[2]
_VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Checkout:
    """The sources, and what tells one build of them from another."""

    root: Path
    version: str
    commit: str
    """Empty outside of git."""
    epoch: int
    """Seconds since 1970: the time that every file of the release bears, so that two builds are alike."""
    changed: tuple[str, ...] = ()
    """Files that differ from the commit."""


def read_checkout(root: Path = ROOT) -> Checkout:
    """Look at the checkout.

    Raises:
        StoppedError: nothing says which moment the build stands for.
    """
    found = _VERSION.search((root / "lime_desktop/__init__.py").read_text("utf-8"))
    if found is None:
        raise StoppedError("lime_desktop/__init__.py names no __version__.")
    commit = _git(root, "rev-parse", "HEAD").strip()
    told = os.environ.get("SOURCE_DATE_EPOCH") or _git(root, "log", "-1", "--format=%ct").strip()
    if not told.isdigit():
        raise StoppedError(
            "This folder is no git checkout, so nothing says when its sources are from.\n"
            "Set SOURCE_DATE_EPOCH to that moment in seconds, for instance: SOURCE_DATE_EPOCH=$(date +%s)"
        )
    changed = _git(root, "status", "--porcelain", "--untracked-files=no").splitlines()
    return Checkout(root, found[1], commit, int(told), tuple(line[3:] for line in changed))


def export_sources(checkout: Checkout, target: Path) -> None:
    """Copy the files that belong to the project, and nothing that lies around beside them."""
    shutil.rmtree(target, ignore_errors=True)
    listed = _git(checkout.root, "ls-files", "-z").split("\0")
    if not any(listed):
        junk = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "dist", "build")
        shutil.copytree(checkout.root, target, ignore=junk)
        return
    for name in filter(None, listed):
        source = checkout.root / name
        if not source.exists():
            continue
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        copy.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


def _git(root: Path, *words: str) -> str:
    """What git says; nothing where there is no git, or no checkout."""
    try:
        done = subprocess.run(
            ["git", "-C", root, *words], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""
