"""How a run ends, and what works for it is let go of: its last state was left, it failed, or somebody stopped it."""

import logging
from collections.abc import Coroutine
from typing import Any, Protocol

from pydantic import JsonValue

from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.workflows.attempts import Attempts
from lime_desktop.app_server.workflows.compensation import Compensations
from lime_desktop.app_server.workflows.detail import Failure
from lime_desktop.app_server.workflows.names import MAIN, opener_of
from lime_desktop.app_server.workflows.outcomes import Ends
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.waits import Waits as WaitIndex
from lime_desktop.app_server.workflows.waits import WayOfRun
from lime_desktop.protocol.errors import AppError
from lime_desktop.workflow_model.expressions.templates import fill_template

_log = logging.getLogger(__name__)

TOLD_FIRST = ("review", "input", "approval", "retry", "agent", "event", "time", "workflow")
"""Of several things that a run waits for on its ways, the first of these is told: people before anything else."""


class Leader(Protocol):
    """Who leads ways on, and hears of changes."""

    waits: WaitIndex

    def go_on(self, way: WayOfRun) -> None:
        """Look at a way again, soon."""
        ...

    def listen(self, run: OpenRun, step: Step | None, way: str) -> None:
        """Lead a way on once what its step waits for has happened."""
        ...

    def announce(self, run: OpenRun) -> None:
        """Tell whoever looks on that a run stands otherwise now."""
        ...

    def spawn(self, run: OpenRun, work: Coroutine[Any, Any, None]) -> None:
        """Do something for a run beside what leads it on."""
        ...


class Endings:
    """Ends runs."""

    def __init__(self, leader: Leader, attempts: Attempts, compensations: Compensations) -> None:
        self._leader = leader
        self._attempts = attempts
        self._compensations = compensations

    async def cancel(self, run: OpenRun) -> None:
        """End a run that has not ended, and let go of everything that works for it."""
        run.is_stopping = run.is_called_off = True
        facts = await self.stop_work(run)
        await run.append(*facts, run.facts.cancelled(waits_for=None, due_at=None))
        self._leader.announce(run)
        self.wake_parent(run)

    async def stop_work(self, run: OpenRun, but: str | None = None) -> list[CoreFact]:
        """Let go of everything that works for a run, but for one step; gives the facts that say so."""
        facts: list[CoreFact] = []
        for step in run.steps:
            if step.is_open and step.step_id != but:
                await self.stop_step(run, step)
                facts.append(run.facts.step_left(step.step_id, phase="cancelled"))
        self._leader.waits.forget_run(run.run_id)
        return facts

    async def way_ended(self, run: OpenRun, step: Step) -> None:
        """What follows when nothing follows on a way: the state that opened it is looked at, or the run is done."""
        opener = opener_of(step.place.way)
        if opener is not None:
            await self._tell_of_others(run)
            self._leader.go_on(WayOfRun(run.run_id, opener.way))
            return
        outputs = await self.outputs(run)
        await self.finish(run, Ends("succeeded", outputs))

    async def _tell_of_others(self, run: OpenRun) -> None:
        """Say what the run waits for on its other ways, now that this one has ended."""
        open_ones = [each for each in run.steps if each.is_open]
        asking = [each for each in open_ones if each.detail.waits_for in TOLD_FIRST]
        if not asking or any(not each.is_waiting for each in open_ones):
            return
        first = min(asking, key=lambda each: TOLD_FIRST.index(str(each.detail.waits_for)))
        detail = first.detail
        await run.append(
            run.facts.stands(
                phase="waiting",
                state=detail.state,
                waits_for=detail.waits_for,
                due_at=detail.due_at,
            )
        )

    async def outputs(self, run: OpenRun) -> JsonValue:
        """What the run has come to: as its author says, or the output of its last state."""
        templates = run.definition.outputs
        if not templates:
            last = run.last_on(MAIN)
            return None if last is None else await run.output_of(last)
        scope = await run.scope(MAIN)
        return {name: fill_template(each, scope) for name, each in templates.items()}

    async def finish(
        self, run: OpenRun, ends: Ends, last: tuple[Step, CoreFact] | None = None
    ) -> None:
        """The end of the whole run, with that of its last step; what is still open on other ways is let go of."""
        if not run.is_open:
            return
        run.is_stopping = True
        facts = await self.stop_work(run, but=last and last[0].step_id)
        facts += [last[1]] if last else []
        output = await run.values.keep(ends.output)
        cleared: dict[str, object] = {"waits_for": None, "due_at": None, "output": output}
        match ends.status:
            case "succeeded":
                facts.append(run.facts.succeeded(**cleared))
            case "cancelled":
                facts.append(run.facts.cancelled(decision=_rejection(run, ends), **cleared))
            case "failed":
                error = ends.error or Failure("APP_E307", "The workflow failed.")
                facts.append(run.facts.failed(error, **cleared))
        await run.append(*facts)
        self._leader.announce(run)
        self.wake_parent(run)

    def wake_parent(self, run: OpenRun) -> None:
        """Let the run go on that this one is a step of."""
        detail = run.detail
        if detail.parent_run_id and detail.parent_step_id:
            way = detail.parent_step_id.rsplit(":", 2)[1]
            self._leader.go_on(WayOfRun(detail.parent_run_id, way))

    async def give_up(self, run: OpenRun, step: Step, error: Failure) -> None:
        """Let a run fail: what it has done is taken back where its author says how."""
        opener = opener_of(step.place.way)
        if opener is not None:
            # Where several ways meet again, whoever opened them judges what a broken one means.
            self._leader.announce(run)
            self._leader.go_on(WayOfRun(run.run_id, opener.way))
            return
        if not run.is_open:
            return
        run.is_stopping = True
        await run.append(*await self.stop_work(run))
        # A tool that takes something back may ask a person: no other run waits for that.
        self._leader.spawn(run, self._fail(run, step, error))

    async def _fail(self, run: OpenRun, step: Step, error: Failure) -> None:
        await self._compensations.take_back(run)
        if run.is_called_off:
            return
        cleared: dict[str, object] = {"waits_for": None, "due_at": None}
        await run.append(run.facts.failed(error, failed_step=step.step_id, **cleared))
        self._leader.announce(run)
        self.wake_parent(run)

    async def stop_step(self, run: OpenRun, step: Step) -> None:
        """Let go of what works for a step, or asks for it."""
        state = run.definition.states.get(step.detail.state)
        if state is None or not step.is_waiting:
            return
        try:
            if step.detail.is_compensation:
                await self._compensations.stop(step)
                return
            await self._attempts.kind(state).stop(await self._attempts.at(run, step, state))
        except AppError as error:
            _log.warning("what worked for a step could not be stopped", extra={"code": error.code})


def _rejection(run: OpenRun, ends: Ends) -> str | None:
    """Whether it ends so because of a no: its last step's, or the last one before it."""
    decided = [each.detail.decision for each in run.steps if each.detail.decision]
    last = ends.notes.get("decision") or (decided[-1] if decided else None)
    return "reject" if last == "reject" else None
