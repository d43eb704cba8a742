"""How an app is updated: what the person chose, and what came of the last version that was to be installed by itself."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.wire import WireModel

UpdatePolicy = Literal["ask", "always", "never"]
EVERY_APP = "*"
"""The row that holds for apps of which nothing else is said."""

MOST_FAILURES = 3
"""How often a version is tried before it is left to the person."""

OutcomeKind = Literal["installed", "asked", "failed"]


class RecordedChange(WireModel):
    """One thing that an update changed."""

    area: str
    kind: str
    key: str


class UpdateOutcome(WireModel):
    """What came of a version."""

    kind: OutcomeKind
    version: str
    from_version: str
    at_ms: int
    reasons: tuple[str, ...] = ()
    """Why the person is asked; codes of `review.growth`."""
    failures: int = 0
    """How often it could not be installed."""
    error: str | None = None
    """The code of the last failure."""
    changes: tuple[RecordedChange, ...] = ()
    notes: dict[str, str] = Field(default_factory=dict[str, str])
    """What is new in it, by language."""
    is_seen: bool = False
    """Whether the person has read of it."""

    @property
    def is_given_up(self) -> bool:
        """Whether it is not tried again."""
        return self.failures >= MOST_FAILURES


class StoredAutoUpdate(WireModel):
    """One row: of an app, or of all of them."""

    app_id: str
    policy: UpdatePolicy | None = None
    """None where what holds for every app holds."""
    outcome: UpdateOutcome | None = None
