"""What the doctor says about one thing: how it is, and what to do when it is not well."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Health(StrEnum):
    """How a thing is. Only an error means that something which is installed cannot work."""

    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report."""

    check: str
    health: Health
    message: str
    fix: str | None = None
    """What helps; one that begins with "Run: " is a command, and `doctor --fix` can do it."""

    def to_json(self) -> dict[str, str | None]:
        """Give the object that `doctor --json` prints."""
        return asdict(self)


def well(check: str, message: str) -> Finding:
    """Nothing to do."""
    return Finding(check, Health.OK, message)


def poor(check: str, message: str, fix: str) -> Finding:
    """Works, with something missing."""
    return Finding(check, Health.WARNING, message, fix)


def ill(check: str, message: str, fix: str) -> Finding:
    """Will not work until it is put right."""
    return Finding(check, Health.ERROR, message, fix)
