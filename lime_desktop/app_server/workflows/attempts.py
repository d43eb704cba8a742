"""One attempt at a state: begun, looked at again, tried anew, or ended because its time is over. Gives what came of it; tells nothing."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.workflows.detail import Failure
from lime_desktop.app_server.workflows.outcomes import Done, Ends, Failed, Outcome, Waits, failed
from lime_desktop.app_server.workflows.plans import Plans
from lime_desktop.app_server.workflows.recovery import limit_of
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.app_server.workflows.steps.people import rejected
from lime_desktop.app_server.workflows.steps.step_kind import AnyStepKind, AtStep
from lime_desktop.app_server.workflows.steps.table import StepTable, working
from lime_desktop.protocol.errors import AppError, AppNotInstalled
from lime_desktop.workflow_model.recovery import Do, GoTo
from lime_desktop.workflow_model.states import HumanReviewState, State

_log = logging.getLogger(__name__)


MOST_STEPS = 10_000
"""Of one run: a circle may be bounded by nothing but its time."""


class Attempts:
    """Makes attempts, by the classes of the states' kinds."""

    def __init__(
        self,
        kinds: StepTable,
        apps: RegisteredApps,
        plans: Plans,
        changed: Callable[[OpenRun], None],
    ) -> None:
        self._kinds = kinds
        self._apps = apps
        self._plans = plans
        self._changed = changed

    async def outcome(self, run: OpenRun, step: Step) -> Outcome:
        """Carry a state out, or look at it again.

        Raises:
            AppNotInstalled: the host has not told of the app, or has taken it back.
        """
        self._apps.get(run.app_id)
        state = run.definition.states.get(step.detail.state)
        if state is None:
            return failed("APP_E301", "This state is not part of the workflow.", is_final=True)
        kind, at = self.kind(state), await self.at(run, step, state)
        try:
            return await self._carried_out(kind, at)
        except TimeoutError:
            await kind.stop(at)
            return _too_slow()
        except AppNotInstalled:
            raise
        except AppError as error:
            return Failed(Failure(error.code, error.message, error.retryable))
        except Exception:  # noqa: BLE001 - told in the log, and to whoever looks at the run
            # Whatever it is, the run must not stand still over it for ever.
            _log.exception("a state failed in an unforeseen way", extra={"kind": state.kind.value})
            return failed("APP_E900", "The state could not be carried out.", is_final=True)

    async def _carried_out(self, kind: AnyStepKind, at: AtStep[State]) -> Outcome:
        if at.step.is_waiting:
            return await self._looked(kind, at)
        if (broke := self._over_budget(at.run, at.state)) is not None:
            return broke
        return await self._begun(kind, at)

    async def _begun(self, kind: AnyStepKind, at: AtStep[State]) -> Outcome:
        if (planned := self._plans.outcome(at.run, at.step, at.state)) is not None:
            return planned
        async with asyncio.timeout(at.limit_s):
            return await kind.begin(at)

    async def _looked(self, kind: AnyStepKind, at: AtStep[State]) -> Outcome:
        detail = at.step.detail
        if detail.waits_for == "retry" and detail.due_means != "retry":
            # Nobody has tried again yet.
            return Waits("retry")
        is_due = detail.due_at is not None and detail.due_at <= moment(at.now_ms)
        if detail.due_means == "retry":
            return await self._tried_again(kind, at) if is_due else Waits("time")
        outcome = await self._come_to(kind, at)
        if not isinstance(outcome, Waits) or not is_due:
            return outcome
        if detail.due_means not in {"deadline", "timeout"}:
            return outcome
        await kind.stop(at)
        last = await kind.look(at)
        if isinstance(last, Done | Ends):
            # It came in at the very last moment, before it could be stopped.
            return last
        return await self._deadline(at) if detail.due_means == "deadline" else _too_slow()

    async def _come_to(self, kind: AnyStepKind, at: AtStep[State]) -> Outcome:
        """What it waits for, or what a developer had it come to meanwhile."""
        planned = self._plans.outcome(at.run, at.step, at.state)
        if planned is None:
            return await kind.look(at)
        await kind.stop(at)
        return planned

    async def _tried_again(self, kind: AnyStepKind, at: AtStep[State]) -> Outcome:
        run, step = at.run, at.step
        attempt = step.detail.attempt + 1
        await run.append(
            run.facts.step_again(step.step_id, **fresh_attempt(attempt)),
            run.facts.stands(phase="running", waits_for=None, due_at=None, error=None),
        )
        self._changed(run)
        again = run.step(step.step_id)
        assert again is not None  # noqa: S101 - it was just told
        fresh = await self.at(run, again, at.state)
        return await self._begun(kind, replace(fresh, is_repeated=False))

    async def _deadline(self, at: AtStep[State]) -> Outcome:
        """Nobody came in time: what the author wanted then."""
        reaction = getattr(at.state, "on_deadline", None) or Do("fail")
        notes: dict[str, object] = {"decided_by": "deadline"}
        if isinstance(reaction, GoTo):
            return Done(None, next=(reaction.state_key,), notes=notes)
        if isinstance(at.state, HumanReviewState) and reaction.word == "approve":
            approved = {**notes, "decision": "approve"}
            way = at.state.approve
            return Done(at.given, next=(way,) if way else (), notes=approved)
        if isinstance(at.state, HumanReviewState) and reaction.word == "reject":
            return rejected(at.state, None, {**notes, "decision": "reject"})
        message = "Nobody answered before the deadline."
        return Failed(Failure("APP_E302", message, retryable=True), is_final=True, notes=notes)

    async def at(self, run: OpenRun, step: Step, state: State) -> AtStep[State]:
        """A step with all that carrying it out rests on."""
        attempt = step.detail.attempt
        return AtStep(
            run=run,
            step=step,
            state=state,
            given=await run.values.read(step.detail.input),
            now_ms=self._plans.now_ms(run),
            limit_s=limit_of(run.definition, state, attempt),
            is_repeated=True,
        )

    def _over_budget(self, run: OpenRun, state: State) -> Failed | None:
        if working(state) is None:
            return None
        if len(run.steps) > MOST_STEPS:
            return failed("APP_E015", f"A run has at most {MOST_STEPS} steps.", is_final=True)
        limits = run.definition.limits
        if limits.cost_usd is not None and run.cost_usd >= limits.cost_usd:
            said = f"The run has cost {run.cost_usd:.4f} USD, and may cost {limits.cost_usd:g} USD."
            return failed("APP_E015", said, is_final=True)
        if limits.tokens is not None and run.tokens >= limits.tokens:
            said = f"The run has used {run.tokens} tokens, and may use {limits.tokens}."
            return failed("APP_E015", said, is_final=True)
        return None

    def duration_over(self, run: OpenRun) -> Failed | None:
        """Whether the whole run has taken longer than it may."""
        ends_ms = self.ends_ms(run)
        if ends_ms is None or self._plans.now_ms(run) < ends_ms:
            return None
        message = "The run took longer than its workflow allows."
        return Failed(Failure("timeout", message), is_timeout=True, is_final=True)

    def ends_ms(self, run: OpenRun) -> int | None:
        """When the whole run has taken too long."""
        longest, started = run.definition.limits.duration_s, run.detail.started_at
        if longest is None or started is None:
            return None
        began = int(datetime.fromisoformat(started).timestamp() * 1_000)
        return began + int(longest * 1_000)

    def kind(self, state: State) -> AnyStepKind:
        """Who carries out a state."""
        return self._kinds[state.kind]


def fresh_attempt(attempt: int) -> dict[str, object]:
    """What a further attempt begins without."""
    names = ("session_id", "turn_id", "task_id", "action_id", "ways", "decision", "decided_by")
    nothing = dict.fromkeys(names)
    return {**nothing, "attempt": attempt}


def _too_slow() -> Failed:
    error = Failure("timeout", "It took longer than it may.", retryable=True)
    return Failed(error, is_timeout=True)
