"""lime.review: decisions that a person takes on the app's request."""

from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from lime_desktop.protocol.capability_calls.call import Call, CallParams, Effect, ResultValue
from lime_desktop.protocol.errors import (
    ActionClosed,
    ActionNotFound,
    ArtifactNotFound,
    SessionDamaged,
)
from lime_desktop.protocol.ids import NonEmpty, SessionId, Timestamp
from lime_desktop.protocol.wire import Maybe, WireModel

NAME = "lime.review"

Decision: TypeAlias = Literal["approve", "modify", "reject"]


class RequestDecisionParams(CallParams):
    """What to decide on."""

    subject: NonEmpty[str] = Field(max_length=1_000)
    payload: JsonValue = None
    """What the person sees, such as a draft."""


class ReviewDecision(WireModel):
    """A decision, open or taken."""

    decision_id: str
    subject: str
    status: Literal["pending", "decided"]
    decision: Maybe[Decision] = None
    note: Maybe[str] = None
    payload: JsonValue = None
    """As requested, or as the person changed it."""
    requested_at: Timestamp
    decided_at: Maybe[Timestamp] = None


class SubmitDecisionParams(CallParams):
    """A decision that the person took in the app's own interface; the host asks them to confirm."""

    decision_id: NonEmpty[str]
    decision: Decision
    note: Maybe[str] = Field(None, max_length=10_000)


class ListPendingParams(CallParams):
    """About which subject; about all otherwise."""

    subject: Maybe[NonEmpty[str]] = None


class ListPendingResult(ResultValue[tuple[ReviewDecision, ...]]):
    """Decisions that nobody has taken yet."""


def session_of_review(decision_id: str) -> SessionId:
    """Where the facts of a review are."""
    return SessionId(f"session_{decision_id}")


def _open_session(review: ReviewDecision) -> SessionId | None:
    return session_of_review(review.decision_id) if review.status == "pending" else None


REQUEST_DECISION = Call(
    NAME,
    "requestDecision",
    RequestDecisionParams,
    ReviewDecision,
    Effect.ASK,
    "Ask a person to decide; returns at once.",
    by="server",
    is_idempotent=True,
    session_of=_open_session,
    errors=(SessionDamaged, ArtifactNotFound),
)
SUBMIT_DECISION = Call(
    NAME,
    "submitDecision",
    SubmitDecisionParams,
    ReviewDecision,
    Effect.ASK,
    "Hand in a decision.",
    by="server",
    session_of=_open_session,
    errors=(ActionNotFound, ActionClosed, ArtifactNotFound),
)
LIST_PENDING = Call(
    NAME,
    "listPending",
    ListPendingParams,
    ListPendingResult,
    Effect.READ,
    "What is still open.",
    by="server",
    errors=(ArtifactNotFound,),
)

CALLS = (REQUEST_DECISION, SUBMIT_DECISION, LIST_PENDING)
