"""What a new run takes over of an old one: the steps that it had come through, as they were, at their places; and how far a run had come at one moment. Pure."""

from collections.abc import Iterator, Sequence

import msgspec

from lime_desktop.app_server.runtime_core.facts import CoreFact
from lime_desktop.app_server.workflows.detail import NOTHING, Failure, StepDetail
from lime_desktop.app_server.workflows.facts import RunFacts
from lime_desktop.app_server.workflows.names import MAIN, Place, step_id
from lime_desktop.app_server.workflows.run import Step


class Standing(msgspec.Struct, frozen=True, rename="camel"):
    """A run as it stood: enough for another one to go on from there."""

    run_id: str
    place: str
    """The first of the runs that took one another's places: these are one thing to whoever goes back."""
    title: str
    state: str
    """The state that it was in, as people know it."""
    is_paused: bool
    done: list[tuple[str, int]]
    """Where the steps were that it had come through."""
    meeting: list[tuple[str, int]]
    """Where those were whose ways were under way."""
    digest: str

    @property
    def places_done(self) -> frozenset[Place]:
        """The first of these."""
        return frozenset(Place(*each) for each in self.done)

    @property
    def places_meeting(self) -> frozenset[Place]:
        """The second of these."""
        return frozenset(Place(*each) for each in self.meeting)


def is_left_behind(step: Step) -> bool:
    """Whether a run has come through a step: it is done, or was passed over."""
    if step.detail.is_compensation:
        return False
    return step.is_done or (step.item.status == "failed" and step.leads_on)


def inherited_before(steps: Sequence[Step], until: Step, facts: RunFacts) -> list[CoreFact]:
    """What came before a step, leading to it."""
    before: list[CoreFact] = []
    for step in steps:
        if step.step_id == until.step_id:
            break
        if is_left_behind(step):
            is_last = step.place == Place(MAIN, until.place.position - 1)
            leads_to = [until.detail.state] if is_last else step.detail.next
            before += _come_through(step, facts, leads_to)
    return before


def as_it_stood(steps: Sequence[Step], standing: Standing, facts: RunFacts) -> Iterator[CoreFact]:
    """What a run had come through at one moment, and the ways that were under way then."""
    for step in steps:
        if step.place in standing.places_done:
            yield from _come_through(step, facts, step.detail.next)
        elif step.place in standing.places_meeting:
            name = step_id(facts.run_id, step.place)
            yield facts.step_started(name, _inherited(step, output=NOTHING, next=[]))
            yield facts.step_waits(name, waits_for="ways")
    if standing.is_paused:
        yield facts.stands(is_paused=True)


def _come_through(step: Step, facts: RunFacts, leads_to: list[str]) -> list[CoreFact]:
    name = step_id(facts.run_id, step.place)
    detail = _inherited(step, next=leads_to)
    started = facts.step_started(name, detail)
    if step.is_done:
        return [started, facts.step_done(name, output=detail.output, next=list(leads_to))]
    error = step.item.last_error or {}
    failure = Failure(
        str(error.get("failureCategory", "")),
        str(error.get("message", "")),
        error.get("retryable") is True,
    )
    return [started, facts.step_failed(name, failure, next=list(leads_to))]


def _inherited(step: Step, **changed: object) -> StepDetail:
    return msgspec.structs.replace(
        step.detail, is_inherited=True, task_id=None, session_id=None, cost_usd=0, **changed
    )
