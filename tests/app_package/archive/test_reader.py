"""Reading `.lapp` archives: ordinary ones are packages, hostile ones are refused (ours)."""

import io
import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.archive.reader import open_archive
from lime_desktop.app_package.archive.strict_zip import RefusedError, read_archive, unpack
from lime_desktop.app_package.files.hashes import tree_hash
from lime_desktop.app_package.problem_kinds import ALL_KINDS, archives
from lime_desktop.app_package.problems import ProblemKind, Severity
from tests.app_package.hostile_archives.cases import APP, CASES, HostileArchive
from tests.app_package.hostile_archives.forge import (
    DEFLATED,
    SIZES_FOLLOW,
    Member,
    forge,
    sizes_after,
)
from tests.app_package.trees import APP_MD, MemoryTree

Saved = Callable[[bytes], Path]


@pytest.fixture
def saved(tmp_path: Path) -> Saved:
    def save(data: bytes) -> Path:
        path = tmp_path / "sample-app.lapp"
        path.write_bytes(data)
        return path

    return save


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_archive_is_refused_with_its_own_code(case: HostileArchive, saved: Saved) -> None:
    tree = open_archive(saved(case.build()))
    assert {problem.code for problem in tree.problems} == {case.code, case.also} - {None}
    assert {problem.severity for problem in tree.problems} == {Severity.ERROR}
    assert dict(tree.files) == {}


def test_every_way_to_refuse_an_archive_has_a_case() -> None:
    declared = {v.code for v in vars(archives).values() if isinstance(v, ProblemKind)}
    not_refusals = {"ARCHIVE_WRAPPER_FOLDER", "ARCHIVE_UNREADABLE"}
    assert declared - {case.code for case in CASES} == not_refusals
    assert {case.code for case in CASES} <= {kind.code for kind in ALL_KINDS}


def test_an_archive_gives_the_same_files_and_hash_as_its_folder(saved: Saved) -> None:
    contents = {"APP.md": APP_MD, "dist/ui/索引.html": b"<p>" * 9999, "a-b": b"", "a/z": b"\0"}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in reversed(contents):
            archive.writestr(path, contents[path])
    tree = open_archive(saved(data.getvalue()))
    assert {path: tree.read(path) for path in tree.files} == contents
    assert {path: entry.size for path, entry in tree.files.items()} == {
        path: len(data) for path, data in contents.items()
    }
    assert tree.problems == ()
    assert tree_hash(tree) == tree_hash(MemoryTree(contents))
    assert tree.name == "sample-app"


@pytest.mark.parametrize("magic", [b"PK\x07\x08", b""], ids=["marked", "bare"])
def test_a_streaming_writers_archive_is_ordinary(magic: bytes, saved: Saved) -> None:
    plain = Member(b"APP.md", APP_MD, DEFLATED, SIZES_FOLLOW)
    zeros: dict[str, int | bytes] = {"checksum": 0, "packed_size": 0, "size": 0}
    streamed = Member(
        b"APP.md",
        APP_MD,
        DEFLATED,
        SIZES_FOLLOW,
        header=zeros,
        trailer=sizes_after(plain, magic=magic),
    )
    tree = open_archive(saved(forge([streamed])))
    assert tree.problems == ()
    assert tree.read("APP.md") == APP_MD


def test_what_the_systems_own_zip_tool_makes_is_ordinary(tmp_path: Path) -> None:
    zip_tool = shutil.which("zip")
    if zip_tool is None:
        pytest.skip("zip is not installed: its archives cannot be tried here")
    (tmp_path / "dist").mkdir()
    (tmp_path / "APP.md").write_bytes(APP_MD)
    (tmp_path / "dist" / "文件.txt").write_bytes(b"text" * 1000)
    subprocess.run(  # noqa: S603 - a fixed command, found by which()
        [zip_tool, "-qr", "app.lapp", "APP.md", "dist"], cwd=tmp_path, check=True, timeout=60
    )
    tree = open_archive(tmp_path / "app.lapp")
    assert tree.problems == ()
    assert sorted(tree.files) == ["APP.md", "dist/文件.txt"]


def test_a_single_wrapping_folder_is_taken_as_the_package(saved: Saved) -> None:
    tree = open_archive(
        saved(forge([Member(b"my-app/", b"", mode=0o40755), Member(b"my-app/APP.md", APP_MD)]))
    )
    assert [problem.code for problem in tree.problems] == ["ARCHIVE_WRAPPER_FOLDER"]
    assert (tree.name, list(tree.files), tree.read("APP.md")) == ("my-app", ["APP.md"], APP_MD)


