"""Where a fork leaves its source: after a finished turn, never in the middle of one."""

from lime_desktop.app_server.runtime_core.log.records import Address
from lime_desktop.app_server.runtime_core.log.rows import load_record, next_position, record_count
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.errors import Conflict, TurnNotActive
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.threads import TurnSnapshot


def fork_point(reader: SessionReader, through_turn_id: str | None) -> JsonObject:
    """What the new session's first event says about the old one. Nothing is copied."""
    through = _last_sequence(reader, through_turn_id)
    inherited = record_count(reader.connection, reader.row.session_key, "message", through)
    earlier = reader.shell().inherited_messages or 0
    return {
        "forkedFrom": reader.state.session_id,
        "forkedThrough": through,
        "inheritedMessages": inherited + earlier,
    }


def _last_sequence(reader: SessionReader, through_turn_id: str | None) -> int:
    if through_turn_id is None:
        return _before_active(reader)
    turn = load_record(reader.connection, reader.row.session_key, Address("turn", through_turn_id))
    if turn is None or not isinstance(turn.record, TurnSnapshot):
        raise TurnNotActive("The session has no turn of this id.")
    if turn.record.completed_at is None:
        raise Conflict("The turn has not ended.", details={"turnId": through_turn_id})
    following = next_position(reader.connection, reader.row.session_key, "turn", turn.position)
    return following - 1 if following else reader.state.last_sequence


def _before_active(reader: SessionReader) -> int:
    """Every finished turn: what runs or waits now is not part of the past."""
    state = reader.state
    open_turns = [turn.turn_id for turn in state.queue]
    if state.active:
        open_turns.append(state.active.turn_id)
    places = [
        placed.position
        for turn_id in open_turns
        if (
            placed := load_record(
                reader.connection, reader.row.session_key, Address("turn", turn_id)
            )
        )
    ]
    return min(places) - 1 if places else state.last_sequence
