"""Takes back what a failed run has done, where its author says how: the newest first, each as a tool call of its own."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from lime_desktop.app_server.workflows.clock import Clock
from lime_desktop.app_server.workflows.detail import StepDetail
from lime_desktop.app_server.workflows.names import Place, step_id
from lime_desktop.app_server.workflows.outcomes import Failed
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.steps.data import failure_of
from lime_desktop.app_server.workflows.steps.step_kind import AtStep
from lime_desktop.app_server.workflows.steps.table import title_of, working
from lime_desktop.app_server.workflows.steps.turns import StepTurns
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import JsonObject, SessionId, TurnId
from lime_desktop.workflow_model.expressions.templates import fill_template
from lime_desktop.workflow_model.states import Compensation, Working

_WAY = "back"
"""What it does has a way of its own, on which nothing follows."""


class Compensations:
    """Makes them."""

    def __init__(self, turns: StepTurns, clock: Clock, changed: Callable[[OpenRun], None]) -> None:
        self._turns = turns
        self._clock = clock
        self._changed = changed

    async def take_back(self, run: OpenRun) -> None:
        """Take back every step that is done. One that cannot be taken back is told, and hinders no other.

        It may wait for a person: whoever calls this holds nothing that other runs need.
        """
        steps = [each for each in run.steps if each.is_done and not each.detail.is_compensation]
        for step in reversed(steps):
            state = working(run.definition.states[step.detail.state])
            if state is None or state.compensate is None or step.detail.is_inherited:
                continue
            if run.is_called_off:
                return
            await self._take_back(run, step, state, state.compensate)

    async def stop(self, step: Step) -> None:
        """Let go of what takes a step back, or asks whether it may."""
        session_id, turn_id = step.detail.session_id, step.detail.turn_id
        if session_id is not None and turn_id is not None:
            await self._turns.cancel_turn(SessionId(session_id), TurnId(turn_id))

    async def _take_back(self, run: OpenRun, step: Step, state: Working, how: Compensation) -> None:
        # Known by what it takes back: a run that was tried again and failed again has done more meanwhile.
        back = [each for each in run.steps if each.detail.is_compensation]
        known = next((each for each in back if each.detail.of_step == step.step_id), None)
        name = known.step_id if known else step_id(run.run_id, Place(_WAY, len(back)))
        if known is not None and not known.is_open:
            return
        given = fill_template(how.input, await run.scope(step.place.way))
        if known is None:
            detail = StepDetail(
                state=step.detail.state,
                kind="tool-call",
                title=state.title or state.key,
                input=await run.values.keep(given),
                is_compensation=True,
                of_step=step.step_id,
            )
            await run.append(run.facts.step_started(name, detail))
        ended = await self._call(run, name, state, how, given)
        if run.is_called_off:
            # Once more, as it may have been begun since: what somebody has ended does not wait.
            await run.append(run.facts.step_left(name, phase="cancelled"))
        elif isinstance(ended, Failed):
            await run.append(run.facts.step_failed(name, ended.error))
        else:
            await run.append(run.facts.step_done(name, output=await run.values.keep(ended)))

    async def _call(
        self, run: OpenRun, name: str, state: Working, how: Compensation, given: JsonValue
    ) -> "JsonValue | Failed":
        step = run.step(name)
        assert step is not None  # noqa: S101 - it was just told
        at: AtStep[Any] = AtStep(
            run=run,
            step=step,
            state=state,  # pyright: ignore[reportArgumentType] - each that works is a state
            given=given,
            now_ms=self._clock.now_ms(),
            limit_s=None,
        )
        work: JsonObject = {
            "tool": how.tool,
            "action": None,
            "input": given if isinstance(given, dict) else {},
            "key": name,
        }
        try:
            place = await self._turns.begin(at, work, title_of(at.state))
        except AppError as error:
            return failure_of(error)
        await run.append(run.facts.step_waits(name, waits_for="tool", **place))
        self._changed(run)
        waiting = run.step(name)
        assert waiting is not None  # noqa: S101 - it was just told
        if run.is_called_off:
            # Whoever ended the run found nothing here that could be stopped yet.
            await self.stop(waiting)
        ended = await self._turns.wait(replace(at, step=waiting))
        return ended if isinstance(ended, Failed) else ended.value
