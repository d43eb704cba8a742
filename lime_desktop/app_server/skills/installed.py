"""The skills that a person installed on this computer, for any app that refers to them. A skill is text: nothing of it is run.

What a skill is called stands in its own file; no id of an app ever becomes a path.
"""

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lime_desktop.file_names import stored_name
from lime_desktop.projection.versions import CURRENT, Fit, range_fit
from lime_desktop.protocol.errors import InvalidInput

FILE = "SKILL.md"
_MOST_SKILLS = 500
_MOST_FILES = 500
_MOST_BYTES = 20 * 1024 * 1024
_HEAD_BYTES = 64 * 1024
"""The frontmatter and, where there is none, the first line of the text."""


class InstalledSkill(NamedTuple):
    """One skill: what it is called, and where its text lies."""

    ids: frozenset[str]
    """Its `id`, where its author gave one, its `name` and its folder's."""
    description: str
    version: str | None
    path: Path


class InstalledSkills:
    """The folder of skills. Everything here blocks."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> tuple[InstalledSkill, ...]:
        """Every skill, by the name of its folder."""
        folders = sorted(self._folder.iterdir()) if self._folder.is_dir() else []
        found = (_read(each) for each in folders if not each.is_symlink())
        return tuple(islice((each for each in found if each is not None), _MOST_SKILLS))

    def install(self, source: Path) -> InstalledSkill:
        """Copy a skill's folder here; an earlier version of the same skill gives way.

        Raises:
            InvalidInput: it is no folder of a skill, too large, or leads elsewhere.
            OSError: it cannot be read or written.
        """
        found = _read(source) if source.is_dir() and not source.is_symlink() else None
        if found is None or not _has_frontmatter(source):
            raise InvalidInput.at_fields([("path", "no_skill")])
        _require_plain(source)
        own = min(found.ids - {source.name}, key=len, default=source.name)
        target = self._folder / stored_name(own)
        arriving = self._folder / stored_name(own, ".partial")
        shutil.rmtree(arriving, ignore_errors=True)
        shutil.copytree(source, arriving)
        shutil.rmtree(target, ignore_errors=True)
        arriving.rename(target)
        return _read(target) or found


def fits(skill: InstalledSkill, demand: str | None) -> bool:
    """Whether its version lies in a range; one that does not say its version fits no range but any."""
    if demand is None or demand.strip() in {CURRENT, "*", ""}:
        return True
    try:
        return skill.version is not None and range_fit(demand, (skill.version,)) is Fit.MET
    except ValueError:
        # Its version is none.
        return False


def _require_plain(source: Path) -> None:
    size = 0
    for number, each in enumerate(source.rglob("*")):
        size += 0 if each.is_dir() else each.stat(follow_symlinks=False).st_size
        if each.is_symlink():
            raise InvalidInput.at_fields([("path", "leads_elsewhere")])
        if number >= _MOST_FILES or size > _MOST_BYTES:
            raise InvalidInput.at_fields([("path", "too_large")])


def _has_frontmatter(folder: Path) -> bool:
    return (folder / FILE).read_bytes().startswith(b"---")


def _read(folder: Path) -> InstalledSkill | None:
    file = folder / FILE
    if file.is_symlink() or not file.is_file():
        return None
    try:
        with file.open("rb") as opened:
            said = dict(_frontmatter(opened.read(_HEAD_BYTES)))
    except OSError:
        return None
    named = (said.get("id"), said.get("name"), folder.name)
    return InstalledSkill(
        ids=frozenset(each for each in named if each),
        description=said.get("description", ""),
        version=said.get("version"),
        path=file,
    )


def _frontmatter(head: bytes) -> Iterator[tuple[str, str]]:
    # Here, on a thread of its own: the server answers before it knows how YAML is read.
    from lime_desktop.app_package.text.app_md import split_frontmatter  # noqa: PLC0415
    from lime_desktop.app_package.text.located import find  # noqa: PLC0415
    from lime_desktop.app_package.text.plain_text import ReadingBudget  # noqa: PLC0415

    document = split_frontmatter(head, FILE, ReadingBudget())
    if document.frontmatter.value is None:
        lines = document.body.splitlines() or head.decode("utf-8", "replace").splitlines()
        first = next((line.strip("# ") for line in lines if line.strip()), "")
        yield "description", first
    # The Agent Skills standard has further fields below `metadata`; the upper ones win.
    for path in (("metadata",), ()):
        for key in ("id", "name", "description", "version"):
            value, _ = find(document.frontmatter.value, (*path, key))
            if isinstance(value, str | int | float):
                yield key, str(value)
