"""What a kind of state is to the driver, and what it is told. Knows no kind."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from pydantic import JsonValue

from lime_desktop.app_server.workflows.outcomes import Outcome
from lime_desktop.app_server.workflows.run import OpenRun, Step
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.workflow_model.states import State

StateT = TypeVar("StateT", bound=State)

Scope = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class AtStep(Generic[StateT]):
    """A step of a run, with all that carrying it out rests on."""

    run: OpenRun
    step: Step
    state: StateT
    given: JsonValue
    now_ms: int
    limit_s: float | None
    """How long this attempt may take."""
    is_repeated: bool = False
    """Whether this attempt was begun before, by a process that may have died in it."""

    @property
    def caller(self) -> AppCaller:
        """Who makes the calls of this step: its app, for this run, in this step."""
        caller = self.run.caller()
        told = caller.provenance.model_copy(update={"run_id": self.step.step_id})
        return caller.model_copy(update={"provenance": told})

    @property
    def attempt_key(self) -> str:
        """The same for the same attempt in every process."""
        return f"{self.step.step_id}#{self.step.detail.attempt}"

    @property
    def due_ms(self) -> int | None:
        """When this attempt has taken too long."""
        return None if self.limit_s is None else self.now_ms + int(self.limit_s * 1_000)


class StepKind(ABC, Generic[StateT]):
    """One kind of state. What a subclass does not say waits for nothing."""

    def given(self, state: StateT, scope: Scope) -> JsonValue:
        """What the state is given: its templates, filled in."""
        del state, scope
        return None

    @abstractmethod
    async def begin(self, at: AtStep[StateT]) -> Outcome:
        """Carry it out. Called again for the same attempt where a process died in it: the effect is had once."""

    async def look(self, at: AtStep[StateT]) -> Outcome:
        """Has what it waits for happened?"""
        return await self.begin(at)

    async def stop(self, at: AtStep[StateT]) -> None:
        """Let go of whatever works for it: its run was stopped, or it took too long."""
        del at


AnyStepKind: TypeAlias = StepKind[Any]