def test_a_folder_beside_another_file_is_not_a_wrapper(saved: Saved) -> None:
    tree = open_archive(saved(forge([Member(b"my-app/APP.md", APP_MD), Member(b"x")])))
    assert sorted(tree.files) == ["my-app/APP.md", "x"]


def test_files_that_no_hash_covers_are_left_out(saved: Saved) -> None:
    """Ours: a file in `node_modules` could be added to a signed archive without changing its hash."""
    tree = open_archive(
        saved(forge([APP, Member(b"dist/node_modules/evil.js"), Member(b".git/x")]))
    )
    assert list(tree.files) == ["APP.md"]
    assert [(p.code, p.severity) for p in tree.problems] == [("FOLDER_LEFT_OUT", "note")] * 2


def test_the_executable_bit_is_kept(saved: Saved) -> None:
    tree = open_archive(saved(forge([APP, Member(b"services/run", mode=0o100755)])))
    assert {path: entry.is_executable for path, entry in tree.files.items()} == {
        "APP.md": False,
        "services/run": True,
    }


def test_an_archive_swapped_after_opening_is_not_read(saved: Saved) -> None:
    tree = open_archive(saved(forge([Member(b"APP.md", b"honest!")])))
    saved(forge([Member(b"APP.md", b"changed")]))
    with pytest.raises(OSError, match=r"APP\.md|CHECKSUM"):
        tree.read("APP.md")


def test_a_swapped_file_with_the_same_checksum_is_not_read(saved: Saved) -> None:
    """Ours: a CRC is no defence, so the archive's files are remembered by SHA-256."""
    tree = open_archive(saved(forge([Member(b"APP.md", b"plumless")])))
    saved(forge([Member(b"APP.md", b"buckeroo")]))  # a well-known pair with one CRC-32
    with pytest.raises(OSError, match="changed in the archive"):
        tree.read("APP.md")


def test_a_missing_or_unreadable_archive_is_a_problem_not_an_exception(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.lapp", tmp_path):
        tree = open_archive(path)
        assert [problem.code for problem in tree.problems] == ["ARCHIVE_UNREADABLE"]


def test_a_file_that_lies_about_its_size_is_stopped_there() -> None:
    """Ours: a bomb that admits to 1,000 bytes costs 1,000 bytes, not the 64 MiB it holds."""
    bomb = Member(b"a", b"\0" * 64 * 1024 * 1024, DEFLATED, size=1000)
    data = forge([bomb])
    given_out: list[bytes] = []
    (stored,) = read_archive(io.BytesIO(data), len(data))
    with pytest.raises(RefusedError, match="ARCHIVE_SIZE_WRONG"):
        given_out.extend(unpack(io.BytesIO(data), stored))
    assert sum(map(len, given_out)) <= 1000


def test_open_package_takes_folders_and_archives(tmp_path: Path, saved: Saved) -> None:
    (tmp_path / "APP.md").write_bytes(APP_MD)
    assert open_package(tmp_path).read("APP.md") == APP_MD
    assert open_package(saved(forge([APP]))).read("APP.md") == APP_MD


@settings(max_examples=300, deadline=1000)
@given(st.data())
def test_no_damage_to_an_archive_raises_or_changes_a_file_unseen(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    honest = {"APP.md": APP_MD, "dist/app.js": b"console.log(1)\n" * 50}
    original = forge([Member(k.encode(), v, DEFLATED) for k, v in honest.items()])
    damaged = bytearray(original)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    path = tmp_path_factory.mktemp("damaged") / "app.lapp"
    path.write_bytes(damaged)
    tree = open_archive(path)
    read = {name: tree.read(name) for name in tree.files}
    assert read.keys() <= honest.keys() or len(read) == len(honest)
    assert all(content in honest.values() for content in read.values())


@given(st.binary(max_size=400))
def test_any_bytes_as_an_archive_give_problems(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.mktemp("bytes") / "app.lapp"
    path.write_bytes(data)
    assert open_archive(path).problems


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_in_an_archives_place_is_refused_without_waiting(tmp_path: Path) -> None:
    """A bug: opening it waited for somebody to write to the pipe."""
    os.mkfifo(tmp_path / "app.lapp")
    (problem,) = open_package(tmp_path / "app.lapp").problems
    assert (problem.code, problem.message) == (
        "ARCHIVE_UNREADABLE",
        "Not readable: not an ordinary file.",
    )
