"""Wraps every engine: its turns end as they were asked to, or fail and say why.

An engine is asked again, a bounded number of times, when its output does not have the form; nothing is written back
before it has. All of it is one turn, so that a task is one story however often it was tried.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import cast

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.agent_tasks.output_review import Review, Reviews, review_asked_in
from lime_desktop.app_server.agent_tasks.output_writer import Checked, OutputWriter
from lime_desktop.app_server.answer_guards.output_demand import (
    IN_WORDS,
    Fits,
    OutputAttempts,
    OutputDemand,
    Unfit,
    complaints_in,
)
from lime_desktop.app_server.runtime_core.backend import (
    ActionAnswer,
    EngineChoice,
    EngineMiddleware,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.app_server.task_request import TaskRequest, task_request_in
from lime_desktop.protocol.calls.turns import TurnInput
from lime_desktop.protocol.errors import (
    CostLimitExceeded,
    PermissionDenied,
    TaskTimedOut,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage
from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.costs import Costs

_STOP_S = 2.0
_MAX_REPEATED_CHARACTERS = 20_000
"""How much of a wrong answer is shown to the engine again."""


@dataclass(slots=True)
class TurnLimits:
    """The limits of one turn, and what of them is used."""

    cost_limit: Cost | None = None
    deadline: float | None = None
    """On the loop's clock."""
    costs: Costs = field(default_factory=Costs)
    """What the task's agents spent, the ones below included."""

    @classmethod
    def of(cls, asked: TaskRequest | None) -> "TurnLimits":
        """The limits of a task, counted from now."""
        if asked is None:
            return cls()
        timeout_ms = asked.request.timeout_ms
        now = asyncio.get_running_loop().time()
        return cls(asked.request.cost_limit, now + timeout_ms / 1_000 if timeout_ms else None)

    async def next_of(self, events: AsyncGenerator[ProposedEvent]) -> ProposedEvent | None:
        """Wait for the next event, but not beyond the task's time; None where there is no other.

        Raises:
            TaskTimedOut: the time is up.
            CostLimitExceeded: what the engine reports to have spent is more than it may.
        """
        try:
            async with asyncio.timeout_at(self.deadline):
                event = await anext(events, None)
        except TimeoutError:
            raise TaskTimedOut("The task took longer than it was given") from None
        if isinstance(event, ProposedEvent) and event.type == "cost.recorded":
            self.costs.note(event)
            self._require_money()
        return event

    def _require_money(self) -> None:
        limit = self.cost_limit
        if limit is not None and self.costs.spent.get(limit.currency, 0.0) > limit.amount:
            raise CostLimitExceeded("The task reached the cost it was given")


@dataclass(slots=True)
class _Heard:
    """What an engine has said in one attempt."""

    words: dict[str, str] = field(default_factory=dict[str, str])
    ending: ProposedEvent | None = None

    @property
    def last_words(self) -> str:
        return list(self.words.values())[-1] if self.words else ""

    def note(self, event: ProposedEvent) -> None:
        key = str(event.payload.get("messageId", ""))
        if event.type == "model.delta":
            piece = event.payload.get("delta", event.payload.get("text", ""))
            self.words[key] = self.words.get(key, "") + str(piece)
        elif event.type == "model.completed" and isinstance(event.payload.get("text"), str):
            self.words[key] = cast("str", event.payload["text"])


