"""New names and moments. Ids sort by the time they were made, which keeps indexes append-only."""

import secrets
import time
from datetime import UTC, datetime


def new_id(prefix: str) -> str:
    """A name nobody else has, e.g. ``turn_019a8c…``."""
    return f"{prefix}_{time.time_ns() // 1_000_000:012x}{secrets.token_hex(8)}"


def now() -> str:
    """This moment, as events write it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(milliseconds: int) -> str:
    """A moment given in milliseconds, as events write it."""
    at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def at_ms(told: str) -> int:
    """A moment that events wrote, in milliseconds."""
    return round(datetime.fromisoformat(told).timestamp() * 1_000)
