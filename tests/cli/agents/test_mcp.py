"""`lime-desktop mcp`: what a person does to have a tool server."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.cli.agents.mcp import command
from tests.app_server.tools.mcp.conftest import command_of


def mcp(folder: Path, *words: str) -> Result:
    name, *rest = words
    return CliRunner().invoke(command, [name, "--data-dir", str(folder), *rest])


def test_a_server_is_added_listed_tried_and_removed(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the mcp package is not installed")
    added = mcp(tmp_path, "add", "raw", "--title", "Raw", "--", *command_of("raw_server.py"))
    assert added.exit_code == 0, added.output
    listed = json.loads(mcp(tmp_path, "list", "--json").output)
    assert [each["serverId"] for each in listed["servers"]] == ["raw"]
    tried = mcp(tmp_path, "test", "raw")
    assert tried.exit_code == 0, tried.output
    assert "raw is running." in tried.output
    assert "ask_secret" in tried.output
    assert mcp(tmp_path, "remove", "raw").exit_code == 0
    assert mcp(tmp_path, "remove", "raw").exit_code == 1
    assert "No tool servers yet" in mcp(tmp_path, "list").output


def test_a_server_that_does_not_work_ends_with_one_and_its_last_words(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="the mcp package is not installed")
    mcp(tmp_path, "add", "dying", "--", *command_of("raw_server.py", "dying"))
    tried = mcp(tmp_path, "test", "dying")
    assert tried.exit_code == 1
    assert "a word for the log" in tried.output
    as_json = json.loads(mcp(tmp_path, "test", "dying", "--json").output)
    assert as_json["state"] == "down"


def test_a_secret_is_read_from_standard_input_and_only_its_name_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SWITCH, "off")
    words = ["--data-dir", str(tmp_path), "--hidden", "Authorization", "http://127.0.0.1:1/mcp"]
    added = CliRunner().invoke(command, ["add", "far", *words], input="Bearer planted-4711\n")
    assert added.exit_code == 0, added.output
    listed = mcp(tmp_path, "list", "--json").output
    [hidden] = json.loads(listed)["servers"][0]["hidden"]
    assert (hidden["kind"], hidden["name"]) == ("header", "Authorization")
    written = [each.read_text("latin-1") for each in tmp_path.rglob("*") if each.is_file()]
    assert not [text for text in (*written, added.output, listed) if "planted" in text]
    without = CliRunner().invoke(command, ["add", "far", *words], input="")
    assert without.exit_code == 2


def test_a_refusal_says_why_in_plain_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug: the reason was hidden, or told by the name of a field."""
    monkeypatch.setenv(SWITCH, "off")
    words = ["--data-dir", str(tmp_path), "--hidden", "Authorization", "http://example.com/mcp"]
    refused = CliRunner().invoke(command, ["add", "far", *words], input="Bearer planted-4711\n")
    assert "a secret would travel unencrypted: use https" in refused.stderr
    assert "planted" not in refused.output
    refused = mcp(tmp_path, "add", "Bad Name", "--", "echo").stderr
    assert "only lowercase letters, digits and '_', '-'" in " ".join(refused.split())


def test_an_address_is_known_by_its_scheme(tmp_path: Path) -> None:
    added = mcp(tmp_path, "add", "far", "http://127.0.0.1:1/mcp", "--json")
    assert json.loads(added.output)["url"] == "http://127.0.0.1:1/mcp"


@pytest.mark.parametrize(
    "words",
    [
        ("add", "Not a name", "--", sys.executable),
        ("add", "x", "--variable", "GITHUB_TOKEN=t", "--", sys.executable),
        ("add", "x", "--variable", "nothing", "--", sys.executable),
        ("add", "x"),
        ("test", "unknown"),
    ],
)
def test_what_cannot_be_meant_is_refused_as_usage(tmp_path: Path, words: tuple[str, ...]) -> None:
    assert mcp(tmp_path, *words).exit_code == 2


def test_a_damaged_file_is_told_and_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mcp-servers.json").write_text("{")
    assert mcp(tmp_path, "list").exit_code == 1
    assert mcp(tmp_path, "add", "x", "--", "server").exit_code == 1
    assert (tmp_path / "mcp-servers.json").read_text() == "{"
