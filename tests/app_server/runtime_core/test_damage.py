"""Damage: a bad tail is repaired and said; a broken history stops its own session alone."""

import asyncio
import shutil
import sqlite3  # noqa: TID251 - plays the damage
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.scripted import Script
from lime_desktop.database.incidents import Incident, incidents
from lime_desktop.protocol.calls.sessions import ListSessionsParams
from lime_desktop.protocol.errors import SessionDamaged
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import CONTEXT, DONE, event, open_runtime
from tests.protocol.published_schemas import lime_profile

SCRIPTS: dict[str, Script] = {
    "say": [event("model.delta", {"delta": "hi"}), event("model.completed", {"text": "hi"}), DONE]
}


async def write_two_sessions(folder: Path) -> int:
    runtime = await open_runtime(folder, SCRIPTS)
    for session_id in ("session_1", "session_2"):
        await runtime.session(session_id)
        for number in range(10):
            await runtime.run(session_id, "say", f"{session_id}_turn_{number}")
    last = (await runtime.read("session_1")).next_sequence
    await runtime.core.close()
    return last


def edit(folder: Path, sql: str) -> None:
    connection = sqlite3.connect(folder / "runtime.db")
    connection.execute(sql)
    connection.commit()
    connection.close()


FLIP = "UPDATE event SET body=replace(body, 'turn', 'tern') WHERE session_key=1 AND sequence {}"
CUT = "DELETE FROM event WHERE session_key=1 AND sequence > {}"
SCRAMBLE = "UPDATE record SET body=x'7bff' WHERE session_key=1 AND kind='{}'"
FORGET = "UPDATE session SET state={} WHERE session_key=1"


@pytest.mark.parametrize(
    "damage",
    [
        lambda last=0: FLIP.format(f">= {last - 2}"),
        lambda last=0: FLIP.format(f"= {last}"),
        lambda last=0: CUT.format(last - 3),
    ],
    ids=["three-flipped", "last-flipped", "three-gone"],
)
def test_a_damaged_tail_is_repaired_and_what_was_lost_is_said(
    tmp_path: Path, upstream_data: Path, damage: Callable[[int], str]
) -> None:
    async def scenario() -> None:
        last = await write_two_sessions(tmp_path)
        edit(tmp_path, damage(last))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        result = await runtime.read("session_1", afterSequence=last - 4)
        repaired = next(e for e in result.events if e.type == "snapshot.repaired")
        assert repaired.payload["toSequence"] == last
        lost = repaired.payload["lostEventCount"]
        assert isinstance(lost, int)
        told = [
            e.payload["sequence"] for e in result.events if e.payload.get("code") == "event_lost"
        ]
        assert told == list(range(last - lost + 1, last + 1))
        assert [e.sequence for e in result.events] == list(range(last - 3, last + 2))
        assert result.gap is None
        codes = [d.code for d in result.snapshot.threads[0].diagnostics]
        assert codes[-1] == "damaged_tail"
        await runtime.run("session_2", "say", "turn_new")
        if result.snapshot.threads[0].active_turn_id is None:
            await runtime.run("session_1", "say", "turn_new")
        await check_everything(runtime, upstream_data)
        await runtime.core.close()

    asyncio.run(scenario())


def test_a_lost_ending_leaves_no_turn_running_for_ever(tmp_path: Path) -> None:
    """The terminal event is gone, so the turn did not end as far as anybody can know."""

    async def scenario() -> None:
        last = await write_two_sessions(tmp_path)
        edit(tmp_path, CUT.format(last - 2))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        await runtime.read("session_1")
        await runtime.core.close()
        runtime = await open_runtime(tmp_path, SCRIPTS)
        thread = (await runtime.read("session_1")).snapshot.threads[0]
        assert (thread.status, thread.active_turn_id) == ("failed", None)
        assert thread.last_outcome is not None
        assert thread.last_outcome.failure_category == "interrupted"
        await runtime.run("session_1", "say", "turn_new")
        await runtime.core.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("distance", [3, 40, 110], ids=["in-the-tail", "deeper", "far-back"])
