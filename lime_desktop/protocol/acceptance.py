"""Whether what was delivered is accepted: what each quality gate found, and who set what it was held to."""

from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

AcceptanceStatus = Literal["accepted", "not-accepted", "waiting"]
GateStatus = Literal["passed", "failed", "waiting"]
ReasonCode = Literal[
    "no-sources",
    "not-grounded",
    "banned-word",
    "forbidden-text",
    "required-text",
    "field-empty",
    "section-empty",
    "too-short",
    "schema",
    "not-readable",
    "rejected",
    "not-judged",
]
"""Why a gate did not pass."""
SetBy = Literal["workspace", "user", "tenant", "app", "host"]


class GateReason(WireModel):
    """One thing that is wrong."""

    code: ReasonCode
    detail: str = Field("", max_length=300)
    """The word, the place or the sentence, as it stands in the content or the package."""
    set_by: Maybe[SetBy] = None
    """Who demanded it, where that was not the app."""


class GateOutcome(WireModel):
    """What one gate says of one version."""

    eval_key: str
    kind: str
    status: GateStatus
    score: Maybe[float] = None
    """From 0 to 1: the lowest of its checks. A person gives none."""
    threshold: Maybe[float] = None
    threshold_set_by: Maybe[SetBy] = None
    reasons: tuple[GateReason, ...] = ()
    questions: tuple[str, ...] = ()
    """What a person is asked to look at."""
    note: Maybe[str] = None
    """What the person said who decided."""


class Acceptance(WireModel):
    """The verdict on one version of a deliverable. Nothing is deleted because of it."""

    status: AcceptanceStatus
    gates: tuple[GateOutcome, ...]
    judged_at: Timestamp
