"""``lime-desktop new``: a working app, and what to do with it next (ours)."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from lime_desktop.cli.main import main


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["new", *arguments])
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_it_says_what_to_do_next_in_three_commands(tmp_path: Path) -> None:
    code, output = run("my-notes")
    assert code == 0
    _, _, *steps = output.splitlines()
    assert [line.split("  ")[1] for line in steps] == [
        "cd my-notes",
        "lime-desktop dev .",
        "lime-desktop test .",
    ]
    assert (tmp_path / "my-notes/APP.md").is_file()


def test_programs_are_told_which_files_there_are(tmp_path: Path) -> None:
    code, output = run("my-notes", "--template", "chat", "--json")
    told = json.loads(output)
    assert (code, told["app"], told["template"]) == (0, "my-notes", "chat")
    assert all((tmp_path / "my-notes" / file).is_file() for file in told["files"])


@pytest.mark.parametrize(
    ("name", "words"),
    [("My Notes", "small letters, digits and dashes"), ("taken", "already holds")],
)
def test_what_it_will_not_do_is_said_in_a_sentence(tmp_path: Path, name: str, words: str) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/mine.txt").touch()
    code, output = run(name)
    assert code == 2
    assert words in output
    assert [path.name for path in tmp_path.rglob("*")] == ["taken", "mine.txt"]


def test_without_a_name_a_program_is_told_what_is_missing() -> None:
    code, output = run("--json")
    assert code == 2
    assert "Missing argument 'NAME'" in output


@pytest.mark.system
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such terminal on Windows")
def test_without_a_name_a_person_is_asked(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    asked = subprocess.Popen(
        [sys.executable, "-m", "lime_desktop", "new"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    os.close(theirs)
    # A name that no app can have is asked for again; Enter takes the first of the templates.
    os.write(ours, b"My Notes\nmy-notes\n\n")
    said, _ = asked.communicate(timeout=60)
    os.close(ours)
    assert asked.returncode == 0, said
    assert "small letters" in said
    assert "lime-desktop dev ." in said
    assert (tmp_path / "my-notes/APP.md").is_file()


@pytest.mark.parametrize("template", ["react", "vue"])
def test_an_app_with_a_bundler_says_how_it_is_shown(template: str) -> None:
    code, output = run("my-notes", "--template", template)
    assert code == 0
    assert "npm install && npm run dev" in output
    assert "lime-desktop dev . --url http://localhost:5173" in output