def test_a_broken_history_stops_its_own_session_and_no_other(tmp_path: Path, distance: int) -> None:
    async def scenario() -> None:
        last = await write_two_sessions(tmp_path)
        edit(tmp_path, FLIP.format(f"= {last - distance}"))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        shown = await runtime.read("session_1", afterSequence=0)
        assert len(shown.snapshot.threads[0].turns) == 10
        if distance < 64:
            with pytest.raises(SessionDamaged) as refusal:
                await runtime.turn("session_1", "say", "turn_new")
            assert refusal.value.details == {"reasonCode": f"damaged_event_{last - distance}"}
        await runtime.run("session_2", "say", "turn_new")
        await runtime.core.close()

    asyncio.run(scenario())


def damaged_places(events: Sequence[RuntimeEvent]) -> list[int]:
    return [each.sequence for each in events if each.payload.get("code") == "event_damaged"]


ZERO = "UPDATE event SET body=x'00', checksum='none' WHERE session_key=1 AND sequence {}"
MISCOUNT = "UPDATE event SET checksum=checksum+1 WHERE session_key=1 AND sequence {}"
UNNAME = "UPDATE event SET event_id=CAST(x'ff' AS TEXT)||sequence, body=x'7b' WHERE session_key=1 AND sequence {}"
REMOVE = "DELETE FROM event WHERE session_key=1 AND sequence {}"


@pytest.mark.parametrize("damage", [FLIP, ZERO, MISCOUNT, UNNAME, REMOVE])
@pytest.mark.parametrize("bad", [[1], [7], [30, 31], [7, 40]], ids=str)
def test_a_damaged_event_is_shown_in_its_place_and_hides_no_other(
    tmp_path: Path, upstream_data: Path, damage: str, bad: list[int]
) -> None:
    """A bug: one bad event hid its whole page of sound ones."""

    async def scenario() -> None:
        last = await write_two_sessions(tmp_path)
        before = await everything(tmp_path)
        edit(tmp_path, damage.format(f"IN ({', '.join(map(str, bad))})"))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        heard: list[Incident] = []
        _, leave = incidents.subscribe(heard.append)
        shown: list[RuntimeEvent] = []
        while len(shown) < last:
            page = await runtime.read("session_1", afterSequence=len(shown), limit=20)
            assert page.gap is None
            assert page.events
            shown += page.events
        assert [each.sequence for each in shown] == list(range(1, last + 1))
        assert damaged_places(shown) == bad
        assert [each for each in shown if each.sequence not in bad] == [
            each for each in before if each.sequence not in bad
        ]
        leave()
        assert [each.kind for each in heard] == ["events_damaged"]
        for number in bad:
            lime_profile(upstream_data, "event").validate(shown[number - 1].to_wire())
        await runtime.core.close()

    asyncio.run(scenario())


async def everything(folder: Path) -> list[RuntimeEvent]:
    runtime = await open_runtime(folder, SCRIPTS)
    result = await runtime.read("session_1", afterSequence=0, limit=1_000)
    await runtime.core.close()
    return list(result.events)


def test_a_page_of_the_file_that_cannot_be_read_takes_its_own_events_only(tmp_path: Path) -> None:
    async def scenario() -> None:
        last = await write_two_sessions(tmp_path)
        path = tmp_path / "runtime.db"
        body = bytearray(path.read_bytes())
        starts = [
            start
            for start in range(0, len(body), 4_096)
            if body[start] == 0x0A and b"turn_4" in (page := body[start : start + 4_096])
            if page.count(b'"runtimeId"') > 1
        ]
        body[starts[0] : starts[0] + 8] = b"\xff" * 8
        path.write_bytes(bytes(body))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        result = await runtime.read("session_1", afterSequence=0, limit=1_000)
        assert [each.sequence for each in result.events] == list(range(1, last + 1))
        assert 0 < len(damaged_places(result.events)) < last / 2
        await runtime.core.close()

    asyncio.run(scenario())


