"""`lime-desktop providers`, as a person and as a program uses it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.agents.providers import command
from tests.app_server.model_server import ModelServer, failure, model_list
from tests.app_server.providers.kept import SECRET


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")


def run(folder: Path, *arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(command, [*arguments, "--data-dir", str(folder)], input=given)


def document(result: Result) -> Any:
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return json.loads(result.stdout)


def test_a_provider_is_added_tested_listed_and_removed(tmp_path: Path) -> None:
    """The issue: providers list | add | test | remove."""
    with ModelServer(otherwise=model_list("m1", "m2")) as server:
        made = run(
            tmp_path, "add", "mine", "--base-url", server.url, "--key-stdin", "--json",
            given=f"{SECRET}\n",
        )  # fmt: skip
        assert made.exit_code == 0
        provider = document(made)
        assert provider["hasKey"]
        assert [m["modelId"] for m in provider["settings"]["models"]] == ["m1", "m2"]
        assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"
        tested = run(tmp_path, "test", "mine", "--model", "m2")
        assert tested.exit_code == 0
        assert "It names 2 models" in tested.output
        assert run(tmp_path, "test", "mine", "--model", "m9").exit_code == 1
    listed = run(tmp_path, "list")
    assert "in an encrypted file" in listed.output
    assert SECRET not in listed.output + made.output + tested.output
    assert run(tmp_path, "remove", "mine").exit_code == 0
    assert run(tmp_path, "remove", "mine", "--json").exit_code == 1


def test_a_key_has_no_place_among_the_arguments() -> None:
    """The issue: a key never appears in argv."""
    for name in ("add", "key"):
        options = [option for p in command.commands[name].params for option in p.opts]
        # The name of a variable is none: what it holds stays in the environment.
        ways = {"--key-stdin", "--key-env", "--without-key"}
        assert [o for o in options if "key" in o and o not in ways] == []


def test_a_key_is_taken_from_the_environment_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: who has exported a key need not type it, and nothing of it is printed."""
    monkeypatch.setenv("MY_API_KEY", f" {SECRET}\n")
    near = ("mine", "--base-url", "https://models.example/v1", "--model", "m")
    made = run(tmp_path, "add", *near, "--key-env", "MY_API_KEY")
    assert made.exit_code == 0
    assert SECRET not in made.output
    assert run(tmp_path, "add", "other", *near[1:], "--key-env", "NOT_THERE").exit_code == 2


def test_another_key_replaces_the_first(tmp_path: Path) -> None:
    """Ours: a key is changed without setting the provider up again."""
    run(tmp_path, "add", "openai", "--model", "gpt", "--key-stdin", given="first")
    changed = run(tmp_path, "key", "openai", "--key-stdin", "--json", given="second")
    assert document(changed)["hasKey"]
    assert run(tmp_path, "key", "openai").exit_code == 2
    assert run(tmp_path, "key", "nobody", "--key-stdin", given="x").exit_code == 1


def test_what_is_still_missing_is_said_and_ends_with_one(tmp_path: Path) -> None:
    """Ours: scripts branch on the exit code."""
    made = run(tmp_path, "add", "anthropic", "--model", "claude")
    assert made.exit_code == 1
    assert "Add its key" in made.output
    with ModelServer(otherwise=failure(500)) as server:
        broken = run(tmp_path, "add", "near", "--base-url", server.url, "--without-key")
    assert broken.exit_code == 1
    assert "could not be loaded" in broken.stderr


def test_what_is_not_known_by_name_needs_an_address(tmp_path: Path) -> None:
    """Ours: usage errors end with 2 and say what is missing."""
    assert "--base-url" in run(tmp_path, "add", "mine").output
    wrong = run(tmp_path, "add", "mine", "--base-url", "http://example.com")
    assert wrong.exit_code == 2
    assert "baseUrl" in wrong.output
    assert "use https" in wrong.output
    assert run(tmp_path, "add", "mine").exit_code == 2


