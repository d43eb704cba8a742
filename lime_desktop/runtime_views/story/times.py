"""Times of the log as a person reads them."""

from datetime import datetime


def seconds_between(begin: str, end: str) -> float:
    """How long it was from one time of the log to another."""
    took = datetime.fromisoformat(end) - datetime.fromisoformat(begin)
    return max(took.total_seconds(), 0.0)


def time_of_day(at: str) -> str:
    """When it was by the clock on this person's wall."""
    return datetime.fromisoformat(at).astimezone().strftime("%H:%M:%S")
