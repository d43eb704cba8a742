"""What an engine is given for a turn, gathered from stored facts alone: any process can run it."""

from dataclasses import dataclass

import msgspec

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.runtime_core.folds.session import SessionShell
from lime_desktop.app_server.runtime_core.log.rows import SessionRow
from lime_desktop.app_server.runtime_core.reading.history import (
    messages_before,
    replaced_by,
    without_replaced,
)
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.calls.turns import RuntimeOptions, TurnInput
from lime_desktop.protocol.errors import InvalidInput, TurnNotActive
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.protocol.runtime.sessions import HistoryMessage
from lime_desktop.protocol.runtime.threads import TurnSnapshot
from lime_desktop.protocol.wire import WireModel

MAX_HISTORY = 200
"""Messages an engine gets; a longer conversation is compacted or read by the engine itself."""


class InputSnapshot(WireModel):
    """What a turn was given."""

    input: TurnInput
    options: RuntimeOptions


def keep_input(store: ContentStore, turn_input: TurnInput, options: RuntimeOptions) -> str:
    """Store what was asked, by content, and return its reference. Blocks until it is on disk.

    Two submissions with the same reference are the same, and any process can run a queued turn from its reference.

    Raises:
        InvalidInput: a field looks like a key; those belong in the provider store alone.
    """
    snapshot = InputSnapshot(input=turn_input, options=options).to_wire()
    if found := tuple(key_like_paths(snapshot)):
        raise InvalidInput.at_fields((path, "key_like") for path in found)
    return store.put("input", msgspec.json.encode(snapshot, order="deterministic"))


def read_input(store: ContentStore, reference: str) -> InputSnapshot:
    """The snapshot behind a reference. Blocks."""
    return InputSnapshot.model_validate_json(store.read(reference))


@dataclass(frozen=True, slots=True)
class TurnMaterial:
    """A turn as stored."""

    shell: SessionShell
    state: SessionState
    turn_id: str
    input_ref: str | None
    history: tuple[HistoryMessage, ...]
    summary_ref: str | None
    context_epoch: int

    def request(self, store: ContentStore, open_actions: tuple[str, ...]) -> TurnRequest:
        """Join the stored input. Blocks."""
        turn = self.state.active
        if turn is None or turn.turn_id != self.turn_id or self.input_ref is None:
            raise TurnNotActive("The turn ended before it began.")
        snapshot = read_input(store, self.input_ref)
        return TurnRequest(
            app_id=self.shell.app_id,
            workspace_id=self.shell.workspace_id,
            session_id=self.shell.session_id,
            thread_id=turn.thread_id,
            turn_id=turn.turn_id,
            task_id=turn.task_id,
            run_id=turn.run_id,
            trace_id=turn.trace_id,
            input=snapshot.input,
            options=snapshot.options,
            history=self.history,
            summary_ref=self.summary_ref,
            context_epoch=self.context_epoch,
            open_action_ids=open_actions,
        )


def read_material(connection: Connection, row: SessionRow, turn_id: str) -> TurnMaterial:
    """Gather what is stored about a turn."""
    reader = SessionReader.of(connection, row)
    shell = reader.shell()
    turn = reader.one(TurnSnapshot, "turn", turn_id)
    thread = reader.thread()
    boundary = (thread.history if thread else None) or {}
    said = messages_before(connection, row, shell, MAX_HISTORY, before_id=f"user:{turn_id}")
    tail = without_replaced(
        _after_boundary(said, boundary.get("compactedThroughMessageId")),
        replaced_by(connection, row, turn_id),
    )
    summary, epoch = boundary.get("summaryRef"), boundary.get("contextEpoch")
    return TurnMaterial(
        shell=shell,
        state=reader.state,
        turn_id=turn_id,
        input_ref=turn.input_ref if turn else None,
        history=tuple(tail),
        summary_ref=summary if isinstance(summary, str) else None,
        context_epoch=epoch if isinstance(epoch, int) else 0,
    )


def _after_boundary(messages: list[HistoryMessage], last_compacted: object) -> list[HistoryMessage]:
    for index, message in enumerate(messages):
        if message.message_id == last_compacted:
            return messages[index + 1 :]
    return messages
