"""Times as authors write them have one meaning everywhere (ours; the standard writes `60s`)."""

from decimal import Decimal

import pytest

from lime_desktop.durations import parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("60s", Decimal(60)),
        ("250ms", Decimal("0.250")),
        (" 1.5 h ", Decimal(5400)),
        ("3d", Decimal(259_200)),
        ("2 weeks", Decimal(1_209_600)),
        ("0s", Decimal(0)),
    ],
)
def test_a_duration_is_read_as_seconds(text: str, seconds: Decimal) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text", ["", "60", "s", "-1s", "1M", "5 MB", "1s/day", "1h30m", "9" * 80 + "s"]
)
def test_what_has_no_one_meaning_is_no_duration(text: str) -> None:
    assert parse_duration(text) is None
