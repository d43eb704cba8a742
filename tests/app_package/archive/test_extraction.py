"""What is installed is exactly what was verified (the standard's m.4, and ours)."""

import os
import stat
from pathlib import Path

import pytest

from lime_desktop.app_package.archive.extraction import Extracted, NotExtracted, extract_to
from lime_desktop.app_package.archive.reader import open_archive
from lime_desktop.app_package.files.hashes import tree_hash
from lime_desktop.app_package.files.tree import open_folder
from tests.app_package.hostile_archives.cases import CASES, HostileArchive
from tests.app_package.hostile_archives.forge import Member, forge
from tests.app_package.trees import APP_MD, MemoryTree

CONTENTS = {"APP.md": APP_MD, "dist/ui/app.js": b"run()" * 100_000, "dist/空.txt": b""}


def everything_below(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def codes(result: Extracted | NotExtracted) -> list[str]:
    assert isinstance(result, NotExtracted)
    return [problem.code for problem in result.problems]


def test_an_archives_files_arrive_whole_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "sample.lapp"
    members = [Member(name.encode(), data) for name, data in CONTENTS.items()]
    path.write_bytes(forge([*members, Member(b"run.sh", mode=0o104755)]))
    tree = open_archive(path)
    target = tmp_path / "installed" / "sample"
    result = extract_to(target, tree, package_hash=tree_hash(tree))
    assert result == Extracted(target, tree_hash(tree))
    installed = open_folder(target)
    assert tree_hash(installed) == tree_hash(tree)
    assert everything_below(tmp_path / "installed") == [
        "sample",
        "sample/APP.md",
        "sample/dist",
        "sample/dist/ui",
        "sample/dist/ui/app.js",
        "sample/dist/空.txt",
        "sample/run.sh",
    ]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no mode bits")
def test_only_the_executable_bit_survives_of_a_mode(tmp_path: Path) -> None:
    path = tmp_path / "sample.lapp"
    path.write_bytes(forge([Member(b"run", mode=0o106777), Member(b"plain", mode=0o100666)]))
    tree = open_archive(path)
    extract_to(tmp_path / "out", tree, package_hash=tree_hash(tree))
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "out").iterdir()}
    umask = os.umask(0)
    os.umask(umask)
    assert modes == {"run": 0o755 & ~umask, "plain": 0o644 & ~umask}


def test_files_that_are_not_the_verified_ones_leave_nothing_behind(tmp_path: Path) -> None:
    verified = tree_hash(MemoryTree(CONTENTS))
    swapped = MemoryTree(CONTENTS | {"APP.md": b"swapped"})
    result = extract_to(tmp_path / "app", swapped, package_hash=verified)
    assert codes(result) == ["EXTRACTION_CHANGED"]
    assert everything_below(tmp_path) == []


def test_an_archive_swapped_between_verifying_and_installing_leaves_nothing_behind(
    tmp_path: Path,
) -> None:
    path = tmp_path / "sample.lapp"
    path.write_bytes(forge([Member(b"APP.md", b"honest"), Member(b"b", b"second")]))
    tree = open_archive(path)
    verified = tree_hash(tree)
    path.write_bytes(forge([Member(b"APP.md", b"honest"), Member(b"b", b"SECOND")]))
    result = extract_to(tmp_path / "apps" / "app", tree, package_hash=verified)
    assert codes(result) == ["EXTRACTION_FAILED"]
    assert everything_below(tmp_path / "apps") == []


def test_an_existing_target_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "mine").write_bytes(b"kept")
    tree = MemoryTree(CONTENTS)
    assert codes(extract_to(tmp_path / "app", tree, package_hash=tree_hash(tree))) == [
        "TARGET_EXISTS"
    ]
    assert everything_below(tmp_path) == ["app", "app/mine"]


def test_a_dangling_link_in_the_targets_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "app").symlink_to(tmp_path / "elsewhere")
    tree = MemoryTree(CONTENTS)
    assert codes(extract_to(tmp_path / "app", tree, package_hash=tree_hash(tree))) == [
        "TARGET_EXISTS"
    ]
    assert everything_below(tmp_path) == ["app"]


@pytest.mark.parametrize("case", CASES[:12], ids=lambda case: case.name)
def test_a_refused_archive_writes_nothing_anywhere(case: HostileArchive, tmp_path: Path) -> None:
    path = tmp_path / "hostile.lapp"
    path.write_bytes(case.build())
    result = extract_to(tmp_path / "apps" / "app", open_archive(path), package_hash="sha256:")
    assert codes(result) == [case.code]
    assert everything_below(tmp_path) == ["hostile.lapp"]


@pytest.mark.parametrize("path", ["../evil", "a/../../evil", "/lime-evil"])
def test_a_tree_that_hides_its_problems_still_writes_nothing_outside(
    path: str, tmp_path: Path
) -> None:
    tree = MemoryTree({"APP.md": APP_MD, path: b"evil"})
    result = extract_to(tmp_path / "apps" / "app", tree, package_hash=tree_hash(tree))
    assert isinstance(result, NotExtracted)
    assert everything_below(tmp_path) == ["apps"]
    assert not Path("/lime-evil").exists()


def test_a_folder_that_cannot_be_written_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    tree = MemoryTree(CONTENTS)
    result = extract_to(tmp_path / "file" / "app", tree, package_hash=tree_hash(tree))
    assert codes(result) == ["EXTRACTION_FAILED"]
