"""A manifest that leads anywhere else is refused before a byte is written (ours); so is one that means two things."""

import os
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.shipping.manifest import (
    Entry,
    Manifest,
    Piece,
    TreeFile,
    TreeFolder,
    TreeLink,
    check_manifest,
    check_path,
    parse_manifest,
)
from lime_desktop.shipping.pieces import cut_points
from lime_desktop.shipping.refusals import UpdateCode, UpdateRefused
from lime_desktop.shipping.release import Release, is_in_rollout
from lime_desktop.shipping.versions import is_version

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def file(path: str) -> TreeFile:
    return TreeFile(path, "644", EMPTY, 0, (Piece(EMPTY, 0, 8),))


def manifest(*entries: Entry) -> Manifest:
    return Manifest(format=1, product="p", platform="any", version="1.0.0", entries=entries)


def is_refused(*entries: Entry) -> bool:
    try:
        check_manifest(manifest(*entries))
    except UpdateRefused as refused:
        return refused.code is UpdateCode.MALFORMED
    return False


@pytest.mark.parametrize(
    "path",
    [
        "../outside",
        "a/../../outside",
        "/etc/passwd",
        "a//b",
        "./a",
        "a/.",
        "",
        "a\\..\\b",
        "C:/windows",
        "a:stream",
        "nul\0byte",
        "line\nbreak",
        "trailing. ",
        "dots...",
        "e\u0301",
        "lone\ud800",
        "x" * 300,
    ],
)
def test_a_path_that_leaves_its_folder_or_is_read_in_two_ways_is_refused(path: str) -> None:
    assert is_refused(file(path))


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("link", "../outside"),
        ("link", "/etc"),
        ("a/link", "../../outside"),
        ("a/b/link", "../.."),
        ("link", "."),
        ("link", ""),
        # Led down by another link and then up, it would be outside.
        ("link", "a/b/c/other/../../x"),
    ],
)
def test_a_link_out_of_the_tree_is_refused(path: str, target: str) -> None:
    assert is_refused(TreeLink(path, target))


@pytest.mark.parametrize(("path", "target"), [("a", "b"), ("a/b", "../c/d"), ("a/b/c", "../../x")])
def test_a_link_within_the_tree_is_taken(path: str, target: str) -> None:
    assert not is_refused(TreeLink(path, target))


@pytest.mark.parametrize(
    "paths",
    [("a", "A"), ("Straße", "STRASSE"), ("a/x", "A/y"), ("a", "a"), ("a", "a/b"), ("A", "a/b")],
)
def test_two_of_one_name_are_refused(paths: tuple[str, str]) -> None:
    assert is_refused(*(file(each) for each in paths))


def test_nothing_lies_below_a_link() -> None:
    """It would be written where the link leads."""
    assert is_refused(TreeLink("a", "b"), file("a/x"))
    assert is_refused(file("a/x"), TreeLink("a", "b"))
    assert not is_refused(TreeFolder("b"), TreeLink("a", "b"))


parts = st.text(min_size=1, max_size=12) | st.sampled_from(
    ["..", ".", "", "a", "B", "CON", "~", "*"]
)
paths = st.lists(parts, min_size=1, max_size=5).map("/".join)


@given(paths)
def test_whatever_path_is_taken_stays_in_its_folder(path: str) -> None:
    try:
        taken = check_path(path)
    except UpdateRefused:
        return
    assert os.path.normpath(path) == path
    assert not PurePosixPath(path).is_absolute()
    assert ".." not in taken
    assert (Path("/root") / path).parts[:2] == ("/", "root")


climbs = st.lists(st.sampled_from(["..", "a", "b", "l", "m"]), min_size=1, max_size=6).map("/".join)
spots = st.lists(st.sampled_from(["a", "b", "c"]), min_size=0, max_size=3)


@given(st.lists(st.tuples(spots, st.sampled_from(["l", "m", "n"]), climbs), min_size=1, max_size=4))
def test_whatever_links_are_taken_lead_nowhere_else(
    tmp_path_factory: pytest.TempPathFactory, links: list[tuple[list[str], str, str]]
) -> None:
    """Made on a real disk, in any company, and followed to their ends."""
    entries = [TreeLink("/".join([*spot, name]), target) for spot, name, target in links]
    if is_refused(*entries):
        return
    root = tmp_path_factory.mktemp("links").resolve() / "one" / "two"
    for entry in entries:
        place = root / entry.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(entry.target)
    for entry in entries:
        try:
            leads = (root / entry.path).resolve()
        except (RuntimeError, OSError):
            continue  # in a circle
        assert leads.is_relative_to(root), entries


@given(st.binary(max_size=300))
def test_whatever_bytes_are_a_manifest_or_refused(data: bytes) -> None:
    with pytest.raises(UpdateRefused):
        parse_manifest(data)


def test_a_manifest_is_read_as_it_was_written() -> None:
    made = manifest(file("a/b"), TreeLink("a/c", "b"), TreeFolder("d"))
    assert parse_manifest(made.to_bytes()) == made


def test_pieces_that_do_not_make_the_file_are_refused() -> None:
    whole = file("a")
    for pieces in (
        (Piece(EMPTY, 5, 8),),
        (Piece(EMPTY, 0, 5_000),),
        (Piece("../../x", 0, 8),),
        (Piece(EMPTY, -3, 8), Piece(EMPTY, 3, 8)),
    ):
        assert is_refused(TreeFile("a", "644", whole.sha256, 0, pieces))


@given(st.text(max_size=30))
def test_a_version_is_a_safe_name_of_a_folder(text: str) -> None:
    if is_version(text):
        assert Path("/root", text).parent == Path("/root")
        assert not text.startswith(".")


@given(st.integers(0, 3_000_000), st.integers(0, 5))
def test_pieces_are_the_whole_file_and_none_is_too_large(size: int, seed: int) -> None:
    data = (seed.to_bytes(1) * 7 + b"\xa7\x1c" + bytes(range(90))) * (size // 99 + 1)
    ends = cut_points(data[:size])
    assert ends[-1] == size
    assert ends == sorted(set(ends))


def test_a_rollout_is_steady_and_reaches_about_as_many_as_it_says() -> None:
    def release(rollout: int) -> Release:
        return Release(
            format=1,
            product="p",
            platform="any",
            channel="stable",
            version="1.0.0",
            rollout=rollout,
            paused=False,
            minimum_version="0.0.0",
            notes={},
        )

    names = [f"{number:032x}" for number in range(4_000)]
    quarter = {name for name in names if is_in_rollout(release(25), name)}
    half = {name for name in names if is_in_rollout(release(50), name)}
    assert 0.22 < len(quarter) / len(names) < 0.28
    assert quarter < half, "who has it keeps it"
    assert all(is_in_rollout(release(100), name) for name in names)
    assert not any(is_in_rollout(release(0), name) for name in names)
