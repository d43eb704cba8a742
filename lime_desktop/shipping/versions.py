"""Versions of the program: text that can be compared, and that is safe as the name of a folder."""

import re

from semantic_version import Version

from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused

# No build metadata: two versions that only differ there could not be put in order.
_WRITTEN = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}(?:-[0-9A-Za-z][0-9A-Za-z.-]{0,40})?")


def parse_version(text: str) -> Version:
    """Read a version such as 1.4.0 or 2.0.0-beta.1.

    Raises:
        UpdateRefused: it is none.
    """
    if not _WRITTEN.fullmatch(text):
        raise UpdateRefused(UpdateCode.MALFORMED, f"{text[:60]!r} is no version")
    try:
        return Version(text)
    except ValueError as error:
        raise UpdateRefused(UpdateCode.MALFORMED, f"{text!r} is no version") from error


def is_version(text: str) -> bool:
    """Whether it is one."""
    try:
        parse_version(text)
    except UpdateRefused:
        return False
    return True


def newest(*texts: str) -> str:
    """The highest of some versions."""
    return max(texts, key=parse_version)
