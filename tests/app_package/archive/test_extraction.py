"""A package's files are written below its folder and nowhere else (the standard's m.4, and ours)."""

import os
import stat
from pathlib import Path

import pytest

from lime_desktop.app_package.archive.extraction import write_file
from lime_desktop.app_package.archive.reader import open_archive
from tests.app_package.hostile_archives.forge import Member, forge
from tests.app_package.trees import MemoryTree


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
def test_only_the_executable_bit_survives_of_a_mode(tmp_path: Path) -> None:
    path = tmp_path / "sample.lapp"
    path.write_bytes(forge([Member(b"run", mode=0o106777), Member(b"plain", mode=0o100666)]))
    tree = open_archive(path)
    for entry in tree.files.values():
        write_file(tmp_path / "out", entry, tree.pieces(entry.path))
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "out").iterdir()}
    umask = os.umask(0)
    os.umask(umask)
    assert modes == {"run": 0o755 & ~umask, "plain": 0o644 & ~umask}


def test_a_file_that_is_there_already_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"kept")
    tree = MemoryTree({"mine": b"other"})
    with pytest.raises(FileExistsError):
        write_file(tmp_path, tree.files["mine"], tree.pieces("mine"))
    assert (tmp_path / "mine").read_bytes() == b"kept"


@pytest.mark.parametrize("path", ["../evil", "a/../../evil"])
def test_a_tree_that_hides_its_problems_still_writes_nothing_outside(
    path: str, tmp_path: Path
) -> None:
    tree = MemoryTree({path: b"evil"})
    with pytest.raises(OSError, match="leads out of the package"):
        write_file(tmp_path / "app", tree.files[path], tree.pieces(path))
    assert list(tmp_path.iterdir()) == []
