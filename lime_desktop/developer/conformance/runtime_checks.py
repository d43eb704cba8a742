"""Demands on the runtime, tried on the App Server that runs: sessions of the probe, by the calls every client has.

What its agent says is in the probe's `tests/engine.json`. Each check is one function; its name in
the table says which demands it shows.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TypeAlias

from lime_desktop.developer.conformance.tried_session import TIMEOUT_S, TriedSession
from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.actions import RESPOND_ACTION, RespondActionParams
from lime_desktop.protocol.calls.capabilities import LIST_CAPABILITIES, ListCapabilitiesParams
from lime_desktop.protocol.calls.evidence import (
    EXPORT_EVIDENCE,
    EXPORT_REPLAY_CASE,
    ExportEvidenceParams,
    ExportReplayCaseParams,
)
from lime_desktop.protocol.calls.sessions import (
    COMPACT_SESSION,
    READ_SESSION,
    RESUME_THREAD,
    START_SESSION,
    CompactParams,
    ResumeThreadParams,
    StartSessionParams,
)
from lime_desktop.protocol.calls.turns import CANCEL_TURN, START_TURN, CancelTurnParams
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import (
    ActionId,
    AppId,
    EventId,
    TaskId,
)
from lime_desktop.protocol.runtime.event_types import TURN_TERMINALS
from lime_desktop.protocol.runtime.events import SCHEMA_VERSION, ProposedEvent

_ENVELOPE = (
    *("schemaVersion", "runtimeId", "sessionId", "eventId"),
    *("timestamp", "sequence", "type", "payload"),
)
_READ_MODELS = (
    *("threads", "taskSummary", "permissionSandboxSummary", "routingLimitSummary"),
    *("evidenceSummary", "telemetrySummary", "history"),
)
_METHODS_OF_A_TURN = (START_SESSION, START_TURN, CANCEL_TURN, RESPOND_ACTION, READ_SESSION)
_NEWS = ProposedEvent(
    type="task.created",
    event_id=EventId("event_of_the_probe"),
    task_id=TaskId("task_of_the_probe"),
    payload={"objective": "Once"},
)


class _Broken(Exception):
    """A demand does not hold, and what was seen instead."""


def _demand(holds: object, words: str) -> None:
    if not holds:
        raise _Broken(words)


async def _carries_its_envelope(session: TriedSession) -> None:
    for event in (await session.ended("Say hello")).events:
        wire = event.to_wire()
        missing = [name for name in _ENVELOPE if name not in wire]
        _demand(not missing, f"{event.type} lacks {', '.join(missing)}.")
        _demand(event.schema_version == SCHEMA_VERSION, f"{event.type} is of another schema.")


async def _runs_along_the_spine(session: TriedSession) -> None:
    read = await session.ended("Say hello")
    types = [event.type for event in read.events]
    _demand("turn.submitted" in types, "The turn's submission was never told.")
    _demand(
        types.index("turn.submitted") < types.index("model.requested"),
        "Work began before the turn was submitted.",
    )
    loose = [event.type for event in read.events if event.turn_id and not event.thread_id]
    _demand(not loose, f"{loose} belong to a turn and to no thread.")


async def _can_be_replayed(session: TriedSession) -> None:
    read = await session.ended("Say hello")
    numbers = [event.sequence for event in read.events]
    _demand(numbers == list(range(1, len(numbers) + 1)), f"The sequence is {numbers}.")
    middle = numbers[len(numbers) // 2]
    tail = (await session.read(middle)).events
    _demand(tail == read.events[middle:], "What follows an event is not the same twice.")


async def _is_restored_from_read_models(session: TriedSession) -> None:
    snapshot = (await session.ended("Say hello")).snapshot
    wire = snapshot.to_wire()
    missing = [name for name in _READ_MODELS if name not in wire]
    _demand(not missing, f"The snapshot lacks {', '.join(missing)}.")
    _demand("Hello." in str(wire["history"]), "The snapshot alone does not show the answer.")


async def _takes_a_batch_whole(session: TriedSession) -> None:
    before = await session.ended("Say hello")
    lost = ProposedEvent(type="tool.result", payload={})
    await _refused(session.append(_NEWS, lost))
    _demand(await session.count() == before.next_sequence, "A part of it was written.")


async def _says_the_same_once(session: TriedSession) -> None:
    await session.ended("Say hello")
    await session.append(_NEWS)
    once = await session.count()
    await session.append(_NEWS)
    _demand(await session.count() == once, "Saying it again wrote it again.")
    await _refused(session.append(_NEWS.model_copy(update={"payload": {"objective": "Another"}})))


async def _has_one_turn_at_a_time(session: TriedSession) -> None:
    turn_id = await session.ask("Wait", "turn_1")
    await _refused(session.ask("Say hello", "turn_2"))
    waiting = await session.ask("Say hello", "turn_3", queue_if_busy=True)
    await session.call(
        CANCEL_TURN, CancelTurnParams(session_id=session.session_id, turn_id=turn_id)
    )
    read = await session.until("turn.canceled")
    queued = [each.turn_id for each in read.snapshot.threads[0].queued_turns]
    _demand(queued == [waiting], "What waited behind it is gone.")
    await session.call(RESUME_THREAD, ResumeThreadParams(session_id=session.session_id))
    went_on = [e.turn_id for e in (await session.until("turn.completed")).events]
    _demand(went_on[-1] == waiting, "What waited did not go on when the thread was resumed.")


async def _lists_what_it_serves(session: TriedSession) -> None:
    asked = ListCapabilitiesParams(session_id=session.session_id)
    listed = (await session.call(LIST_CAPABILITIES, asked)).capabilities
    methods = {method for each in listed for method in each.methods}
    missing = [each.name for each in _METHODS_OF_A_TURN if each.name not in methods]
    _demand(not missing, f"{', '.join(missing)} can be called and is not listed.")


async def _repeats_no_turn(session: TriedSession) -> None:
    await session.ended("Say hello")
    await session.ask("Say hello", "turn_1")
    count = (await session.read()).turn_count
    _demand(count == 1, f"There are {count} turns.")


async def _waits_for_an_answer(session: TriedSession) -> None:
    await session.ask("Ask", "turn_1")
    waiting = await session.until("action.required")
    early = [event.type for event in waiting.events if event.type == "tool.result"]
    _demand(not early, "The tool gave something while its question was open.")
    _demand(waiting.snapshot.threads[0].pending_actions, "The snapshot does not show the question.")
    await _refused(session.call(RESPOND_ACTION, _answer(session, "no_such_action")))
    await session.call(RESPOND_ACTION, _answer(session, "action_1"))
    types = [event.type for event in (await session.until(*TURN_TERMINALS)).events]
    _demand("action.resolved" in types, "The answer left no fact.")
    _demand("tool.failed" in types and "tool.result" not in types, "A refused tool gave something.")


def _answer(session: TriedSession, action_id: str) -> RespondActionParams:
    return RespondActionParams.model_validate(
        {
            "sessionId": session.session_id,
            "requestId": ActionId(action_id),
            "actionType": "tool_confirmation",
            "decision": "decline",
        }
    )


async def _takes_no_key(session: TriedSession) -> None:
    await _refused(session.ask("Say hello", "turn_1", metadata={"apiKey": "no key at all"}))
    events = str([event.to_wire() for event in (await session.read()).events])
    _demand("no key at all" not in events, "It was written down.")


async def _reads_status_from_facts(session: TriedSession) -> None:
    read = await session.ended("Claim a failure")
    _demand(read.turns[0].status == "completed", f"The turn is {read.turns[0].status}.")
    sandbox = read.snapshot.permission_sandbox_summary
    _demand(sandbox.mode is None and sandbox.sandbox_profile is None, "A sandbox is claimed.")


async def _names_what_failed(session: TriedSession) -> None:
    failed = [e for e in (await session.ended("Fail")).events if e.type == "turn.failed"]
    _demand(failed and failed[0].payload.get("failureCategory"), "It has no category.")


async def _compacts_by_a_fact(session: TriedSession) -> None:
    before = await session.ended("Say hello")
    asked = CompactParams(
        session_id=session.session_id, keep_turns=0, summary="Somebody said hello."
    )
    compacted = await session.call(COMPACT_SESSION, asked)
    after = await session.read()
    _demand(compacted.event_id, "It left no fact.")
    _demand(after.events[: len(before.events)] == before.events, "What was before it has changed.")


async def _exports_what_there_is(session: TriedSession) -> None:
    read = await session.ended("Say hello")
    exported = await session.call(
        EXPORT_EVIDENCE, ExportEvidenceParams(session_id=session.session_id, include_events=True)
    )
    _demand(
        exported.runtime_correlation.session_id == session.session_id, "It is of another session."
    )
    _demand(exported.events[: len(read.events)] == read.events, "The facts are not the same.")
    hollow = [
        each.signal for each in exported.signals if each.status == "exported" and not each.count
    ]
    _demand(not hollow, f"{hollow} are said to be there, and are not.")
    asked = ExportReplayCaseParams(session_id=session.session_id)
    case = (await session.call(EXPORT_REPLAY_CASE, asked)).replay_case
    known = {event.event_id for event in read.events}
    _demand(
        any(each.event_id in known for each in case.event_refs), "A replay goes by other facts."
    )


async def _refused(asked: Awaitable[object]) -> None:
    try:
        await asked
    except AppError:
        return
    raise _Broken("It was not refused.")


_Check: TypeAlias = Callable[[TriedSession], Awaitable[None]]
_CHECKS: Mapping[str, _Check] = {
    "RT-10 RT-11 RT-16: every event of a turn has its envelope and its schema": _carries_its_envelope,
    "APP-31 RT-02 RT-28: a turn is submitted before any work, along the spine": _runs_along_the_spine,
    "APP-31: whoever asks what can be called is told the methods of a turn": _lists_what_it_serves,
    "RT-15: the same events come again from any point on": _can_be_replayed,
    "RT-03 RT-40: the snapshot has every read model, and restores the session": _is_restored_from_read_models,
    "RT-14 RT-24: a batch with a loose event is refused whole": _takes_a_batch_whole,
    "RT-23 RT-25: a fact that is told twice is written once": _says_the_same_once,
    "RT-27 RT-29 RT-37: a second turn is refused, a cancellation is a fact, and what waits goes on when resumed": _has_one_turn_at_a_time,
    "RT-39: the same turn again is no second turn": _repeats_no_turn,
    "RT-22 RT-26 RT-31: a tool waits for its answer, and gives nothing after a no": _waits_for_an_answer,
    "RT-36: a key among the options is refused and written nowhere": _takes_no_key,
    "RT-48 RT-49: status and sandbox come from facts, not from what was said": _reads_status_from_facts,
    "RT-20: a failed turn names its category": _names_what_failed,
    "RT-44: compaction is a fact that changes none before it": _compacts_by_a_fact,
    "RT-54 RT-55 RT-57: an export has the same facts, and says nothing is there that is not": _exports_what_there_is,
}
CHECKS = tuple(_CHECKS)
"""What is tried, by the ids of the demands that each check shows."""


async def check_runtime(call: CallServer, app_id: str) -> AsyncIterator[TestOutcome]:
    """Try every check in a session of its own, and tell how each ended."""
    for name, check in _CHECKS.items():
        yield TestOutcome(file="runtime", name=name, problem=await _tried(call, app_id, check))


async def _tried(call: CallServer, app_id: str, check: _Check) -> str:
    try:
        started = await call(START_SESSION, StartSessionParams(app_id=AppId(app_id)))
        await check(TriedSession(call, started.session.session_id))
    except (_Broken, AppError) as error:
        return str(error) or type(error).__name__
    except TimeoutError:
        return f"Nothing more happened for {TIMEOUT_S:.0f} seconds."
    return ""
