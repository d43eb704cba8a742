"""How a run moves: what is told when a state begins, waits, is done or fails, and what follows from it. Its end is `endings`.

Whatever follows is a fact first. Who leads which way on, and when, is the driver's affair.
"""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import JsonValue

from lime_desktop.app_package.value_schema import fits
from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.workflows.attempts import Attempts
from lime_desktop.app_server.workflows.detail import StepDetail
from lime_desktop.app_server.workflows.endings import Endings, Leader
from lime_desktop.app_server.workflows.names import Place, number_of, opener_of, step_id
from lime_desktop.app_server.workflows.outcomes import Done, Ends, Failed, Outcome, Waits, failed
from lime_desktop.app_server.workflows.plans import Plans
from lime_desktop.app_server.workflows.recovery import (
    AskPerson,
    GiveUp,
    LeadTo,
    PassOver,
    TryAgain,
    respond,
)
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.steps.table import follows, title_of, working
from lime_desktop.app_server.workflows.waits import WayOfRun
from lime_desktop.workflow_model.outline import END
from lime_desktop.workflow_model.states import ForEach, ParallelState


class Transitions:
    """Moves runs."""

    def __init__(self, leader: Leader, attempts: Attempts, endings: Endings, plans: Plans) -> None:
        self._leader = leader
        self._attempts = attempts
        self.endings = endings
        self._plans = plans

    def first_on(self, run: OpenRun, way: str) -> str:
        """The state that a way begins with."""
        place = opener_of(way)
        if place is None:
            return run.detail.first or run.definition.first
        opener = run.step(step_id(run.run_id, place))
        state = run.definition.states[opener.detail.state] if opener else None
        assert isinstance(state, ParallelState)  # noqa: S101 - nothing else opens ways
        if isinstance(state.ways, ForEach):
            return state.ways.state_key
        return state.ways[number_of(way)]

    def due_ways(self, run: OpenRun, step: Step) -> tuple[str, ...]:
        """The ways of a step that may begin now: no more are under way together than its state allows."""
        state = run.definition.states.get(step.detail.state)
        ways = state.ways if isinstance(state, ParallelState) else None
        return run.due_ways_of(step, ways.limit if isinstance(ways, ForEach) else None)

    async def begin(self, run: OpenRun, place: Place, state_key: str) -> None:
        """Begin a state."""
        await run.append(*await self._starting(run, place, state_key))
        self._leader.announce(run)

    async def _starting(self, run: OpenRun, place: Place, state_key: str) -> list[CoreFact]:
        """The facts with which a state begins: what it is given is fixed with them."""
        state = run.definition.states[state_key]
        scope = await run.scope(place.way)
        item = await self._item(run, place)
        if item is not None:
            scope["item"] = item[0]
        detail = StepDetail(
            state=state_key,
            kind=state.kind.value,
            title=title_of(state),
            input=await run.values.keep(self._attempts.kind(state).given(state, scope)),
            item=None if item is None else await run.values.keep(item[0]),
        )
        started = run.facts.step_started(step_id(run.run_id, place), detail)
        return [started, run.facts.stands(**self._standing(run, place.way, state_key))]

    async def _item(self, run: OpenRun, place: Place) -> tuple[JsonValue] | None:
        """The item of a list that a way is for, at its first step."""
        opener = opener_of(place.way)
        if opener is None or place.position:
            return None
        step = run.step(step_id(run.run_id, opener))
        state = run.definition.states[step.detail.state] if step else None
        if step is None or not isinstance(state, ParallelState):
            return None
        if not isinstance(state.ways, ForEach):
            return None
        items = await run.values.read(step.detail.input)
        number = number_of(place.way)
        return (items[number],) if isinstance(items, list) and number < len(items) else (None,)

    def _standing(self, run: OpenRun, way: str, state_key: str) -> dict[str, object]:
        """How the whole run stands once a way is in a state."""
        others = [
            last.detail.state
            for each in run.open_ways()
            if each != way and (last := run.last_on(each)) is not None and last.is_open
        ]
        states = list(dict.fromkeys([*others, state_key]))
        return {
            "phase": "running",
            "state": state_key,
            "states": states,
            "waits_for": None,
            "due_at": None,
        }

    async def advance(self, run: OpenRun, step: Step) -> bool:
        """Carry out or look at an open step; tells whether its way goes on."""
        waiting = WayOfRun(run.run_id, step.place.way)
        if (over := self._attempts.duration_over(run)) is not None:
            outcome: Outcome = over
            await self.endings.stop_step(run, step)
        else:
            outcome = await self._attempts.outcome(run, step)
        # As it is now: it may have been begun once more meanwhile.
        step = run.step(step.step_id) or step
        if not step.is_open:
            # It was let go of while it was begun: what it has begun meanwhile is let go of, too.
            if isinstance(outcome, Waits):
                await self.endings.stop_step(run, step.waiting_with(outcome.notes))
            return False
        if isinstance(outcome, Waits):
            await self._note_wait(run, step, outcome)
            return False
        self._leader.waits.forget(waiting)
        await self._leave_ways(run, step)
        match outcome:
            case Done():
                return await self._done(run, step, outcome)
            case Ends():
                return await self._ends(run, step, outcome)
            case Failed():
                return await self._failed(run, step, outcome)

    async def _done(self, run: OpenRun, step: Step, done: Done) -> bool:
        state = run.definition.states[step.detail.state]
        said = working(state)
        if said is not None and said.output is not None and not fits(said.output, done.output):
            message = "What it came to does not have the form that the state declares."
            return await self._failed(run, step, failed("APP_E307", message, retryable=True))
        leads_to = there(run, follows(state) if done.next is None else done.next)
        notes = _added_up(step, done.notes)
        output = await run.values.keep(done.output)
        ended = run.facts.step_done(step.step_id, output=output, next=leads_to, **notes)
        run.forget_output(step)
        # The next state's beginning takes it to disk: nothing is done between the two.
        await run.append(ended, *self._costs(run, step, notes), is_passing=bool(leads_to))
        self._leader.announce(run)
        if leads_to:
            return True
        await self.endings.way_ended(run, step)
        return False

    async def _ends(self, run: OpenRun, step: Step, ends: Ends) -> bool:
        output = await run.values.keep(ends.output)
        done = run.facts.step_done(step.step_id, output=output, next=[], **ends.notes)
        if opener_of(step.place.way) is not None and ends.status == "succeeded":
            await run.append(done)
            await self.endings.way_ended(run, step)
            return False
        if ends.output is None and ends.status == "succeeded":
            ends = replace(ends, output=await self.endings.outputs(run))
        # Both at once: a process that dies between them would leave nothing that says how the run ended.
        await self.endings.finish(run, ends, (step, done))
        return False

    async def _failed(self, run: OpenRun, step: Step, outcome: Failed) -> bool:
        state = run.definition.states[step.detail.state]
        response = respond(run.definition, state, outcome, step.detail.attempt)
        error, named = outcome.error, step.step_id
        notes = _added_up(step, outcome.notes)
        costs = self._costs(run, step, notes)
        match response:
            case TryAgain(wait_s):
                due = moment(self._plans.now_ms(run) + int(wait_s * 1_000))
                again = {"waits_for": "time", "due_at": due, "due_means": "retry"}
                await run.append(
                    run.facts.step_failed(named, error, **notes),
                    run.facts.step_waits(named, **again),
                    run.facts.stands(phase="waiting", waits_for="time", due_at=due, error=error),
                    *costs,
                )
                way = WayOfRun(run.run_id, step.place.way)
                self._leader.waits.until(way, due, self._plans.of(run).ahead_ms)
                self._leader.announce(run)
                return wait_s == 0
            case PassOver():
                leads_to = there(run, follows(state))
                await run.append(
                    run.facts.step_failed(named, error, next=leads_to, **notes), *costs
                )
            case LeadTo(state_key):
                leads_to = there(run, (state_key,))
                await run.append(
                    run.facts.step_failed(named, error, next=leads_to, **notes), *costs
                )
            case AskPerson():
                await run.append(
                    run.facts.step_failed(named, error, **notes),
                    run.facts.step_waits(named, waits_for="retry", due_at=None, due_means=None),
                    run.facts.stands(phase="waiting", waits_for="retry", due_at=None, error=error),
                    *costs,
                )
                self._leader.announce(run)
                return False
            case GiveUp():
                await run.append(run.facts.step_failed(named, error, **notes), *costs)
                await self.endings.give_up(run, step, error)
                return False
        self._leader.announce(run)
        if leads_to:
            return True
        await self.endings.way_ended(run, step)
        return False

    async def _note_wait(self, run: OpenRun, step: Step, waits: Waits) -> None:
        waiting = WayOfRun(run.run_id, step.place.way)
        known = step.detail
        due = known.due_at if waits.due_ms is None else moment(waits.due_ms)
        means = known.due_means if waits.due_ms is None else waits.due_means
        is_news = (
            not step.is_waiting
            or known.waits_for != waits.waits_for
            or (due, means) != (known.due_at, known.due_means)
        )
        if is_news:
            fields = {"waits_for": waits.waits_for, "due_at": due, "due_means": means}
            facts = [run.facts.step_waits(step.step_id, **fields, **waits.notes)]
            if waits.waits_for not in {"tool", "ways"}:
                facts.append(
                    run.facts.stands(phase="waiting", waits_for=waits.waits_for, due_at=due)
                )
            await run.append(*facts)
            self._leader.announce(run)
        fresh = run.step(step.step_id) or step
        self._leader.listen(run, fresh, step.place.way)
        for way in self.due_ways(run, fresh):
            self._leader.go_on(WayOfRun(run.run_id, way))
        if is_news:
            # It may have happened while the wait was being written.
            self._leader.go_on(waiting)

    async def _leave_ways(self, run: OpenRun, step: Step) -> None:
        """Let go of the ways that a step has opened and does not wait for any more, and of all that branch off them."""
        ways = run.ways_of(step)
        facts: list[CoreFact] = []
        for each in run.steps:
            way = each.place.way
            if each.is_open and any(way == one or way.startswith(f"{one}.") for one in ways):
                await self.endings.stop_step(run, each)
                self._leader.waits.forget(WayOfRun(run.run_id, way))
                facts.append(run.facts.step_left(each.step_id, phase="cancelled"))
        if facts:
            await run.append(*facts, is_passing=True)

    def _costs(self, run: OpenRun, step: Step, notes: dict[str, object]) -> list[CoreFact]:
        if "cost_usd" not in notes:
            return []
        others = sum(each.detail.cost_usd for each in run.steps if each.step_id != step.step_id)
        return [run.facts.stands(cost_usd=others + float(str(notes["cost_usd"])))]


def there(run: OpenRun, leads_to: Sequence[str]) -> list[str]:
    """Where a state leads; `end`, where no state is called so, is the end of its way."""
    return [key for key in leads_to if key in run.definition.states or key != END]


def _added_up(step: Step, notes: dict[str, object]) -> dict[str, object]:
    """What an attempt has cost, on top of the attempts before it."""
    spent = {"cost_usd": step.detail.cost_usd, "tokens": step.detail.tokens}
    return {
        name: value + spent[name] if name in spent and isinstance(value, int | float) else value
        for name, value in notes.items()
    }
