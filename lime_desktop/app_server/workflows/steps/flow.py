"""States that lead on: start, branch, wait, parallel, end. They have no effect outside the run."""

from datetime import UTC, datetime

from pydantic import JsonValue

from lime_desktop.app_server.workflows.detail import Failure
from lime_desktop.app_server.workflows.outcomes import Done, Ends, Failed, Outcome, Waits, failed
from lime_desktop.app_server.workflows.run import Step
from lime_desktop.app_server.workflows.steps.step_kind import AtStep, Scope, StepKind
from lime_desktop.workflow_model.expressions.evaluation import evaluate, holds
from lime_desktop.workflow_model.expressions.templates import fill_template
from lime_desktop.workflow_model.states import (
    BranchState,
    EndState,
    ForEach,
    ParallelState,
    StartState,
    WaitState,
)

_LAST_MS = 253_370_764_800_000
"""The year 9999 begins: a later moment is none that can be written everywhere."""
MOST_WAYS = 1_000
"""That one state may open: a list may be as long as somebody's data. A longer one is refused whole: no item is left out."""


class StartKind(StepKind[StartState]):
    """Leads on."""

    async def begin(self, at: AtStep[StartState]) -> Outcome:
        """Nothing to do."""
        return Done(next=(at.state.next,))


class EndKind(StepKind[EndState]):
    """Ends the run, or the way that it is on."""

    def given(self, state: EndState, scope: Scope) -> JsonValue:
        """What the run comes to, where the state says it."""
        return None if state.output is None else fill_template(state.output, scope)

    async def begin(self, at: AtStep[EndState]) -> Outcome:
        """Say how it ended."""
        status = at.state.status
        error = None
        if status == "failed":
            message = at.state.description or at.state.title or "The workflow ended in failure."
            error = Failure("APP_E307", message)
        return Ends(status, at.given, error)


class BranchKind(StepKind[BranchState]):
    """Takes the first way whose condition holds."""

    def given(self, state: BranchState, scope: Scope) -> JsonValue:
        """Which way holds: decided once, and kept."""
        chosen = (case.next for case in state.cases if holds(evaluate(case.when, scope)))
        return next(chosen, state.otherwise)

    async def begin(self, at: AtStep[BranchState]) -> Outcome:
        """Go the way that was chosen."""
        return Done(next=(str(at.given),))


class WaitKind(StepKind[WaitState]):
    """Waits for some time, a moment, or an event that somebody sends the run."""

    def given(self, state: WaitState, scope: Scope) -> JsonValue:
        """The moment, where the state names one."""
        return None if state.until is None else fill_template(state.until, scope)

    async def begin(self, at: AtStep[WaitState]) -> Outcome:
        """Say until when."""
        state = at.state
        if state.event is not None:
            return Waits("event")
        if state.for_s is not None:
            return Waits("time", at.now_ms + int(state.for_s * 1_000), "over")
        moment = _moment_ms(at.given)
        if moment is None:
            return failed("invalid_input", f"No moment: {at.given!r}", is_final=True)
        return Waits("time", moment, "over")

    async def look(self, at: AtStep[WaitState]) -> Outcome:
        """Nothing but its own moment, or the event, ends it."""
        due = _moment_ms(at.step.detail.due_at)
        if at.state.event is not None or due is None:
            return Waits("event")
        return Done() if due <= at.now_ms else Waits("time", due, "over")


class ParallelKind(StepKind[ParallelState]):
    """Opens several ways, and goes on where they meet."""

    def given(self, state: ParallelState, scope: Scope) -> JsonValue:
        """The list of which every item has a way."""
        return evaluate(state.ways.over, scope) if isinstance(state.ways, ForEach) else None

    async def begin(self, at: AtStep[ParallelState]) -> Outcome:
        """Open the ways."""
        ways = at.state.ways
        if not isinstance(ways, ForEach):
            return Waits("ways", notes={"ways": len(ways)})
        if not isinstance(at.given, list):
            return failed("invalid_input", "What it goes through is no list.", is_final=True)
        count = len(at.given)
        if count > MOST_WAYS:
            message = f"The list has {count} items; one state takes at most {MOST_WAYS}."
            return failed("too_many_items", message, is_final=True)
        return Waits("ways", notes={"ways": count}) if count else Done([])

    async def look(self, at: AtStep[ParallelState]) -> Outcome:
        """Are they all at their end, or enough of them?"""
        ends = [at.run.last_on(way) for way in at.run.ways_of(at.step)]
        over = [end for end in ends if end is not None and not end.is_open and not end.leads_on]
        done = [end for end in over if end.is_done]
        broken = [end for end in over if end.item.status == "failed"]
        if at.state.join == "any":
            if done:
                return await self._met(at, ends)
            return _failure_of(broken[-1]) if len(over) == len(ends) and broken else Waits("ways")
        if broken and (at.state.join == "first-error" or len(over) == len(ends)):
            return _failure_of(broken[0])
        return await self._met(at, ends) if len(over) == len(ends) else Waits("ways")

    async def _met(self, at: AtStep[ParallelState], ends: list[Step | None]) -> Outcome:
        outputs = [
            await at.run.output_of(end) if end is not None and end.is_done else None for end in ends
        ]
        ways = at.state.ways
        if isinstance(ways, ForEach):
            return Done(list[JsonValue](outputs))
        return Done(dict[str, JsonValue](zip(ways, outputs, strict=True)))


def _failure_of(end: Step) -> Failed:
    error = end.item.last_error or {}
    return failed(
        str(error.get("failureCategory", "APP_E307")),
        str(error.get("message", "One of its ways failed.")),
        is_final=True,
    )


def _moment_ms(value: object) -> int | None:
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    found = int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1_000)
    # One that is long over is over; the first ones of all cannot be written.
    return max(found, 0) if found < _LAST_MS else None
