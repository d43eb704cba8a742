"""What a killed process left half written goes at the next start (ours); what somebody is writing stays."""

import os
import time
from pathlib import Path

import pytest

from lime_desktop.app_server.models.store import ModelStore
from lime_desktop.durable_files.writing import sweep_leftovers
from tests.host.app_center.opened import center_of, play

DAY_S = 24 * 3_600


def _left(path: Path, age_s: float = DAY_S) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"half of it")
    _age(path, age_s)
    return path


def _age(path: Path, age_s: float) -> None:
    then = time.time() - age_s
    os.utime(path, (then, then))


def test_a_start_sweeps_what_was_left_and_nothing_else(tmp_path: Path) -> None:
    """A fault: `.partial` files were never swept."""
    data = tmp_path / "data"
    server = data / "app-server"
    gone = [
        _left(server / "secrets.json.0a1b.partial"),
        _left(server / "content/ab/abcd.0a1b.partial"),
        _left(server / "turn-states/one.0a1b.partial"),
        _left(server / "evidence/chain/.000001-x.partial"),
        _left(server / "apps/export-abc"),
        _left(data / "views/app-notes.partial"),
        _left(data / "window.json.0a1b.partial"),
    ]
    stays = [
        _left(server / "content/ab/abce.0a1b.partial", age_s=1),
        _left(server / "work/notes/mine.partial"),
        _left(server / "content/ab/abcf"),
    ]

    async def scenario() -> None:
        async with center_of(tmp_path):
            assert [path for path in gone if path.exists()] == []
            assert [path for path in stays if not path.exists()] == []

    play(scenario())


def test_a_link_is_removed_and_not_followed(tmp_path: Path) -> None:
    kept = _left(tmp_path / "elsewhere/kept.partial")
    folder = tmp_path / "ours"
    folder.mkdir()
    (folder / "away").symlink_to(kept.parent)
    sweep_leftovers(folder, ("*/*.partial",))
    (folder / "a.partial").symlink_to(kept.parent)
    sweep_leftovers(folder, ("*.partial",), older_than_s=-60)
    assert kept.exists()
    assert not (folder / "a.partial").is_symlink()


@pytest.mark.parametrize(("age_days", "is_kept"), [(2, True), (60, False)])
def test_a_download_can_go_on_for_a_month(tmp_path: Path, age_days: int, *, is_kept: bool) -> None:
    store = ModelStore(tmp_path)
    partial = _left(tmp_path / ".incoming/small/weights.partial", age_days * DAY_S)
    _age(partial.parent, age_days * DAY_S)
    with store.incoming("small"):
        store.sweep_abandoned()
        assert partial.exists()
    _age(partial.parent, age_days * DAY_S)
    store.sweep_abandoned()
    assert partial.exists() is is_kept