BAD_BYTE = {
    "state": "UPDATE session SET state=CAST(replace(CAST(state AS TEXT), 'session_1', 'session_'||CAST(x'ff' AS TEXT)) AS BLOB), is_unfinished=1 WHERE session_key=1",
    "session id": "UPDATE session SET session_id=CAST(x'73ff' AS TEXT), is_unfinished=1 WHERE session_key=1",
    "app id": "UPDATE session SET app_id=CAST(x'61ff' AS TEXT), is_unfinished=1 WHERE session_key=1",
    "record body": "UPDATE record SET body=x'7b22ff227d' WHERE session_key=1 AND kind='thread'",
    "runtime id": "UPDATE runtime SET value=CAST(x'72ff' AS TEXT)",
}


@pytest.mark.parametrize("what", BAD_BYTE)
def test_a_bad_byte_keeps_nothing_from_starting_and_is_mended_by_itself(
    tmp_path: Path, upstream_data: Path, what: str
) -> None:
    """A bug: the App Server did not start although everything could be derived from the log again."""

    async def scenario() -> None:
        await write_two_sessions(tmp_path)
        edit(tmp_path, BAD_BYTE[what])
        runtime = await open_runtime(tmp_path, SCRIPTS)
        listed = await runtime.core.sessions.list(ListSessionsParams(), CONTEXT)
        assert {each.session_id for each in listed.sessions} == {"session_1", "session_2"}
        assert {each.app_id for each in listed.sessions} == {"app_1"}
        await runtime.run("session_1", "say", "turn_new")
        await check_everything(runtime, upstream_data)
        await runtime.core.close()

    asyncio.run(scenario())


def test_a_bad_byte_in_the_file_itself_is_mended_against_its_index(
    tmp_path: Path, upstream_data: Path
) -> None:
    """The index still has the name that the row has lost; SQLite takes that for a broken file."""

    async def scenario() -> None:
        await write_two_sessions(tmp_path)
        edit(tmp_path, "UPDATE session SET is_unfinished=1")
        path = tmp_path / "runtime.db"
        body = path.read_bytes()
        assert body.count(b"session_1app_1") == 1
        path.write_bytes(body.replace(b"session_1app_1", b"session_\xffapp_1"))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        await runtime.run("session_1", "say", "turn_new")
        await check_everything(runtime, upstream_data)
        assert await runtime.core.journal.database.complaints() == ()
        await runtime.core.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("what", ["state", "session id", "record body"])
def test_a_mend_is_said_and_the_damaged_file_kept(tmp_path: Path, what: str) -> None:
    async def scenario() -> None:
        await write_two_sessions(tmp_path)
        edit(tmp_path, BAD_BYTE[what])
        heard: list[Incident] = []
        _, leave = incidents.subscribe(heard.append)
        runtime = await open_runtime(tmp_path, SCRIPTS)
        await runtime.core.sessions.list(ListSessionsParams(), CONTEXT)
        thread = (await runtime.read("session_1")).snapshot.threads[0]
        leave()
        [kept] = (tmp_path / "damaged").iterdir()
        kind = "names_mended" if what == "session id" else "read_models_mended"
        assert heard == [Incident(kind, "runtime.db", 1, f"damaged/{kept.name}")]
        if what != "session id":
            assert [d.code for d in thread.diagnostics][-1] == "damaged_read_models"
        assert kept.stat().st_mode & 0o777 == 0o600
        copy = sqlite3.connect(kept)
        assert copy.execute("SELECT count(*) FROM session").fetchone() == (2,)
        copy.close()
        await runtime.core.close()

    asyncio.run(scenario())


