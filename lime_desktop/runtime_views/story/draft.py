"""A step while its events come in. Cheap for each event; the step itself is made only when somebody looks."""

from collections import deque
from dataclasses import dataclass, field, replace

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.payload import (
    ENDED,
    final_text,
    mapping,
    number,
    preview,
    status_of,
)
from lime_desktop.runtime_views.story.details import details_of
from lime_desktop.runtime_views.story.identity import is_quiet, kind_of
from lime_desktop.runtime_views.story.steps import Step, Trouble
from lime_desktop.runtime_views.story.times import seconds_between
from lime_desktop.runtime_views.story.values import KNOWN_TOOLS, values_of
from lime_desktop.runtime_views.task_results import stated_usage
from lime_desktop.runtime_views.view_status import ViewStatus

KEPT_EVENTS = 12
KEPT_CHARACTERS = 200_000
"""What a step shows of one text; the whole of a longer one is in the conversation or behind its reference."""

_JOINS = ("permission.", "sandbox.applied", "process.", "tool.args", "tool.progress", "reasoning.")
"""Families that tell more about a step and leave its sentence as it is."""
_OVER = ("turn.submitted", "artifact.", "evidence.", "review.", "context.resolved", "checkpoint.")
"""What is there once it is told."""


@dataclass(slots=True)
class Written:
    """Words that come in pieces; what replaces them is whole."""

    pieces: list[str] = field(default_factory=list[str])
    length: int = 0

    def add(self, piece: str) -> None:
        """One piece more, while there is room."""
        room = KEPT_CHARACTERS - self.length
        if room > 0:
            self.pieces.append(piece[:room])
            self.length += min(len(piece), room)

    def end(self, event: RuntimeEvent, name: str) -> None:
        """The whole of it, where the event has it."""
        if whole := final_text(event, self.read(), name):
            self.pieces, self.length = [], 0
            self.add(whole)

    def read(self) -> str:
        """As it stands."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


class Draft:
    """One step so far."""

    def __init__(self, step_id: str, event: RuntimeEvent) -> None:
        self.answer = Written()
        self.thoughts = Written()
        self.question = ""
        """What a model was asked, where the step is a round."""
        self.cost: Cost | None = None
        self._tokens: tuple[int, int] | None = None
        self.attempts = 1
        self._took_ms: float | None = None
        self.facts: list[RuntimeEvent] = []
        """The events that the details are read from: each kind once, the newest."""
        self._exact: deque[JsonObject] = deque(maxlen=KEPT_EVENTS)
        self._made: Step | None = None
        self._step = Step(
            step_id=step_id,
            kind=kind_of(event),
            key=f"story.{event.type}",
            at=event.timestamp,
            state="pending",
            is_quiet=is_quiet(event),
            turn_id=event.turn_id,
            artifact_id=event.artifact_id,
            tool_call_id=event.tool_call_id,
        )
        self.take(event)

    @property
    def head(self) -> Step:
        """The step without what it opens to."""
        return self._step

    def take(self, event: RuntimeEvent) -> None:
        """Take in one event."""
        self._made = None
        if event.type.endswith(".delta"):
            self._grow(event)
            return
        self._note(event)
        self._exact.append(_exact(event))
        before = self._step
        says_more = event.type.startswith(_JOINS) and before.event_count > 0
        state = before.state if says_more else _state(event, before)
        self._step = replace(
            before,
            key=before.key if says_more else self._key(event),
            values={**before.values, **values_of(event)},
            state=state,
            ended_at=event.timestamp if state in ENDED else None,
            is_quiet=before.is_quiet and is_quiet(event),
            trouble=_trouble(event) if state == "failed" else before.trouble,
            event_count=before.event_count + 1,
            sequence=event.sequence,
        )

    def ask_again(self) -> None:
        """The same model is asked once more: nothing had been said."""
        self.attempts += 1
        values = {**self._step.values, "count": self.attempts}
        self._step = replace(self._step, state="running", trouble=None, values=values)

    def settle(self, state: ViewStatus) -> None:
        """Its turn is over, and so is this."""
        if self._step.state in {"running", "waiting", "pending"}:
            self._made = None
            self._step = replace(self._step, state=state)

    def step(self) -> Step:
        """The step as it stands."""
        if self._made is None:
            count = {"count": self.attempts} if self.attempts > 1 else {}
            self._made = replace(
                self._step,
                values={**self._step.values, **count},
                details=details_of(self),
                tokens=self._tokens,
                cost=self.cost,
                seconds=self._seconds(),
                exact=tuple(self._exact),
            )
        return self._made

    def charge(self, cost: Cost) -> None:
        """What this round cost, told after it."""
        self._made = None
        self.cost = (
            cost
            if self.cost is None
            else self.cost.model_copy(update={"amount": self.cost.amount + cost.amount})
        )

    def _seconds(self) -> float | None:
        if self._took_ms is not None:
            return self._took_ms / 1000
        step = self._step
        took = step.ended_at if step.event_count > 1 else None
        return seconds_between(step.at, took) if took else None

    def _grow(self, event: RuntimeEvent) -> None:
        written = self.thoughts if event.type.startswith("reasoning.") else self.answer
        written.add(text(event, "delta", "text") or "")
        is_begun = event.type == "reasoning.delta" or self._step.key == f"story.{event.type}"
        if not is_begun:
            self._step = replace(
                self._step,
                key=f"story.{event.type}",
                state="running",
                event_count=self._step.event_count + 1,
                sequence=event.sequence,
            )

    def _key(self, event: RuntimeEvent) -> str:
        is_cut = event.type == "model.failed" and self.answer.length > 0
        form = "cut" if is_cut else _form(event, self._step)
        return f"story.{event.type}.{form}" if form else f"story.{event.type}"

    def _note(self, event: RuntimeEvent) -> None:
        self.facts = [*(each for each in self.facts if each.type != event.type), event]
        if event.type == "model.completed" and (used := stated_usage(mapping(event, "usage"))):
            before = self._tokens or (0, 0)
            self._tokens = (before[0] + used.input_tokens, before[1] + used.output_tokens)
        self._took_ms = number(event, "durationMs") or self._took_ms
        if event.type in {"model.completed", "plan.final"}:
            self.answer.end(event, "text")
        if event.type == "reasoning.summary" and not self.thoughts.length:
            # Whoever heard the thoughts themselves keeps them.
            self.thoughts.end(event, "summary")


def _form(event: RuntimeEvent, before: Step) -> str | None:
    """Which of its sentences an event is told by, where its type has several."""
    forms = {
        "action.resolved": _decision(event),
        "turn.submitted": "again" if text(event, "replacesTurnId") else None,
        "run.status": "retrying" if "retrying" in {event.phase, text(event, "phase")} else None,
        "artifact.changed": "again" if before.event_count else None,
        "context.resolved": _found(event),
    }
    if event.type in {"tool.started", "tool.result"}:
        name = text(event, "toolName")
        return name if name in KNOWN_TOOLS else None
    return forms.get(event.type)


def _found(event: RuntimeEvent) -> str | None:
    if event.payload.get("citations"):
        return "found"
    return "attached" if event.payload.get("attachmentRefs") else None


def _decision(event: RuntimeEvent) -> str:
    said = text(event, "decision") or ""
    if said.startswith("allow") and _has_changes(event):
        return "changed"
    if said.startswith(("allow", "approve", "accept", "answered")):
        return "yes"
    if said.startswith(("den", "decline", "reject", "refuse")):
        return "no"
    return "none"


def _has_changes(event: RuntimeEvent) -> bool:
    """Whether the person changed what they allowed. Of a review the response is what they made of it, else an answer."""
    is_review = (event.action_id or "").startswith("decision_")
    names = ("updatedInput", "response", "responseRef") if is_review else ("updatedInput",)
    return any(event.payload.get(name) is not None for name in names)


def _state(event: RuntimeEvent, before: Step) -> ViewStatus:
    if event.type == "turn.failed":
        return "failed"
    if event.type == "turn.canceled":
        return "cancelled"
    if event.type.startswith(_OVER):
        return "completed"
    state = status_of(event)
    if state == "pending":
        # What goes on with nothing, and does not say that it began, happened and is over.
        return before.state if before.event_count else "completed"
    is_closing = event.type.endswith(".closed") and before.state in ENDED
    return before.state if is_closing else state


def _trouble(event: RuntimeEvent) -> Trouble:
    category = text(event, "failureCategory", "errorCategory")
    return Trouble(
        category=category,
        message=preview(event, "message", "error", "lastError", "capabilityGap", "reason"),
        # A round names its provider's very failure where others name a kind.
        reason_code=category if event.type == "model.failed" else text(event, "reasonCode"),
        code=text(event, "code"),
        hint=preview(event, "recoveryHint"),
        declared_code=(declared := text(event, "appErrorCode")),
        may_retry=event.payload.get("retryable") is True if declared else None,
    )


def _exact(event: RuntimeEvent) -> JsonObject:
    told: JsonObject = {"type": event.type, "at": event.timestamp, "sequence": event.sequence}
    if event.payload:
        told["payload"] = event.payload
    return told
