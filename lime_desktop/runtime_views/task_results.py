"""How a run ended, in the standard's words: the result's subtype follows from facts, never from prose."""

from dataclasses import dataclass, field

from pydantic import ValidationError

from lime_desktop.protocol.errors import (
    AppError,
    CostLimitExceeded,
    PermissionDenied,
    StructuredOutputInvalid,
    TaskCancelled,
    TaskFailed,
    TaskInterrupted,
    TaskTimedOut,
    TurnLimitReached,
)
from lime_desktop.protocol.ids import (
    ArtifactId,
    EvidenceId,
    JsonObject,
    SessionId,
    TaskId,
    TraceId,
    TurnId,
)
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.task_events import (
    AgentTaskResult,
    Materialized,
    ResultError,
    ResultSubtype,
    TokenUsage,
)
from lime_desktop.runtime_views.costs import Costs
from lime_desktop.runtime_views.payload import mapping, preview

_SUBTYPE_BY_CATEGORY: dict[str, ResultSubtype] = {
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "max_turns": "error_max_turns",
    "turn_limit": "error_max_turns",
    "turn_limit_reached": "error_max_turns",
    "max_budget": "error_max_budget",
    "budget_exceeded": "error_max_budget",
    "cost_limit_exceeded": "error_max_budget",
    "quota_blocked": "error_max_budget",
    "structured_output": "error_max_structured_output_retries",
    "structured_output_invalid": "error_max_structured_output_retries",
    "max_structured_output_retries": "error_max_structured_output_retries",
    "permission_denied": "error_permission_denied",
    "policy_denied": "error_permission_denied",
    "sandbox_violation": "error_permission_denied",
    "sandbox_blocked": "error_permission_denied",
    "denied": "error_permission_denied",
}
_SUBTYPE_BY_CODE: dict[str, ResultSubtype] = {
    CostLimitExceeded.code: "error_max_budget",
    StructuredOutputInvalid.code: "error_max_structured_output_retries",
    TurnLimitReached.code: "error_max_turns",
    TaskCancelled.code: "cancelled",
}
_ERROR_BY_SUBTYPE: dict[ResultSubtype, type[AppError]] = {
    "error_max_turns": TurnLimitReached,
    "error_during_execution": TaskFailed,
    "error_max_budget": CostLimitExceeded,
    "error_max_structured_output_retries": StructuredOutputInvalid,
    "error_permission_denied": PermissionDenied,
    "cancelled": TaskCancelled,
}
_ERROR_BY_CATEGORY: dict[str, type[AppError]] = {
    "timeout": TaskTimedOut,
    "interrupted": TaskInterrupted,
}
"""What the subtype alone does not tell."""


def result_subtype(event: RuntimeEvent) -> ResultSubtype:
    """Which of the seven endings a terminal event is."""
    if event.type in {"turn.completed", "task.completed"}:
        return "success"
    if event.type in {"turn.canceled", "task.cancelled"}:
        return "cancelled"
    by_code = _SUBTYPE_BY_CODE.get(text(event, "code") or "")
    category = text(event, "failureCategory") or ""
    return by_code or _SUBTYPE_BY_CATEGORY.get(category, "error_during_execution")


@dataclass(slots=True)
class RunSoFar:
    """What the events of a run have said that its result repeats."""

    task_id: TaskId
    first: RuntimeEvent
    turn_id: TurnId | None = None
    messages: dict[str, str] = field(default_factory=dict[str, str])
    artifacts: dict[ArtifactId, None] = field(default_factory=dict[ArtifactId, None])
    evidence: dict[EvidenceId, None] = field(default_factory=dict[EvidenceId, None])
    rounds: int = 0
    output_attempts: int = 0
    usage: JsonObject | None = None
    costs: Costs = field(default_factory=Costs)

    def note(self, event: RuntimeEvent) -> None:
        """Remember what the result will need."""
        match event.type:
            case "turn.started":
                self.turn_id = event.turn_id
            case "model.requested":
                self.rounds += 1
            case "model.delta" | "model.completed":
                self._hear(event)
            case _:
                self.note_part(event)
        attempts = event.payload.get("outputAttempts")
        if isinstance(attempts, int) and attempts >= 0:
            self.output_attempts = attempts
        self.usage = mapping(event, "usage") or self.usage

    def note_part(self, event: RuntimeEvent) -> None:
        """Remember what was made and spent, by whoever worked on it."""
        match event.type:
            case "artifact.changed" if event.artifact_id:
                self.artifacts[event.artifact_id] = None
            case "evidence.changed" if event.evidence_id:
                self.evidence[event.evidence_id] = None
            case "cost.recorded" | "cost.estimated":
                self.costs.note(event)
            case _:
                pass

    def result(self, event: RuntimeEvent) -> AgentTaskResult:
        """The run's end as its last event tells it."""
        subtype = result_subtype(event)
        return AgentTaskResult(
            task_id=self.task_id,
            trace_id=event.trace_id or TraceId(""),
            session_id=SessionId(event.session_id),
            turn_id=event.turn_id,
            subtype=subtype,
            output=event.payload.get("structuredOutput") if subtype == "success" else None,
            materialized=_materialized(event) if subtype == "success" else None,
            text=list(self.messages.values())[-1] if self.messages else "",
            artifacts=tuple(self.artifacts),
            evidence=tuple(self.evidence),
            error=None if subtype == "success" else _error(event, subtype),
            turns=self.rounds,
            output_attempts=self.output_attempts,
            usage=stated_usage(self.usage),
            cost=self.costs.total(),
            started_at=self.first.timestamp,
            finished_at=event.timestamp,
        )

    def _hear(self, event: RuntimeEvent) -> None:
        key = text(event, "messageId") or event.turn_id or ""
        if event.type == "model.delta":
            self.messages[key] = self.messages.get(key, "") + (text(event, "delta", "text") or "")
            return
        # Beside a reference stands only the beginning of a text; its pieces were whole.
        is_whole = "textRef" not in event.payload or key not in self.messages
        if is_whole and (final := text(event, "text")) is not None:
            self.messages[key] = final


def _kind(event: RuntimeEvent, subtype: ResultSubtype) -> type[AppError]:
    if event.type == "task.timed_out":
        return TaskTimedOut
    category = text(event, "failureCategory") or ""
    return _ERROR_BY_CATEGORY.get(category, _ERROR_BY_SUBTYPE[subtype])


def _error(event: RuntimeEvent, subtype: ResultSubtype) -> ResultError:
    kind = _kind(event, subtype)
    said = event.payload.get("retryable")
    code = text(event, "code") or ""
    most = event.payload.get("maxRetries")
    return ResultError(
        code=code if code.startswith("APP_E") else kind.code,
        message=preview(event, "message") or (kind.__doc__ or "").splitlines()[0],
        retryable=said if isinstance(said, bool) else kind.retryable,
        user_action=preview(event, "recoveryHint") or kind.user_action,
        name=text(event, "appErrorName"),
        max_retries=most if isinstance(most, int) else None,
    )


def _materialized(event: RuntimeEvent) -> Materialized | None:
    try:
        stated = mapping(event, "materialized")
        return Materialized.model_validate(stated) if stated else None
    except ValidationError:
        return None


def stated_usage(stated: JsonObject | None) -> TokenUsage | None:
    """A usage that makes no sense is no usage: a wrong number is worse than none."""
    try:
        return TokenUsage.model_validate(stated) if stated else None
    except ValidationError:
        return None