class OutputCheckMiddleware(EngineMiddleware):
    """An engine that keeps its word, made of one that may not."""

    def __init__(self, engine: ExecutionBackend, writing: OutputWriter) -> None:
        super().__init__(engine)
        self._writing = writing
        self._reviews = Reviews()

    async def preflight(self, request: TurnRequest) -> EngineChoice | None:
        """Refuse a demand that nobody could meet, then what the engine refuses."""
        OutputDemand.of(request.options.structured_output)
        return await self._engine.preflight(request)

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """Do the work within its limits; the last event is the turn's."""
        asked = task_request_in(request.options)
        demand = _demand_of(request, asked)
        limits = TurnLimits.of(asked)
        if demand is None:
            stream = self._attempt(request, None, limits, _Heard())
        elif review := review_asked_in(request.open_action_ids):
            value = await self._writing.read(review.output_ref)
            checked = Checked(demand, Fits(value), review.attempts, {})
            stream = self._review(request, asked, checked, review)
        else:
            stream = self._try(request, asked, demand, limits)
        async for event in stream:
            yield event

    async def respond_action(self, turn_id: str, answer: ActionAnswer) -> None:
        """Hear an answer: to a question of ours, or of the engine's."""
        if not self._reviews.take_answer(answer):
            await self._engine.respond_action(turn_id, answer)

    async def _try(
        self,
        request: TurnRequest,
        asked: TaskRequest | None,
        demand: OutputDemand,
        limits: TurnLimits,
    ) -> AsyncIterator[ProposedEvent]:
        attempts = OutputAttempts(demand)
        attempt = request
        while True:
            heard = _Heard()
            async for event in self._attempt(attempt, demand, limits, heard):
                yield event
            if heard.ending is None:
                return
            attempts = attempts.after(_attempts_in(heard.ending))
            verdict = await asyncio.to_thread(demand.check, heard.ending.payload, heard.last_words)
            if isinstance(verdict, Fits):
                checked = Checked(demand, verdict, attempts.made, heard.ending.payload)
                async for event in self._conclude(request, asked, checked):
                    yield event
                return
            if attempts.are_spent:
                yield _given_up(attempts, verdict, heard.ending)
                return
            yield attempts.retrying(verdict)
            attempt = _corrected(request, heard.last_words, verdict)

    async def _attempt(
        self,
        request: TurnRequest,
        demand: OutputDemand | None,
        limits: TurnLimits,
        heard: _Heard,
    ) -> AsyncIterator[ProposedEvent]:
        """Pass one attempt on, up to the ending that is to be checked."""
        stream = cast("AsyncGenerator[ProposedEvent]", self._engine.run_turn(request))
        async with aclosing(stream) as events:
            while (event := await self._next(request, limits, events)) is not None:
                # Whatever else comes is for RuntimeCore to refuse.
                if isinstance(event, ProposedEvent):  # pyright: ignore[reportUnnecessaryIsInstance] - an engine may yield anything
                    heard.note(event)
                    if event.type == "turn.completed" and demand is not None:
                        heard.ending = event
                        return
                yield event

    async def _next(
        self, request: TurnRequest, limits: TurnLimits, events: AsyncGenerator[ProposedEvent]
    ) -> ProposedEvent | None:
        try:
            return await limits.next_of(events)
        except (TaskTimedOut, CostLimitExceeded):
            # Not for ever: the turn ends now, whether the engine listens or not.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STOP_S):
                    await self._engine.cancel_turn(request.turn_id)
            raise

    async def _conclude(
        self,
        request: TurnRequest,
        asked: TaskRequest | None,
        checked: Checked,
    ) -> AsyncIterator[ProposedEvent]:
        """Ask a person where that was wanted, then write back."""
        if asked is not None and asked.wants_review:
            async for event in self._review(request, asked, checked):
                yield event
            return
        for event in await self._writing.facts(request, asked, checked):
            yield event

    async def _review(
        self,
        request: TurnRequest,
        asked: TaskRequest | None,
        checked: Checked,
        open_review: Review | None = None,
    ) -> AsyncIterator[ProposedEvent]:
        """Have a person judge the output. What they make of it has to fit as well, or they are asked again."""
        review, title = open_review, asked.request.title if asked else None
        if review is None:
            review = Review(request.run_id, checked.attempts, await self._kept(checked))
            yield review.question(title, checked.demand.schema_object)
        while True:
            answer = await self._reviews.answer_to(review.action_id)
            if answer.behavior != "allow":
                yield _refused(answer)
                return
            is_changed = answer.response is not None
            value = checked.fits.value if answer.response is None else _read(answer.response)
            verdict = _verdict(checked.demand, value)
            if isinstance(verdict, Fits):
                break
            checked = replace(checked, fits=Fits(value))
            kept = await self._kept(checked)
            review = Review(review.run_id, review.attempts, kept, review.round + 1)
            yield review.question(title, checked.demand.schema_object, _complaint(verdict))
        ending = checked.ending
        if is_changed and checked.demand.schema is None:
            # Its words were told already: what the person made of them is the output.
            reference = await self._writing.keep("output", verdict.value)
            ending = {**ending, "structuredOutputRef": reference}
        approved = replace(checked, fits=verdict, ending=ending)
        for event in await self._writing.facts(request, asked, approved):
            yield event

    async def _kept(self, checked: Checked) -> str:
        return await self._writing.keep("output", checked.fits.value)


