"""What is kept of a waiting turn is whole, private, and gone when nobody can ask for it."""

import asyncio
import os
import stat
import sys
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.turn_states import KEPT_S, SavedTurn, TurnStates
from tests.app_server.execution.written_engine import model


def saved(turn_id: str = "../t 1", body: str = '{"half": "done"}') -> SavedTurn:
    return SavedTurn(turn_id=turn_id, model=model("one"), body=body)


def test_what_is_kept_is_read_back_and_replaced_whole(tmp_path: Path) -> None:
    """Ours: any id, also one that is no file name."""
    states = TurnStates(tmp_path / "states")

    async def whole() -> None:
        await states.keep(saved())
        await states.keep(saved(body="later"))
        assert await states.read("../t 1") == saved(body="later")
        assert await states.read("t2") is None
        await states.drop("../t 1")
        await states.drop("../t 1")
        assert await states.read("../t 1") is None

    asyncio.run(whole())
    assert list((tmp_path / "states").iterdir()) == []


def test_half_a_file_is_no_state(tmp_path: Path) -> None:
    """Ours: a damaged state is as good as none, and never half believed."""
    states = TurnStates(tmp_path)
    asyncio.run(states.keep(saved()))
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:40])
    assert asyncio.run(states.read("../t 1")) is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    """Ours: it holds a conversation."""
    asyncio.run(TurnStates(tmp_path / "states").keep(saved()))
    (path,) = (tmp_path / "states").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_states_that_nobody_will_ask_for_are_swept(tmp_path: Path) -> None:
    """Ours: a turn that ended as the process died leaves its file behind, but not for ever."""
    states = TurnStates(tmp_path)

    asyncio.run(states.keep(saved("old")))
    (path,) = tmp_path.iterdir()
    long_ago = path.stat().st_mtime - KEPT_S - 60
    os.utime(path, (long_ago, long_ago))

    async def whole() -> None:
        await states.keep(saved("new"))
        await states.sweep()
        assert await states.read("old") is None
        assert await states.read("new") == saved("new")

    asyncio.run(whole())
