"""Numbers and dates as people type them. Pure; what can be read in two ways is not guessed."""

import re
from datetime import date

_MOST = 24
_PLAIN = re.compile(r"[+-]?\d+(?:[.,]\d+)?")
_BY_COMMAS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_BY_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?")
_UNCLEAR = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_GAPS = str.maketrans("", "", "'’ \u00a0\u202f\u2009")
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})")
_DAY_FIRST = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})")


class Unclear(ValueError):
    """It may be a thousand times as much as was meant."""


def read_number(text: str) -> int | float:
    """The number that was typed, with a comma or a point before its fraction.

    Raises:
        Unclear: 1,250 is one thing in one country and another in the next.
        ValueError: it is no number.
    """
    said = text.strip().translate(_GAPS).replace("\N{MINUS SIGN}", "-")
    if len(said) > _MOST:
        raise ValueError("too long")
    if _UNCLEAR.fullmatch(said):
        raise Unclear(said)
    plain = _with_a_point(said)
    return float(plain) if "." in plain else _within_64_bits(int(plain))


def _with_a_point(said: str) -> str:
    if _BY_COMMAS.fullmatch(said):
        return said.replace(",", "")
    # One group behind a point is a fraction: that is how the window itself writes it.
    is_grouped = _BY_POINTS.fullmatch(said) is not None and ("," in said or said.count(".") > 1)
    if is_grouped:
        return said.replace(".", "").replace(",", ".")
    if _PLAIN.fullmatch(said):
        return said.replace(",", ".")
    raise ValueError("no number")


def _within_64_bits(number: int) -> int:
    if not -(2**63) <= number < 2**63:
        raise ValueError("too large")
    return number


def read_date(text: str) -> str:
    """The day that was typed, as it is kept: 2026-05-31.

    Raises:
        ValueError: it is no day, or in an order that differs from country to country.
    """
    found = _YEAR_FIRST.fullmatch(text.strip()) or _DAY_FIRST.fullmatch(text.strip())
    if found is None:
        raise ValueError("no day")
    return date(int(found["year"]), int(found["month"]), int(found["day"])).isoformat()


def is_day(text: str) -> bool:
    """Whether a text is a day as it is kept."""
    try:
        return read_date(text) == text
    except ValueError:
        return False
