"""agentSession/turn: one active turn per session, the others wait or are refused."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import EngineChoice, ExecutionBackend, TurnRequest
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.runtime_core.log.journal import Journal, SessionView
from lime_desktop.app_server.runtime_core.log.rows import SessionRow
from lime_desktop.app_server.runtime_core.log.spill import spill
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.reading.turn_views import agent_turn
from lime_desktop.app_server.runtime_core.running.driver import TurnAddress
from lime_desktop.app_server.runtime_core.running.requests import keep_input
from lime_desktop.app_server.runtime_core.running.running_turns import RunningTurns
from lime_desktop.app_server.runtime_core.running.turn_facts import (
    Submission,
    is_known,
    is_same,
    require_cancelled,
    require_ended,
    submit,
    take_back,
)
from lime_desktop.app_server.runtime_core.state import QueuedTurn, SessionState
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.turns import (
    CancelTurnParams,
    StartTurnParams,
    StartTurnResult,
)
from lime_desktop.protocol.errors import TurnNotActive
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.threads import TurnSnapshot
from lime_desktop.protocol.wire import Empty

_TRACEPARENT = re.compile(r"^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$")


class TurnCommands:
    """Start, cancel, and the queue between the two."""

    def __init__(
        self,
        journal: Journal,
        store: ContentStore,
        engine: ExecutionBackend,
        running: RunningTurns,
    ):
        self._journal = journal
        self._store = store
        self._engine = engine
        self._running = running

    async def start(
        self,
        params: StartTurnParams,
        context: CallContext,
        choice: EngineChoice | None = None,
    ) -> StartTurnResult:
        """Accept or queue a turn. What happens next comes as events.

        A caller that asked the engine ahead hands over what it chose.
        """
        submission = await self._submission(params, context)
        turn_id = submission.turn.turn_id
        if await self._is_repeated(params.session_id, submission):
            return await self._answer(params.session_id, turn_id)
        request = await self._request(params, submission)
        choice = await self._engine.preflight(replace(request, choice=choice))

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            if is_known(view, submission):
                return ()
            if params.replaces_turn_id:
                require_ended(view, params.replaces_turn_id)
            return submit(view.state, submission, queue_if_busy=params.queue_if_busy)

        with self._running.chosen(TurnAddress(params.session_id, turn_id), choice):
            await self._journal.append(params.session_id, decide)
        return await self._answer(params.session_id, turn_id)

    async def cancel(self, params: CancelTurnParams, context: CallContext) -> Empty:
        """Stop a turn: record the intent, stop the engine, close what is open, keep the queue."""
        del context

        def intend(view: SessionView) -> Sequence[ProposedEvent]:
            turn = view.state.active
            if turn and turn.turn_id == params.turn_id:
                return () if turn.is_cancelling else [fact("task.cancel_requested", turn)]
            if queued := view.state.queued(params.turn_id):
                return take_back(view.state, queued)
            require_cancelled(view, params.turn_id)
            return ()

        appended = await self._journal.append(params.session_id, intend)
        turn = appended.state.active
        if turn and turn.turn_id == params.turn_id:
            await self._running.cancel(params.session_id, params.turn_id)
        return Empty()

    async def _submission(self, params: StartTurnParams, context: CallContext) -> Submission:
        options = params.runtime_options
        input_ref = await asyncio.to_thread(keep_input, self._store, params.input, options)
        shown: JsonObject = {
            "text": params.input.text,
            "attachments": [attachment.to_wire() for attachment in params.input.attachments],
        }
        # Only what an event may carry; the whole input is behind its reference.
        turn = QueuedTurn(
            turn_id=params.turn_id or options.queued_turn_id or new_id("turn"),
            task_id=new_id("task"),
            run_id=new_id("run"),
            queued_at="",
            trace_id=_trace_id(params) or context.trace_id or None,
        )
        if params.replaces_turn_id:
            shown["replacesTurnId"] = params.replaces_turn_id
        said: JsonObject = {name: value for name, value in shown.items() if value}
        *before, shortened = await spill([fact("turn.submitted", turn, payload=said)], self._store)
        return Submission(turn, input_ref, shortened.payload, tuple(before))

    async def _request(self, params: StartTurnParams, submission: Submission) -> TurnRequest:
        shell, state = await self._journal.read(params.session_id, _shell_and_state)
        return TurnRequest(
            app_id=shell.app_id,
            workspace_id=shell.workspace_id,
            session_id=params.session_id,
            thread_id=state.thread_id,
            turn_id=submission.turn.turn_id,
            task_id=submission.turn.task_id,
            run_id=submission.turn.run_id,
            trace_id=submission.turn.trace_id,
            input=params.input,
            options=params.runtime_options,
        )

    async def _is_repeated(self, session_id: str, submission: Submission) -> bool:
        turn = await self._journal.read(
            session_id,
            lambda connection, row: SessionReader.of(connection, row).one(
                TurnSnapshot, "turn", submission.turn.turn_id
            ),
        )
        return turn is not None and is_same(turn, submission)

    async def _answer(self, session_id: str, turn_id: str) -> StartTurnResult:
        def reading(reader: SessionReader) -> StartTurnResult:
            turn = reader.one(TurnSnapshot, "turn", turn_id)
            if turn is None:
                raise TurnNotActive("The turn is not there.")
            return StartTurnResult(turn=agent_turn(turn, reader.state))

        return await self._journal.read(
            session_id, lambda connection, row: reading(SessionReader.of(connection, row))
        )


def _shell_and_state(connection: Connection, row: SessionRow) -> tuple[SessionShell, SessionState]:
    reader = SessionReader.of(connection, row)
    return reader.shell(), reader.state


def _trace_id(params: StartTurnParams) -> str | None:
    """Join the caller's trace when it sent one."""
    stated = (params.runtime_options.metadata or {}).get("traceparent")
    match = _TRACEPARENT.match(stated) if isinstance(stated, str) else None
    return match.group(1) if match else None