def _demand_of(request: TurnRequest, asked: TaskRequest | None) -> OutputDemand | None:
    """What becomes of the turn's output, if anything: its form is checked, or its words are kept or reviewed."""
    prompt = (asked and asked.request.prompt) or ""
    demand = OutputDemand.of(request.options.structured_output, prompt)
    if demand is None and asked is not None and asked.wants_its_words:
        return IN_WORDS
    return demand


def _attempts_in(ending: ProposedEvent) -> int:
    """How often the engine tried by itself before it ended."""
    stated = ending.payload.get("outputAttempts")
    return stated if isinstance(stated, int) and stated > 0 else 1


def _read(changed: str) -> JsonValue:
    """What a person made of an output: JSON, as the content of every review is; anything else is taken as words."""
    try:
        return msgspec.json.decode(changed)
    except msgspec.DecodeError:
        return changed


def _verdict(demand: OutputDemand, value: JsonValue) -> Fits | Unfit:
    """Whether what a person approved has the form that the task asked for."""
    words = value if isinstance(value, str) else ""
    # Not its content: what a person writes there they mean.
    return demand.check_form({"structuredOutput": value}, words)


def _complaint(verdict: Unfit) -> str:
    wrong = "\n".join(f"{each.path or '/'}: {each.text}" for each in verdict.complaints)
    return f"Your changes do not have the form that the task asks for:\n{wrong}"


def _given_up(attempts: OutputAttempts, verdict: Unfit, ending: ProposedEvent) -> ProposedEvent:
    error = attempts.failure
    category = "output_unusable" if attempts.fails_plainly else "structured_output_invalid"
    payload: JsonObject = {
        **{name: ending.payload[name] for name in ("usage",) if name in ending.payload},
        "failureCategory": category,
        "code": error.code,
        "message": error.message,
        "recoveryHint": error.user_action,
        "retryable": error.retryable,
        **attempts.facts(verdict),
    }
    return ProposedEvent(type="turn.failed", payload=payload)


def _refused(answer: ActionAnswer) -> ProposedEvent:
    payload: JsonObject = {
        "failureCategory": "permission_denied",
        "code": PermissionDenied.code,
        "message": answer.message or "The result was not accepted, so nothing was written back.",
        "recoveryHint": "Change the input, and start the task again.",
        "retryable": False,
    }
    return ProposedEvent(type="turn.failed", payload=payload)


def _corrected(request: TurnRequest, said: str, verdict: Unfit) -> TurnRequest:
    """The same turn once more, with what was wrong about the last answer."""
    text = (
        "Your answer does not fit the JSON Schema of this task:\n"
        f"{complaints_in(verdict)}\nAnswer again, with one JSON value that fits and nothing else."
    )
    history = (
        *request.history,
        HistoryMessage(message_id=f"user:{request.turn_id}", role="user", text=request.input.text),
        HistoryMessage(
            message_id=f"unfit:{request.turn_id}",
            role="assistant",
            text=said[:_MAX_REPEATED_CHARACTERS],
        ),
    )
    return replace(
        request,
        input=TurnInput(text=text, attachments=request.input.attachments),
        history=history,
        open_action_ids=(),
        # What the last attempt used up may rule its model out.
        choice=None,
    )
