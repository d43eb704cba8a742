"""One run as its facts have made it, and the way to add to them. Knows no state of a workflow and decides nothing."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import JsonValue

from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.runtime_core.folds.work import JobItem, fold_job, fold_job_item
from lime_desktop.app_server.runtime_core.log.journal import Journal
from lime_desktop.app_server.workflows.detail import RunDetail, StepDetail, Value, read, stated
from lime_desktop.app_server.workflows.facts import RunFacts
from lime_desktop.app_server.workflows.names import (
    MAIN,
    Place,
    opener_of,
    place_of,
    step_id,
    way_around,
    way_into,
)
from lime_desktop.app_server.workflows.values import RunValues
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.ids import AppId, SessionId
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.threads import JobSnapshot
from lime_desktop.workflow_model.definition import WorkflowDefinition

_OPEN = frozenset({"running", "waiting", "pending"})
_LEFT = frozenset({"skipped", "cancelled"})


@dataclass(frozen=True)
class Step:
    """A state as the run came through it."""

    item: JobItem

    @property
    def step_id(self) -> str:
        """Its name, which is also the key under which its effect is had once."""
        return self.item.job_item_id

    @cached_property
    def place(self) -> Place:
        """Where in the run."""
        return place_of(self.item.job_item_id)

    @cached_property
    def detail(self) -> StepDetail:
        """What its facts say."""
        return read(self.item.detail, StepDetail)

    @property
    def is_open(self) -> bool:
        """Whether it is worked on, or waits."""
        return self.item.status in _OPEN

    @property
    def is_done(self) -> bool:
        """Whether it has come to what it was for."""
        return self.item.status == "completed"

    @property
    def is_waiting(self) -> bool:
        """Whether something has to happen first."""
        return self.item.status == "waiting"

    def waiting_with(self, notes: Mapping[str, object]) -> "Step":
        """The step as it would wait, of which no fact says that it does."""
        detail = {**(self.item.detail or {}), **stated(**notes)}
        return Step(self.item.model_copy(update={"status": "waiting", "detail": detail}))

    @property
    def leads_on(self) -> bool:
        """Whether another state follows on its way."""
        return not self.is_open and self.item.status not in _LEFT and bool(self.detail.next)


class OpenRun:
    """A run in the hands of this process. There is one object for a run at a time."""

    def __init__(
        self,
        session_id: SessionId,
        app_id: AppId,
        definition: WorkflowDefinition,
        journal: Journal,
        values: RunValues,
    ) -> None:
        self.session_id = session_id
        self.app_id = app_id
        self.definition = definition
        self.values = values
        self._journal = journal
        self._job: JobSnapshot | None = None
        self._steps: dict[str, Step] = {}
        self._last_on: dict[str, str] = {}
        """The newest step of each way: one state may open a thousand, and each is looked at again and again."""
        self._outputs: dict[str, JsonValue] = {}
        self._writing = asyncio.Lock()
        self._driving: dict[str, asyncio.Lock] = {}
        self.is_stopping = False
        """Set while it is brought to its end: what ends with it leads nowhere any more."""
        self.is_called_off = False
        """Set once somebody ends it: nothing more is begun for it, not even what takes it back."""

    def take_in(self, job: JobSnapshot, items: Iterable[JobItem]) -> None:
        """Begin with what is stored."""
        self._job = job
        for item in items:
            self._take(Step(item))

    @property
    def job(self) -> JobSnapshot:
        """The run's own record."""
        assert self._job is not None, "take_in() comes first"  # noqa: S101 - a bug of ours
        return self._job

    @property
    def run_id(self) -> str:
        """The run's name."""
        return self.job.job_id

    @property
    def facts(self) -> RunFacts:
        """What can be said of it."""
        return RunFacts(self.run_id)

    @property
    def detail(self) -> RunDetail:
        """What its facts say of the whole."""
        return read(self.job.detail, RunDetail)

    @property
    def cost_usd(self) -> float:
        """What its agents have cost so far."""
        return sum(each.detail.cost_usd for each in self._steps.values())

    @property
    def tokens(self) -> int:
        """What they have read and written."""
        return sum(each.detail.tokens for each in self._steps.values())

    @property
    def is_open(self) -> bool:
        """Whether it has not come to an end."""
        return self.job.ended_at is None

    @property
    def may_go_on(self) -> bool:
        """Whether its ways may be led on."""
        return self.is_open and not self.is_paused and not self.is_stopping

    @property
    def is_at_its_end(self) -> bool:
        """Whether its own way leads no further."""
        last = self.last_on(MAIN)
        return last is not None and not last.is_open and not last.leads_on

    @property
    def is_paused(self) -> bool:
        """Whether a person stopped it for the time being."""
        return self.detail.is_paused

    @property
    def steps(self) -> Sequence[Step]:
        """Every step, in the order in which they were begun."""
        return tuple(self._steps.values())

    def step(self, step: str) -> Step | None:
        """The step of this name."""
        return self._steps.get(step)

    def last_on(self, way: str) -> Step | None:
        """The newest step on one way."""
        return self._steps.get(self._last_on.get(way, ""))

    def open_ways(self) -> tuple[str, ...]:
        """The ways that are not at their end."""
        return tuple(way for way in sorted(self._last_on) if self._is_on_the_way(way))

    def _is_on_the_way(self, way: str) -> bool:
        last = self.last_on(way)
        return last is not None and (last.is_open or last.leads_on)

    def is_left(self, way: str) -> bool:
        """Whether nobody waits for this way any more: those that it branched off with have met without it."""
        opener = opener_of(way)
        step = None if opener is None else self._steps.get(step_id(self.run_id, opener))
        return step is not None and not step.is_open

    def ways_of(self, step: Step) -> tuple[str, ...]:
        """The ways that a step has opened."""
        return tuple(way_into(step.place, number) for number in range(step.detail.ways or 0))

    def due_ways_of(self, step: Step, at_once: int | None) -> tuple[str, ...]:
        """Those of them that may begin now and have not, also where a process died before it began them."""
        ways = self.ways_of(step)
        new = [way for way in ways if self.last_on(way) is None]
        under_way = sum(self._is_on_the_way(way) for way in ways)
        return tuple(new if at_once is None else new[: max(at_once - under_way, 0)])

    def driving(self, way: str) -> asyncio.Lock:
        """Held by whoever leads this way on."""
        return self._driving.setdefault(way, asyncio.Lock())

    async def append(self, *facts: CoreFact, is_passing: bool = False) -> None:
        """Add facts: on disk before anything follows from them; those that are passing get there with the next ones."""
        async with self._writing:
            appended = await self._journal.append(
                self.session_id, lambda _: facts, is_passing=is_passing
            )
            for event in appended.events:
                self._fold(event)

    def _fold(self, event: RuntimeEvent) -> None:
        if not event.type.startswith("job."):
            return
        self._job = fold_job(self._job, event)
        if event.job_item_id is not None:
            before = self._steps.get(event.job_item_id)
            item = fold_job_item(before.item if before else None, event)
            if item is not None:
                self._take(Step(item))

    def _take(self, step: Step) -> None:
        self._steps[step.step_id] = step
        if step.detail.is_compensation:
            return
        last = self.last_on(step.place.way)
        if last is None or last.place.position <= step.place.position:
            self._last_on[step.place.way] = step.step_id

    def caller(self) -> AppCaller:
        """Who makes the calls of this run."""
        detail = self.detail
        told = Provenance.model_validate(detail.provenance)
        return AppCaller(
            provenance=told.model_copy(update={"workflow_run_id": self.run_id}),
            workspace_id=detail.workspace_id,
            locale=detail.locale,
        )

    async def output_of(self, step: Step) -> JsonValue:
        """What a step has come to."""
        if step.step_id not in self._outputs:
            self._outputs[step.step_id] = await self.values.read(step.detail.output)
        return self._outputs[step.step_id]

    def forget_output(self, step: Step) -> None:
        """Read it anew: the step is made again."""
        self._outputs.pop(step.step_id, None)

    async def scope(self, way: str) -> dict[str, JsonValue]:
        """What the expressions of a state on this way read."""
        states: dict[str, JsonValue] = {}
        for step in self._seen_from(way):
            states[step.detail.state] = {"output": await self.output_of(step)}
        detail = self.detail
        scope: dict[str, JsonValue] = {
            "input": await self.values.read(detail.input),
            "states": states,
            "run": {"id": self.run_id, "startedAt": detail.started_at},
        }
        item = self._item_on(way)
        if item is not None:
            scope["item"] = await self.values.read(item)
        return scope

    def _seen_from(self, way: str) -> list[Step]:
        """The steps that are done, those nearest to this way last: of two of one state, the later one counts."""
        around = [way]
        while (outer := way_around(around[-1])) is not None:
            around.append(outer)
        nearness = {each: number for number, each in enumerate(reversed(around), start=1)}
        done = [
            each
            for each in self._steps.values()
            if each.is_done and not each.detail.is_compensation
        ]
        return sorted(done, key=lambda each: (nearness.get(each.place.way, 0), each.place.position))

    def _item_on(self, way: str) -> Value | None:
        while way != MAIN:
            first = self._steps.get(step_id(self.run_id, Place(way, 0)))
            if first is not None and first.detail.item is not None:
                return first.detail.item
            opener = opener_of(way)
            if opener is None:
                return None
            way = opener.way
        return None
