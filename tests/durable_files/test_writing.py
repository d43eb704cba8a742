"""Files and folders that were written aside are put in their place in one step."""

import stat
from pathlib import Path

import pytest

from lime_desktop.durable_files.writing import copy_durably, settle


def test_a_copy_replaces_an_older_one_only_when_it_is_settled(tmp_path: Path) -> None:
    source, aside, place = tmp_path / "source", tmp_path / "aside", tmp_path / "place"
    source.write_bytes(b"new" * 1_000_000)
    place.write_bytes(b"old")
    aside.write_bytes(b"half a copy that a killed process left, longer than" + bytes(4_000_000))
    copy_durably(source, aside)
    assert place.read_bytes() == b"old"
    settle(aside, place)
    assert place.read_bytes() == source.read_bytes()
    assert not aside.exists()


def test_a_private_copy_is_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"secret")
    copy_durably(tmp_path / "source", tmp_path / "copy", is_private=True)
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600


def test_a_folder_is_settled_whole_and_never_over_another(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    settle(tmp_path / "first", tmp_path / "place")
    with pytest.raises(OSError, match="place"):
        settle(tmp_path / "second", tmp_path / "place")
    assert (tmp_path / "place/file").read_text() == "first"
