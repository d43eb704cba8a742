import os
import socket
from pathlib import Path

import pytest

from lime_desktop.app_package.files import tree as tree_module
from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.problem_kinds import ALL_KINDS


def codes_by_file(root: Path) -> dict[str | None, str]:
    return {problem.file: problem.code for problem in open_folder(root).problems}


def test_a_folder_gives_every_file_with_forward_slashes(tmp_path: Path) -> None:
    (tmp_path / "dist" / "ui").mkdir(parents=True)
    (tmp_path / "APP.md").write_bytes(b"# hi")
    (tmp_path / "dist" / "ui" / "索引.html").write_bytes(b"<p>")
    (tmp_path / ".hidden").write_bytes(b"")
    tree = open_folder(tmp_path)
    assert {path: entry.size for path, entry in tree.files.items()} == {
        ".hidden": 0,
        "APP.md": 4,
        "dist/ui/索引.html": 3,
    }
    assert tree.read("dist/ui/索引.html") == b"<p>"
    assert tree.problems == ()
    assert tree.name == tmp_path.name


def test_links_are_reported_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "passwd").symlink_to("/etc/passwd")
    (tmp_path / "dangling").symlink_to("nowhere")
    tree = open_folder(tmp_path)
    assert tree.files == {}
    assert codes_by_file(tmp_path) == dict.fromkeys(
        ["loop", "passwd", "dangling"], "LINK_IN_PACKAGE"
    )


def test_a_file_that_became_a_link_after_the_walk_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "APP.md"
    file.write_bytes(b"mine")
    tree = open_folder(tmp_path)
    file.unlink()
    file.symlink_to("/etc/passwd")
    with pytest.raises(OSError, match=r"APP\.md"):
        tree.read("APP.md")


def test_pipes_and_sockets_are_reported_and_never_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("plug")
        assert codes_by_file(tmp_path) == dict.fromkeys(["pipe", "plug"], "SPECIAL_FILE_IN_PACKAGE")


@pytest.mark.parametrize(
    "name",
    ["NUL", "con.txt", "Com1", "lpt9.md", "stream:b", "back\\slash", "dot.", "space ", "a\nb"],
)
def test_names_that_windows_cannot_hold_are_errors(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    (problem,) = open_folder(tmp_path).problems
    assert (problem.code, problem.severity) == ("PATH_NOT_PORTABLE", "error")


def test_a_name_that_is_not_unicode_is_reported_and_left_out(tmp_path: Path) -> None:
    Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9")).write_bytes(b"")
    tree = open_folder(tmp_path)
    assert tree.files == {}
    assert codes_by_file(tmp_path) == {"caf\\udce9": "PATH_NOT_UNICODE"}


def test_names_that_differ_only_in_case_or_unicode_form_collide(tmp_path: Path) -> None:
    for name in ["Assets/a", "assets/b", "cafe\u0301", "caf\u00e9"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert codes_by_file(tmp_path) == {
        "assets": "PATHS_COLLIDE",
        "caf\u00e9": "PATHS_COLLIDE",
    }


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    (tmp_path / "node_modules" / "x").mkdir(parents=True)
    (tmp_path / ".git").write_bytes(b"gitdir: elsewhere")
    assert open_folder(tmp_path).files == {}
    assert codes_by_file(tmp_path) == dict.fromkeys([".git", "node_modules"], "FOLDER_LEFT_OUT")


def test_a_folder_that_cannot_be_listed_is_reported(tmp_path: Path) -> None:
    assert codes_by_file(tmp_path / "missing") == {".": "FILE_UNREADABLE"}


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("MAX_FILES", "TOO_MANY_FILES"),
        ("MAX_FILE_BYTES", "FILE_TOO_LARGE"),
        ("MAX_PACKAGE_BYTES", "PACKAGE_TOO_LARGE"),
        ("MAX_FOLDER_DEPTH", "FOLDERS_TOO_DEEP"),
    ],
)
def test_what_exceeds_a_limit_is_left_out_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, code: str
) -> None:
    monkeypatch.setattr(tree_module, limit, 1)
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c").write_bytes(b"xx")
    (tmp_path / "d").write_bytes(b"x")
    (tmp_path / "e").write_bytes(b"x")
    assert code in codes_by_file(tmp_path).values()


def test_every_code_is_declared_once_with_a_meaning_and_a_fix() -> None:
    codes = [kind.code for kind in ALL_KINDS]
    assert len(codes) == len(set(codes))
    assert all(kind.meaning and kind.fix for kind in ALL_KINDS)