def test_a_log_that_is_gone_is_said_in_every_recent_session(tmp_path: Path) -> None:
    """A bug: a deleted log took a tail of facts with it, and nobody was told."""

    async def scenario() -> None:
        living, left = tmp_path / "living", tmp_path / "left"
        runtime = await open_runtime(living, SCRIPTS)
        await runtime.session("session_1")
        await runtime.run("session_1", "say", "turn_1")
        await runtime.core.close()
        runtime = await open_runtime(living, SCRIPTS)
        await runtime.run("session_1", "say", "turn_2")
        shutil.copytree(living, left)
        await runtime.core.close()
        (left / "runtime.db-wal").unlink()
        (left / "runtime.db-shm").unlink()
        runtime = await open_runtime(left, SCRIPTS)
        told = (await runtime.read("session_1")).snapshot.threads[0].diagnostics
        assert told[-1].code == "facts_lost"
        await runtime.run("session_1", "say", "turn_3")
        await runtime.core.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("state", ["x''", "x'7b7d'", "x'ffff'"])
def test_a_damaged_state_is_folded_again_from_the_log(
    tmp_path: Path, upstream_data: Path, state: str
) -> None:
    async def scenario() -> None:
        await write_two_sessions(tmp_path)
        edit(tmp_path, FORGET.format(state))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        await runtime.run("session_1", "say", "turn_new")
        await check_everything(runtime, upstream_data)
        await runtime.core.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("kind", ["session", "thread", "turn"])
def test_a_damaged_record_is_folded_again_from_the_log(
    tmp_path: Path, upstream_data: Path, kind: str
) -> None:
    """A bug: reading, listing and writing such a session failed as if the program were wrong."""

    async def scenario() -> None:
        await write_two_sessions(tmp_path)
        edit(tmp_path, SCRAMBLE.format(kind))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        listed = await runtime.core.sessions.list(ListSessionsParams(), CONTEXT)
        assert [session.session_id for session in listed.sessions] == ["session_2", "session_1"]
        assert (await runtime.read("session_1")).turn_count == 10
        await runtime.run("session_1", "say", "turn_new")
        await check_everything(runtime, upstream_data)
        await runtime.core.close()

    asyncio.run(scenario())


def test_a_session_of_which_nothing_can_be_read_hides_no_other(tmp_path: Path) -> None:
    """A bug: one damaged session made the list of all sessions fail."""

    async def scenario() -> None:
        await write_two_sessions(tmp_path)
        edit(tmp_path, SCRAMBLE.format("session"))
        edit(tmp_path, FLIP.format("= 1"))
        runtime = await open_runtime(tmp_path, SCRIPTS)
        listed = await runtime.core.sessions.list(ListSessionsParams(), CONTEXT)
        assert [session.session_id for session in listed.sessions] == ["session_2"]
        with pytest.raises(SessionDamaged):
            await runtime.read("session_1")
        await runtime.core.close()

    asyncio.run(scenario())


def test_commits_that_the_disk_lost_are_said_in_every_recent_session(tmp_path: Path) -> None:
    async def scenario() -> None:
        runtime = await open_runtime(tmp_path / "living", SCRIPTS)
        for session_id in ("session_1", "session_2"):
            await runtime.session(session_id)
            await runtime.run(session_id, "say", f"{session_id}_turn")
        for name in ("runtime.db", "runtime.db-wal"):
            (tmp_path / "crashed").mkdir(exist_ok=True)
            shutil.copy(tmp_path / "living" / name, tmp_path / "crashed" / name)
        await runtime.core.close()

        log = tmp_path / "crashed" / "runtime.db-wal"
        body = bytearray(log.read_bytes())
        body[len(body) * 3 // 4] ^= 0xFF
        log.write_bytes(bytes(body))
        runtime = await open_runtime(tmp_path / "crashed", SCRIPTS)
        told = (await runtime.read("session_1")).snapshot.threads[0].diagnostics
        assert told[-1].code == "facts_lost"
        await runtime.run("session_1", "say", "turn_new")
        assert all(rebuilt.is_equal for rebuilt in await runtime.rebuilt())
        await runtime.core.close()

    asyncio.run(scenario())
