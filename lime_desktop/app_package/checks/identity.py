"""Name, version, licence, publisher and dates: what the app says it is."""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from lime_desktop.app_package.checks.facts import PackageFacts
from lime_desktop.app_package.manifest import parse_time
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Problem
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, ValuePath, key_path

_SEMVER = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"
    r"(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
)
_LICENSE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")
_MAX_RANGE = 128
_LICENSE_WORDS = {"AND", "OR", "WITH"}
_IN_ORDER = ("createdAt", "releasedAt", "deprecatedAt", "endOfLifeAt")
_TIMES = (
    *((name,) for name in (*_IN_ORDER, "updatedAt")),
    ("supportWindow", "supportedUntil"),
    ("signature", "package", "timestamp"),
)


def check(facts: PackageFacts) -> Iterator[Problem]:
    """Check what the app says it is."""
    if "manifestVersion" not in facts.effective and facts.effective:
        message = "manifestVersion is missing."
        yield rules.MANIFEST_VERSION_MISSING.found(message, facts.place("manifestVersion"))
    yield from _name_and_version(facts)
    yield from _ranges(facts)
    license_text = facts.text("license")
    if license_text is not None and not _is_license(license_text):
        message = "license is not an SPDX expression."
        yield rules.LICENSE_UNKNOWN.found(message, facts.place("license"))
    support = facts.get("support")
    if isinstance(support, LocatedMap) and not (support.get("email") or support.get("url")):
        message = "support has neither an e-mail address nor a URL."
        yield rules.SUPPORT_UNREACHABLE.found(message, facts.place("support"))
    if facts.get("publisher", "verified") is not None:
        message = "publisher.verified is for the registry to decide."
        yield rules.PUBLISHER_SELF_VERIFIED.found(message, facts.place("publisher", "verified"))


def _name_and_version(facts: PackageFacts) -> Iterator[Problem]:
    name, version = facts.text("name"), facts.text("version")
    if name is not None and facts.reader.tree.name not in {name, f"{name}-{version}"}:
        message = "The folder or archive has another name than the app."
        yield rules.NAME_NOT_FOLDER.found(message, facts.place("name"))
    if version and not _SEMVER.fullmatch(version):
        message = "version is not a semantic version."
        yield rules.VERSION_NOT_SEMVER.found(message, facts.place("version"))


def _ranges(facts: PackageFacts) -> Iterator[Problem]:
    for path, wanted in _wanted_ranges(facts):
        if wanted != "current" and not _is_range(wanted):
            message = f"{key_path(path)} is not a version range."
            yield rules.RANGE_INVALID.found(message, facts.place(*path))


def _wanted_ranges(facts: PackageFacts) -> Iterator[tuple[ValuePath, str]]:
    for section in ("lime", "capabilities"):
        ranges = facts.get("requires", section)
        for name, wanted in ranges.items() if isinstance(ranges, LocatedMap) else ():
            if isinstance(wanted, str):
                yield ("requires", section, name), wanted
    # `@scope/package@range`, or either alone; a package alone asks for any version.
    package, at, wanted = (facts.text("requires", "sdk") or "@").strip().rpartition("@")
    if package or not at:
        yield ("requires", "sdk"), wanted
    references = facts.get("skills", "references")
    for index in range(len(references) if isinstance(references, LocatedList) else 0):
        path = ("skills", "references", index, "version")
        if (wanted := facts.text(*path)) is not None:
            yield path, wanted


def _is_range(text: str) -> bool:
    from semantic_version import NpmSpec  # noqa: PLC0415  # most packages need no range parsed

    # Its parser takes time that grows faster than the text.
    if len(text) > _MAX_RANGE:
        return False
    try:
        NpmSpec(text)
    except ValueError:
        return False
    return True


def _is_license(text: str) -> bool:
    """Whether this could be an SPDX expression: identifiers joined by AND, OR and WITH."""
    words = text[:1000].replace("(", " ").replace(")", " ").split()
    names = words[::2]
    joints = words[1::2]
    return (
        len(words) % 2 == 1
        and all(_LICENSE_ID.fullmatch(name) and name not in _LICENSE_WORDS for name in names)
        and all(joint in _LICENSE_WORDS for joint in joints)
    )


def check_dates(facts: PackageFacts) -> Iterator[Problem]:
    """Check the app's dates."""
    for path in _TIMES:
        text = facts.text(*path)
        if text is not None and _moment(text) and not _has_zone(text):
            message = f"{'.'.join(path)} has no time zone."
            yield rules.TIME_WITHOUT_ZONE.found(message, facts.place(*path))
    known = [(name, moment) for name in _IN_ORDER if (moment := _moment(facts.text(name)))]
    for (earlier, first), (later, second) in pairwise(known):
        if second < first:
            message = f"{later} lies before {earlier}."
            yield rules.TIMES_OUT_OF_ORDER.found(message, facts.place(later))


def _moment(text: str | None) -> datetime | None:
    try:
        return parse_time(text) if text else None
    except (ValueError, OverflowError):
        return None


def _has_zone(text: str) -> bool:
    return datetime.fromisoformat(text).tzinfo is not None
