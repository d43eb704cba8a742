"""Does this host satisfy a version range? Knows npm ranges and ``current``; knows no host."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from semantic_version import NpmSpec, Version

CURRENT = "current"
"""The literal that means: whatever the host itself has."""

LONGEST_RANGE = 256
"""Authors write a few words; anything longer is not a range, and is not worth parsing."""

_SPACE_AFTER_OPERATOR = re.compile(r"([<>=^~]+)\s+v?(?=\d)|(?<=[<>=^~])v(?=\d)")
_SPACE_OR_COMMA = re.compile(r"\s*,\s*|\s+")
_NUMBERS = re.compile(r"(?<![\w.-])v?(\d{1,9}(?:\.\d{1,9}){0,2})(?!\d)")
_NEWEST = Version("999999999.0.0")
_SDK = re.compile(r"(?P<package>@?[^@\s]+)(?:@(?P<range>.+))?")


class Fit(StrEnum):
    """How a demand and what is offered go together. What cannot be read is never a pass."""

    MET = "met"
    UNMET = "unmet"
    OUTDATED = "outdated"
    """Not met, and it asks for nothing but versions older than what is offered."""
    UNREADABLE = "unreadable"


def range_fit(demand: str, offered: Iterable[str]) -> Fit:
    """Say whether any of the offered versions lies in the demanded range."""
    versions = [Version(each) for each in offered]
    if demand.strip() == CURRENT:
        return Fit.MET if versions else Fit.UNMET
    spec = _parse_range(demand)
    if spec is None:
        return Fit.UNREADABLE
    if any(version in spec for version in versions):
        return Fit.MET
    return Fit.OUTDATED if versions and _is_older(demand, spec, min(versions)) else Fit.UNMET


def _is_older(demand: str, spec: NpmSpec, oldest: Version) -> bool:
    """Whether a range ends before a version: every version it names does, and it is not open towards newer ones."""
    named = [
        Version(".".join((*found.split("."), "0", "0")[:3])) for found in _NUMBERS.findall(demand)
    ]
    return bool(named) and max(named) < oldest and _NEWEST not in spec


def minimum_fit(demand: str, offered: Iterable[str]) -> Fit:
    """Like `range_fit`, for fields that hold a lowest version: ``0.8.0`` there means ``>=0.8.0``."""
    text = demand.strip()
    return range_fit(f">={text}" if text[:1].isdigit() else text, offered)


@dataclass(frozen=True, slots=True)
class SdkDemand:
    """The package and range that a manifest's ``requires.sdk`` asks for."""

    package: str
    range: str


def parse_sdk_demand(text: str, *, default_package: str) -> SdkDemand:
    """Split ``@lime/app-sdk@^0.3.0``; a bare package asks for any version, a bare range for the default package."""
    match = _SDK.fullmatch(text.strip())
    if match and match["package"].startswith("@"):
        return SdkDemand(match["package"], match["range"] or CURRENT)
    if match and match["range"] and match["package"][0].isalpha():
        return SdkDemand(match["package"], match["range"])
    return SdkDemand(default_package, text.strip())


@cache
def _parse_range(text: str) -> NpmSpec | None:
    if not text.strip() or len(text) > LONGEST_RANGE:
        return None
    try:
        return NpmSpec(_tidy(text))
    except ValueError:
        return None


def _tidy(text: str) -> str:
    """Drop the spaces, commas and ``v`` that npm itself forgives and the library does not."""
    joined = _SPACE_AFTER_OPERATOR.sub(lambda found: found[1] or "", text.strip())
    return _SPACE_OR_COMMA.sub(" ", joined)
