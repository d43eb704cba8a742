"""Quantities as authors write them: ``>= 100MB``, ``5s``, ``< 80%``, ``< 5 USD/day``.

What has no one meaning (``100M``, ``$10``, ``Mb``) is unreadable on purpose: a guess could pass a check.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from lime_desktop.durations import SECONDS
from lime_desktop.projection.versions import Fit

_BYTES = {
    "B": 1,
    **{f"{prefix}B": 1000**power for power, prefix in enumerate("KMGTP", start=1)},
    **{f"{prefix}iB": 1024**power for power, prefix in enumerate("KMGTP", start=1)},
    **{f"{prefix}b": 1000**power for power, prefix in enumerate("kmgtp", start=1)},
    "kB": 1000,
}
_COMPARISONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
_QUANTITY = r"(?P<{0}amount>\d{{1,18}}(?:\.\d{{1,9}})?)\s*(?P<{0}unit>%|[A-Za-z]{{1,8}})?(?:\s*/\s*(?P<{0}per>[a-z]{{1,8}}))?"
_ONE_QUANTITY = re.compile(_QUANTITY.format(""))
_ONE_BOUND = re.compile(rf"(?P<sign>[<>]=?|[!=]=|=)\s*{_QUANTITY.format('')}\s*(?:,|and\b|&&)?\s*")
_SPAN = re.compile(rf"{_QUANTITY.format('low_')}\s*(?:\.\.|-|to\b)\s*{_QUANTITY.format('high_')}")
LONGEST_EXPECTATION = 128


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount in the smallest unit of its dimension; only equal dimensions compare."""

    amount: Decimal
    dimension: str
    """``bytes``, ``seconds``, ``number``, a currency such as ``USD``, or one of these ``/second``."""


@dataclass(frozen=True, slots=True)
class Bound:
    """One side of an expectation: at least, below, exactly that."""

    sign: str
    limit: Quantity

    def allows(self, actual: Quantity) -> bool:
        """Compare two quantities of one dimension."""
        return _COMPARISONS[self.sign](actual.amount, self.limit.amount)


def parse_quantity(text: str) -> Quantity | None:
    """Read one quantity, or nothing if it has no one meaning."""
    match = _ONE_QUANTITY.fullmatch(text.strip()) if len(text) <= LONGEST_EXPECTATION else None
    return _quantity(match, "") if match else None


def parse_expectation(text: str) -> tuple[Bound, ...]:
    """Read every bound of an expectation; empty if any part of it cannot be read.

    A bare quantity is a floor: ``expect: 100MB`` asks for at least that much.
    """
    text = text.strip()
    if len(text) > LONGEST_EXPECTATION:
        return ()
    if span := _SPAN.fullmatch(text):
        limits = (_quantity(span, "low_"), _quantity(span, "high_"))
        return (
            tuple(
                Bound(sign, limit)
                for sign, limit in zip((">=", "<="), limits, strict=True)
                if limit
            )
            if all(limits)
            else ()
        )
    if bare := parse_quantity(text):
        return (Bound(">=", bare),)
    return _parse_bounds(text)


def expectation_fit(expectation: str, actual: Quantity) -> Fit:
    """Hold an actual amount against what the author expects."""
    bounds = parse_expectation(expectation)
    if not bounds or any(bound.limit.dimension != actual.dimension for bound in bounds):
        return Fit.UNREADABLE
    return Fit.MET if all(bound.allows(actual) for bound in bounds) else Fit.UNMET


def _parse_bounds(text: str) -> tuple[Bound, ...]:
    bounds: list[Bound] = []
    position = 0
    while position < len(text):
        match = _ONE_BOUND.match(text, position)
        limit = _quantity(match, "") if match else None
        if match is None or limit is None:
            return ()
        bounds.append(Bound(match["sign"], limit))
        position = match.end()
    return tuple(bounds)


def _quantity(match: re.Match[str], prefix: str) -> Quantity | None:
    amount, unit, per = (match[prefix + part] for part in ("amount", "unit", "per"))
    scaled = _in_smallest_unit(Decimal(amount), unit)
    if scaled is None or per is None:
        return scaled
    if per not in SECONDS:
        return None
    return Quantity(scaled.amount / SECONDS[per], f"{scaled.dimension}/second")


def _in_smallest_unit(amount: Decimal, unit: str | None) -> Quantity | None:
    if unit is None:
        return Quantity(amount, "number")
    if unit == "%":
        return Quantity(amount / 100, "number")
    if unit in _BYTES:
        return Quantity(amount * _BYTES[unit], "bytes")
    if unit in SECONDS:
        return Quantity(amount * SECONDS[unit], "seconds")
    # ISO 4217 codes are three capitals; whether one exists matters less than that two agree.
    if len(unit) == 3 and unit.isupper():
        return Quantity(amount, unit)
    return None
