from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.projection.versions import Fit
from lime_desktop.readiness.units import (
    Quantity,
    expectation_fit,
    parse_expectation,
    parse_quantity,
)


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("100MB", Quantity(Decimal(100_000_000), "bytes")),
        ("100 MiB", Quantity(Decimal(104_857_600), "bytes")),
        ("1.5 GB", Quantity(Decimal(1_500_000_000), "bytes")),
        ("512b", None),
        ("5s", Quantity(Decimal(5), "seconds")),
        ("250ms", Quantity(Decimal("0.25"), "seconds")),
        ("2 hours", Quantity(Decimal(7200), "seconds")),
        ("80%", Quantity(Decimal("0.8"), "number")),
        ("10 USD", Quantity(Decimal(10), "USD")),
        ("864 USD/day", Quantity(Decimal("0.01"), "USD/second")),
        ("3", Quantity(Decimal(3), "number")),
        ("100M", None),
        ("$10", None),
        ("10 Mb", None),
        ("ten USD", None),
        ("-5s", None),
        ("5 USD/month", None),
        ("", None),
    ],
)
def test_quantity_has_one_meaning_or_none(text: str, quantity: Quantity | None) -> None:
    assert parse_quantity(text) == quantity


@pytest.mark.parametrize(
    ("expectation", "actual", "fit"),
    [
        (">= 100MB", "100MB", Fit.MET),
        (">= 100MB", "99MB", Fit.UNMET),
        (">= 100MiB", "100MB", Fit.UNMET),
        ("100MB", "1GB", Fit.MET),
        ("> 0.8", "80%", Fit.UNMET),
        ("< 80%", "0.79", Fit.MET),
        ("< 30s", "500ms", Fit.MET),
        ("< 5 USD/day", "0.2 USD/hour", Fit.MET),
        ("100MB - 1GB", "2GB", Fit.UNMET),
        ("100MB..1GB", "0.5GB", Fit.MET),
        (">= 10 USD < 100 USD", "50 USD", Fit.MET),
        (">= 10 USD and < 100 USD", "100 USD", Fit.UNMET),
        ("!= 0", "1", Fit.MET),
        (">= 10 USD", "10 EUR", Fit.UNREADABLE),
        (">= 10 USD", "10", Fit.UNREADABLE),
        (">= 5 USD/day", "5 USD", Fit.UNREADABLE),
        (">= lots", "10", Fit.UNREADABLE),
        (">= 100MB or so", "1GB", Fit.UNREADABLE),
        ("1 - lots", "10", Fit.UNREADABLE),
        ("", "10", Fit.UNREADABLE),
    ],
)
def test_expectation_is_met_unmet_or_unreadable(expectation: str, actual: str, fit: Fit) -> None:
    """Other currencies and unreadable words are never a pass."""
    quantity = parse_quantity(actual)
    assert quantity is not None
    assert expectation_fit(expectation, quantity) is fit


@given(st.text())
def test_any_text_is_read_without_an_exception(text: str) -> None:
    parse_quantity(text)
    parse_expectation(text)


@given(
    st.integers(0, 10**9), st.integers(0, 10**9), st.sampled_from(["MB", "GiB", "USD", "s", "%"])
)
def test_more_never_fails_a_floor_that_less_has_met(less: int, more: int, unit: str) -> None:
    less, more = sorted((less, more))
    low, high = parse_quantity(f"{less}{unit}"), parse_quantity(f"{more}{unit}")
    assert low is not None
    assert high is not None
    floor = f">= {less}{unit}"
    assert expectation_fit(floor, low) is Fit.MET
    assert expectation_fit(floor, high) is Fit.MET
