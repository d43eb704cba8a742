"""What is new in a version, in its publisher's own words: from the changelog in the package, else from the catalog.

A changelog is Markdown with a heading per version (`## 1.2.0`); one in another language lies beside it
(`CHANGELOG.zh-CN.md`). The words are shown as they are, as text: nothing in them is a link or a picture.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.app_center.catalog.search import is_newer
from lime_desktop.host.app_center.records.recalls import said_in
from lime_desktop.protocol.plain_text import plain_line

USUAL_FILE = "CHANGELOG.md"
_MAX_BYTES = 256 * 1024
_MOST_LINES = 40
"""Of one version: nobody reads more before a yes."""
_MOST_VERSIONS = 5
_HEADING = re.compile(r"(#{1,3})\s+(.*)")
_VERSION = re.compile(r"(?<![\w.])v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)")


@dataclass(frozen=True, slots=True)
class VersionNotes:
    """What is new in one version, by language."""

    version: str
    texts: Mapping[str, str]

    def lines_in(self, locale: str) -> tuple[str, ...]:
        """The lines in the person's language, without marks and without what hides in them."""
        lines = (plain_line(_unmarked(line)) for line in said_in(self.texts, locale).splitlines())
        return tuple(line for line in lines if line)[:_MOST_LINES]


def release_notes(
    package: AppPackage, since: str | None, offered: tuple[VersionNotes, ...]
) -> tuple[VersionNotes, ...]:
    """What is new since a version, or in this one alone; the package's own words outweigh the catalog's."""
    own = _from_package(package, since)
    told = {each.version for each in own}
    rest = (each for each in offered if each.version not in told)
    found = sorted((*own, *rest), key=_Newest)
    return tuple(each for each in found if each.lines_in("en"))[:_MOST_VERSIONS]


class _Newest:
    """Sorts the newest first; what has no order stays where it is."""

    def __init__(self, notes: VersionNotes) -> None:
        self.version = notes.version

    def __lt__(self, other: "_Newest") -> bool:
        return is_newer(self.version, other.version)


def _from_package(package: AppPackage, since: str | None) -> list[VersionNotes]:
    manifest = package.manifest
    found: dict[str, dict[str, str]] = {}
    for language, text in _changelogs(package):
        for version, said in _versions(text):
            if _is_meant(version, since, manifest.version) and said:
                found.setdefault(version, {}).setdefault(language, said)
    return [VersionNotes(version, texts) for version, texts in found.items()]


def _is_meant(version: str, since: str | None, at: str) -> bool:
    if version == at:
        return True
    return since is not None and is_newer(version, since) and is_newer(at, version)


def _changelogs(package: AppPackage) -> Iterator[tuple[str, str]]:
    """Every changelog in the package with its language."""
    named = (package.manifest.changelog or USUAL_FILE).removeprefix("./")
    path = PurePosixPath(named)
    for file in sorted(package.tree.files):
        each = PurePosixPath(file)
        if each == path:
            language = "en"
        elif (
            each.parent == path.parent
            and each.suffix == path.suffix
            and (each.stem.startswith(f"{path.stem}."))
        ):
            language = each.stem.removeprefix(f"{path.stem}.")
        else:
            continue
        if (text := _read(package, file)) is not None:
            yield language, text


def _read(package: AppPackage, file: str) -> str | None:
    if package.tree.files[file].size > _MAX_BYTES:
        return None
    try:
        return package.tree.read(file).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _versions(text: str) -> Iterator[tuple[str, str]]:
    """Each version that a heading names, with what stands under it."""
    version, level, lines = "", 0, list[str]()
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading is None or (version and len(heading[1]) > level):
            lines.append(line)
            continue
        if version:
            yield version, _joined(lines)
        named = _VERSION.search(heading[2])
        version, level, lines = named[1] if named else "", len(heading[1]), []
    if version:
        yield version, _joined(lines)


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(lines).strip()


def _unmarked(line: str) -> str:
    """A line of Markdown as it is read: what makes headings and emphasis is left out."""
    bare = re.sub(r"^\s*#+\s+", "", line)
    bare = re.sub(r"^\s*[-*+]\s+", "• ", bare)
    return re.sub(r"\*\*|__|`", "", bare)
