"""Packing makes the same archive each time, of exactly the files it says (ours)."""

import os
import random
import zipfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lime_desktop.app_package.archive.packing import NotPacked, Packed, pack
from lime_desktop.app_package.archive.reader import open_archive
from lime_desktop.app_package.files.hashes import tree_hash
from lime_desktop.app_package.files.tree import open_folder
from tests.app_package.trees import APP_MD, MemoryTree, write_tree

CONTENTS = {
    "APP.md": APP_MD,
    "dist/ui/index.html": b"<p>" * 5000,
    "locales/zh-CN.json": b"{}",
    "assets/图.svg": b"<svg/>",
    "a-b": b"",
    "a/z": b"\0\xff",
}
CLUTTER = {
    ".github/ci.yml": b"x",
    "dist/.DS_Store": b"x",
    ".lime/state": b"x",
    "dist/.local/x": b"x",
    "coverage/index.html": b"x",
    "tests/test_app.py": b"x",
    "dist-package/old.txt": b"x",
    "docs/prototypes/a.png": b"x",
    "sample-app-0.9.0.lapp": b"x",
}
KEPT_LOOKALIKES = {"dist/tests/x": b"1", "docs/guide.md": b"2", "src/coverage/y": b"3"}


def packed(tree: MemoryTree, target: Path) -> Packed:
    result = pack(tree, target)
    assert isinstance(result, Packed)
    return result


def test_an_archive_holds_the_packages_files_and_hash(tmp_path: Path) -> None:
    tree = MemoryTree(CONTENTS | KEPT_LOOKALIKES)
    result = packed(tree, tmp_path / "app.lapp")
    archive = open_archive(result.path)
    assert {path: archive.read(path) for path in archive.files} == tree.contents
    assert archive.problems == ()
    assert result == Packed(tmp_path / "app.lapp", tree_hash(tree), ())
    assert [each.name for each in tmp_path.iterdir()] == ["app.lapp"]


def test_what_does_not_belong_in_an_archive_is_left_out_and_named(tmp_path: Path) -> None:
    result = packed(MemoryTree(CONTENTS | CLUTTER), tmp_path / "app.lapp")
    assert set(result.left_out) == set(CLUTTER)
    assert result.package_hash == tree_hash(MemoryTree(CONTENTS))
    assert tree_hash(open_archive(result.path)) == result.package_hash


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    forwards = write_tree(tmp_path / "one", CONTENTS)
    backwards = write_tree(tmp_path / "two", dict(reversed(CONTENTS.items())))
    os.utime(backwards / "APP.md", (1, 1))
    archives: list[bytes] = []
    for number, folder in enumerate([forwards, backwards, forwards]):
        target = tmp_path / f"{number}.lapp"
        assert isinstance(pack(open_folder(folder), target), Packed)
        archives.append(target.read_bytes())
    assert archives[0] == archives[1] == archives[2]


@settings(max_examples=50)
# Letters that spell none of Windows' devices, which no archive may hold.
@given(
    st.dictionaries(st.from_regex(r"([d-k]{1,3}/){0,2}[d-k]{1,4}[.]x", fullmatch=True), st.binary())
)
def test_any_tree_survives_packing(
    tmp_path_factory: pytest.TempPathFactory, contents: dict[str, bytes]
) -> None:
    tree = MemoryTree(contents | {"APP.md": APP_MD})
    result = packed(tree, tmp_path_factory.mktemp("pack") / "app.lapp")
    archive = open_archive(result.path)
    assert {path: archive.read(path) for path in archive.files} == tree.contents


@pytest.mark.skipif(os.name == "nt", reason="Windows has no executable bit")
def test_only_the_executable_bit_of_a_mode_is_packed(tmp_path: Path) -> None:
    folder = write_tree(tmp_path / "app", {"APP.md": APP_MD, "run": b"#!"})
    (folder / "run").chmod(0o777)
    (folder / "APP.md").chmod(0o606)
    pack(open_folder(folder), tmp_path / "app.lapp")
    with zipfile.ZipFile(tmp_path / "app.lapp") as archive:
        modes = {each.filename: oct(each.external_attr >> 16) for each in archive.infolist()}
    assert modes == {"APP.md": "0o100644", "run": "0o100755"}


def test_a_file_that_packs_like_a_bomb_is_stored_so_that_readers_accept_it(tmp_path: Path) -> None:
    tree = MemoryTree({"APP.md": APP_MD, "zeros.bin": b"\0" * 3_000_000})
    result = packed(tree, tmp_path / "app.lapp")
    assert open_archive(result.path).problems == ()


def test_what_no_reader_would_open_is_not_packed(tmp_path: Path) -> None:
    result = pack(MemoryTree({"APP.md": APP_MD, "app.MD": b""}), tmp_path / "app.lapp")
    assert isinstance(result, NotPacked)
    assert [problem.code for problem in result.problems] == ["PATHS_COLLIDE"]
    assert list(tmp_path.iterdir()) == []


def test_a_failed_packing_leaves_the_old_archive_alone(tmp_path: Path) -> None:
    (tmp_path / "app.lapp").write_bytes(b"old")
    pack(MemoryTree({"APP.md": APP_MD, "NUL": b""}), tmp_path / "app.lapp")
    assert (tmp_path / "app.lapp").read_bytes() == b"old"


def test_a_file_that_changes_while_it_is_packed_leaves_no_archive(tmp_path: Path) -> None:
    class Changing(MemoryTree):
        reads = count()

        def pieces(self, path: str) -> Iterator[bytes]:
            yield f"{path} {next(self.reads)}".encode()

    result = pack(Changing(CONTENTS), tmp_path / "app.lapp")
    assert isinstance(result, NotPacked)
    assert [problem.code for problem in result.problems] == ["CHANGED_WHILE_PACKING"]
    assert list(tmp_path.iterdir()) == []


def test_an_archive_does_not_say_when_it_was_made(tmp_path: Path) -> None:
    pack(MemoryTree(CONTENTS), tmp_path / "app.lapp")
    with zipfile.ZipFile(tmp_path / "app.lapp") as archive:
        assert {each.date_time for each in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_place_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    result = pack(MemoryTree(CONTENTS), tmp_path / "nowhere" / "app.lapp")
    assert isinstance(result, NotPacked)
    assert [problem.code for problem in result.problems] == ["PACKING_FAILED"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_only_a_file_is_replaced_by_an_archive(tmp_path: Path) -> None:
    """A bug: packing to a device, such as /dev/full, put a file in the device's place."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert isinstance(pack(MemoryTree(CONTENTS), pipe), NotPacked)
    assert pipe.is_fifo()


def test_a_large_file_whose_end_packs_well_can_be_read_again(tmp_path: Path) -> None:
    """Bug: the last input was taken while output was still waiting, and the file counted as damaged."""
    chance = random.Random(1)  # noqa: S311 - content, not a secret
    body = chance.randbytes(256 * 1024) + b"text and code repeat themselves. " * 7944
    tree = MemoryTree({"APP.md": APP_MD, "dist/large.bin": body})
    done = pack(tree, tmp_path / "large.lapp")
    assert isinstance(done, Packed)
    assert open_archive(done.path).read("dist/large.bin") == body
