"""``lime-desktop migrate``: a dry run unless told otherwise, and exit codes that scripts can rely on."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main

OLD = (
    "---\nname: old\nversion: 1.0.0\nstatus: stable # s\n"
    "description: An old app\nappType: custom\n---\nGuide\n"
)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "APP.md").write_bytes(OLD.encode())
    return folder


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["migrate", *map(str, arguments)])
    return result.exit_code, result.output


def test_a_dry_run_shows_the_difference_and_changes_nothing(package: Path) -> None:
    code, output = run(package)
    assert code == 1
    assert "-status: stable # s\n+manifestVersion: 0.10.0\n+status: ready # s\n" in output
    assert "2 changes to make; --write makes them" in output
    assert (package / "APP.md").read_text() == OLD


def test_writing_ends_well_and_a_second_run_has_nothing_to_do(package: Path) -> None:
    code, output = run(package, "--write")
    assert code == 0
    assert "2 changes made; the old files are in" in output
    assert run(package) == (0, f"{package}: nothing to do\n")


def test_steps_left_to_the_author_are_listed_and_fail_the_run(package: Path) -> None:
    (package / "APP.md").write_text(OLD.replace("stable", "shiny"))
    code, output = run(package, "--write")
    assert code == 1
    assert "APP.md:4  status  Choose one of" in output
    assert "1 change made, 1 to do by hand" in output
    code, output = run(package)
    assert code == 1
    assert "0 changes to make, 1 to do by hand\n" in output


def test_what_would_still_keep_it_from_passing_is_left_to_the_author(package: Path) -> None:
    """Ours: who follows a migration to its end has a package that passes."""
    permission = "permissions: [{key: a, scope: agent}, {key: b, scope: moon}]\n"
    broken = OLD.replace("appType: custom\n", f"{permission}endOfLifeAt: soon\n")
    (package / "APP.md").write_text(broken)
    code, output = run(package, "--write", "--json")
    shown = json.loads(output)
    assert code == 1
    assert [each["keyPath"] for each in shown["manualSteps"]] == [
        "permissions[1].scope",
        "appType",
        "endOfLifeAt",
    ]
    assert "scope: model" in (package / "APP.md").read_text()


def test_json_holds_everything_that_is_shown(package: Path) -> None:
    code, output = run(package, "--json")
    shown = json.loads(output)
    assert code == 1
    assert list(shown) == ["ok", "path", "written", "backup", "changes", "manualSteps", "diff"]
    assert shown["changes"][1] == {
        "file": "APP.md",
        "line": 4,
        "keyPath": "status",
        "before": "stable",
        "after": "ready",
        "reason": "`ready` is the standard's word.",
    }
    code, output = run(package, "--json", "--write")
    shown = json.loads(output)
    assert (code, shown["ok"], shown["written"]) == (0, True, True)
    assert Path(shown["backup"], "APP.md").read_text() == OLD


def test_an_archive_is_a_usage_error(tmp_path: Path) -> None:
    archive = tmp_path / "old.lapp"
    archive.write_bytes(b"PK")
    code, output = run(archive)
    assert code == 2
    assert "Unpack" in output


def test_a_disk_that_refuses_is_reported_without_a_traceback(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, f"Permission denied: {self} {target}")

    monkeypatch.setattr(Path, "replace", refuse)
    code, output = run(package, "--write")
    assert code == 1
    assert "Nothing was changed: Permission denied" in output
    assert (package / "APP.md").read_text() == OLD


def test_colours_never_let_a_package_drive_the_terminal(package: Path) -> None:
    (package / "APP.md").write_bytes(OLD.replace("name: old", 'name: "\x9b31mold"').encode())
    assert "\x9b" not in run(package)[1]
