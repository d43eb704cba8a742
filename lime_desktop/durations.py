"""How long is `60s`, `5m` or `3 days`? The units of time that authors write, read in one place."""

import re
from collections.abc import Mapping
from decimal import Decimal

SECONDS: Mapping[str, Decimal] = {
    **dict.fromkeys(("ms",), Decimal("0.001")),
    **dict.fromkeys(("s", "sec", "second", "seconds"), Decimal(1)),
    **dict.fromkeys(("m", "min", "minute", "minutes"), Decimal(60)),
    **dict.fromkeys(("h", "hour", "hours"), Decimal(3600)),
    **dict.fromkeys(("d", "day", "days"), Decimal(86_400)),
    **dict.fromkeys(("w", "week", "weeks"), Decimal(604_800)),
}
_DURATION = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*([a-z]{1,8})")


def parse_duration(text: str) -> Decimal | None:
    """The seconds of a time such as `60s` or `2 min`; None for a number without a unit, or anything else."""
    found = _DURATION.fullmatch(text.strip()) if len(text) <= 64 else None
    if found is None or found[2] not in SECONDS:
        return None
    return Decimal(found[1]) * SECONDS[found[2]]
