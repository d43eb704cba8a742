"""The three things that a fixture proves of what was told, and that it shows what it is there to show. Pure."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lime_desktop.developer.provider_fixtures.fixture import Expected
from lime_desktop.developer.provider_fixtures.told_run import ToldRun
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.runtime_views.session import SessionProjection, project
from lime_desktop.runtime_views.views import SessionViews

Demand: TypeAlias = Literal["schema", "first-screen", "replay", "expected"]
DEMANDS: tuple[Demand, ...] = ("schema", "first-screen", "replay", "expected")
Validate: TypeAlias = Callable[[JsonObject], str | None]
"""Says what of an event does not fit the published schema."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was found against each demand; nothing where it holds."""

    complaints: Mapping[Demand, tuple[str, ...]]

    @property
    def holds(self) -> bool:
        """Whether nothing was found."""
        return not any(self.complaints.values())


def prove(run: ToldRun, expected: Expected, validate: Validate) -> Proof:
    """Hold a run against everything."""
    whole = project(run.stored)
    found: dict[Demand, Iterator[str]] = {
        "schema": _against_schema(run, validate),
        "first-screen": _against_first_screen(whole, project((), run.snapshot)),
        "replay": _against_replay(run, whole, expected),
        "expected": _against_expected(run, whole, expected),
    }
    return Proof({demand: tuple(complaints) for demand, complaints in found.items()})


def _against_schema(run: ToldRun, validate: Validate) -> Iterator[str]:
    for event in run.stored:
        if wrong := validate(event.to_wire()):
            yield f"{event.type} ({event.sequence}): {wrong}"
        if event.type == "runtime.error":
            yield f"{event.payload.get('code')}: {event.payload.get('message')}"
    if [event.sequence for event in run.stored] != list(range(1, len(run.stored) + 1)):
        yield "The sequence has a hole."


def _against_first_screen(whole: SessionViews, first: SessionViews) -> Iterator[str]:
    """The read model alone, against what all events tell."""
    for name, seen in _screen(whole).items():
        if _screen(first)[name] != seen:
            yield f"{name}: the read model shows {_screen(first)[name]}, the events {seen}"


def _screen(views: SessionViews) -> dict[str, object]:
    return {
        "status": views.runtime.status,
        "questions": [each.action_id for each in views.actions],
        "tools": {key: call.status for key, call in views.tool_calls.items()},
        "artifacts": [(each.id, each.subagent_id) for each in views.artifacts],
        "evidence": [(each.id, each.subagent_id) for each in views.evidence],
        "messages": [(each.role, each.text) for each in views.messages if each.type == "text"],
    }


def _against_replay(run: ToldRun, whole: SessionViews, expected: Expected) -> Iterator[str]:
    if run.told != run.stored:
        yield "What was told is not what is stored."
    if not run.is_rebuilt_equal:
        yield "The log folded again gives other records."
    if _screen(project((*run.stored, *run.stored))) != _screen(whole):
        yield "Events that come twice change what is shown."
    if project(run.stored).to_json() != whole.to_json():
        yield "The same events show something else."
    lost = _lost_in_the_middle(run.stored) if expected.loses_the_middle else None
    if lost is not None:
        yield from _against_repair(run, whole, lost)


def _lost_in_the_middle(events: tuple[RuntimeEvent, ...]) -> RuntimeEvent | None:
    pieces = [event for event in events if event.type == "model.delta"]
    return pieces[len(pieces) // 2] if pieces else None


def _against_repair(run: ToldRun, whole: SessionViews, lost: RuntimeEvent) -> Iterator[str]:
    projection = SessionProjection()
    projection.receive(event for event in run.stored if event is not lost)
    if projection.views().hydration.status != "stale":
        yield "A lost event is not noticed."
    projection.repair(run.snapshot)
    if _screen(projection.views()) != _screen(whole):
        yield "The snapshot does not repair what was lost."


def _against_expected(run: ToldRun, whole: SessionViews, expected: Expected) -> Iterator[str]:
    yield from _against_outcome(run, whole, expected)
    yield from _against_counts(run, whole, expected)
    found = {each.code for each in whole.diagnostics}
    missing = [each for each in expected.diagnostics if each not in found]
    if missing:
        yield f"No diagnostic says: {', '.join(missing)}."
    outcome = run.snapshot.threads[0].last_outcome
    if expected.recovery_hint and (outcome is None or not outcome.recovery_hint):
        yield "The failure does not say what to do."


def _against_outcome(run: ToldRun, whole: SessionViews, expected: Expected) -> Iterator[str]:
    if whole.runtime.status != expected.status:
        outcome = run.snapshot.threads[0].last_outcome
        why = f" {outcome.message}" if outcome and outcome.message else ""
        yield f"It ended as {whole.runtime.status}, and should as {expected.status}.{why}"
    said = [each.text for each in whole.messages if each.type == "text" and each.role != "user"]
    if expected.answer is not None and said != [expected.answer]:
        yield f"It said {said}, and should have said {expected.answer!r} once."


def _against_counts(run: ToldRun, whole: SessionViews, expected: Expected) -> Iterator[str]:
    ends = Counter(call.status for call in whole.tool_calls.values())
    asked = run.asked.threads[0].pending_actions if run.asked else ()
    if len(asked) != expected.pending_actions:
        yield f"{len(asked)} questions waited, and {expected.pending_actions} should."
    wanted = {
        **{f"tool calls that {end}": (ends[end], n) for end, n in expected.tool_calls.items()},
        "outputs by reference": (
            sum(call.output_ref is not None for call in whole.tool_calls.values()),
            expected.output_refs,
        ),
        "artifacts": (len(whole.artifacts), expected.artifacts),
        "evidence": (len(whole.evidence), expected.evidence),
        "subagents": (len(whole.subagents.completed_thread_ids), expected.subagents),
    }
    for name, (seen, least) in wanted.items():
        if seen < least:
            yield f"{name}: {seen}, and {least} should be there."