@pytest.mark.parametrize("arguments", [("add",), ("key",), ("test",), ("remove",), ("set", "--on")])
def test_a_bad_name_is_a_usage_error(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A bug: it ended with a traceback."""
    refused = run(tmp_path, *arguments, "Bad Name")
    assert refused.exit_code == 2
    assert "only lowercase letters" in refused.stderr


def test_a_provider_that_is_not_set_up_is_called_so(tmp_path: Path) -> None:
    refused = run(tmp_path, "test", "nobody")
    assert refused.exit_code == 1
    assert "No provider of this name is set up" in refused.stderr
    assert "author" not in refused.stderr


def test_an_empty_list_shows_what_can_be_added(tmp_path: Path) -> None:
    """Ours: a newcomer is told how to begin."""
    listed = run(tmp_path, "list")
    assert "providers add ollama" in listed.output
    assert document(run(tmp_path, "list", "--json"))["providers"] == []


def test_limits_order_and_the_way_there_are_changed_and_the_rest_stays(tmp_path: Path) -> None:
    """A bug: limits, proxy and certificates could be set by no command, while errors said to raise the limit."""
    run(
        tmp_path,
        "add",
        "near",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--without-key",
        "--model",
        "a",
    )
    authority = tmp_path / "authority.pem"
    authority.write_text("certificates")
    changed = run(
        tmp_path, "set", "near", "--monthly-limit", "5", "--task-limit", "0.5", "--order", "7", "--off",
        "--proxy", "http://127.0.0.1:8", "--ca-file", str(authority), "--first-model", "b", "--json",
    )  # fmt: skip
    assert changed.exit_code == 0
    settings = document(changed)["settings"]
    assert [m["modelId"] for m in settings["models"]] == ["b", "a"]
    assert settings["limits"]["monthlyCost"]["amount"] == 5
    assert settings["limits"]["taskCost"]["amount"] == 0.5
    assert settings["network"]["proxyUrl"] == "http://127.0.0.1:8"
    assert settings["network"]["caFile"] == str(authority)
    assert (settings["rank"], settings["isEnabled"], settings["title"]) == (7, False, "near")
    shown = run(tmp_path, "set", "near", "--monthly-limit", "none", "--proxy", "none", "--on")
    assert "0.5 USD" in shown.output
    assert "monthly limit" not in shown.output
    assert "127.0.0.1:8" not in shown.output


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--monthly-limit", "-1"),
        ("--monthly-limit", "inf"),
        ("--task-limit", "much"),
        ("--requests-per-minute", "0"),
        ("--proxy", "socks5://proxy"),
        ("--base-url", "http://example.com"),
        ("--order", "900"),
        ("--ca-file", "no-such.pem"),
    ],
)
def test_a_value_that_will_not_do_is_named_and_nothing_changes(
    tmp_path: Path, option: str, value: str
) -> None:
    """Ours: used wrongly ends with 2."""
    run(
        tmp_path,
        "add",
        "near",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--without-key",
        "--model",
        "a",
    )
    before = document(run(tmp_path, "list", "--json"))
    wrong = run(tmp_path, "set", "near", option, value, "--title", "Other")
    assert wrong.exit_code == 2
    assert value in wrong.output or option in wrong.output
    assert document(run(tmp_path, "list", "--json")) == before


def test_nothing_to_change_and_nobody_to_change_are_told_apart(tmp_path: Path) -> None:
    """Ours: the exit code says whether the command or the provider was wrong."""
    assert run(tmp_path, "set", "nobody").exit_code == 2
    assert run(tmp_path, "set", "nobody", "--off").exit_code == 1


def test_an_id_that_is_taken_is_no_matter_of_reloading_an_app(tmp_path: Path) -> None:
    """A bug: the terminal was told what a window's button does."""
    near = (
        "add",
        "mine",
        "--base-url",
        "https://models.example/v1",
        "--model",
        "m",
        "--without-key",
    )
    assert run(tmp_path, *near).exit_code == 0
    again = run(tmp_path, *near)
    assert again.exit_code != 0
    assert "Reload" not in again.output
    assert "another name" in again.output
