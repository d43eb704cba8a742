"""`lime-desktop fixtures run -- COMMAND`: a provider's author learns what holds, by one command (the specification)."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.developing.fixtures import command

PLAYER = (sys.executable, "-m", "lime_desktop", "fixtures", "play")
SEVEN = {
    "artifact-evidence",
    "hitl-action",
    "stream-repair",
    "subagent-handoff",
    "text-basic",
    "tool-failure",
    "tool-success",
}
DEMANDS = {"schema", "first-screen", "replay", "expected"}


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["run", "--json", *arguments])


def told(result: Result) -> dict[str, Any]:
    # Several are printed one per line, a single one for people to read.
    is_one = result.stdout.startswith("{\n")
    texts = [result.stdout] if is_one else result.stdout.splitlines()
    return {proof["fixture"]: proof for proof in map(json.loads, texts)}


def provider(folder: Path, body: str) -> tuple[str, ...]:
    """A program that reads what is asked, and then does as it likes."""
    path = folder / "provider.py"
    head = "import json, sys\nasked = json.loads(sys.stdin.readline())\n"
    said = "def say(**event):\n    print(json.dumps(event), flush=True)\n"
    path.write_text(head + said + body, encoding="utf-8")
    return (sys.executable, str(path))


@pytest.mark.requirement("RT-59")
@pytest.mark.parametrize("way", [(), ("--", *PLAYER)], ids=["as they are", "by a program"])
def test_each_of_the_seven_proves_the_three_things(way: tuple[str, ...]) -> None:
    result = run(*way)
    proofs = told(result)
    assert proofs.keys() == SEVEN
    complaints = {
        name: [each for demand in proof["demands"].values() for each in demand["complaints"]]
        for name, proof in proofs.items()
    }
    assert complaints == {name: [] for name in SEVEN}
    assert {frozenset(proof["demands"]) for proof in proofs.values()} == {frozenset(DEMANDS)}
    assert result.exit_code == 0


@pytest.mark.parametrize(
    ("fixture", "body", "demand", "words"),
    [
        (
            "tool-success",
            "say(type='tool.result', toolCallId='c', payload={})\n",
            "schema",
            "tool_result_without_start",
        ),
        ("text-basic", "print('Loading model...')\n", "expected", "no JSON"),
        ("text-basic", "say(type='text.made.up', payload={})\n", "expected", "Look at: type"),
        ("text-basic", "", "schema", "stopped without ending"),
        ("text-basic", "say(type='turn.completed', payload={})\n", "expected", "'Good day' once"),
        (
            "hitl-action",
            "say(type='turn.completed', payload={})\n",
            "expected",
            "0 questions waited",
        ),
        (
            "subagent-handoff",
            "say(type='model.completed', payload={'text': 'They found it.'})\nsay(type='turn.completed')\n",
            "expected",
            "subagents: 0",
        ),
    ],
)
def test_a_provider_that_does_otherwise_is_told_what_does_not_hold(
    tmp_path: Path, fixture: str, body: str, demand: str, words: str
) -> None:
    result = run("--only", fixture, "--", *provider(tmp_path, body))
    found = told(result)[fixture]["demands"][demand]["complaints"]
    assert any(words in each for each in found), found
    assert result.exit_code == 1


def test_a_provider_that_says_nothing_is_not_waited_for(tmp_path: Path) -> None:
    silent = provider(tmp_path, "sys.stdin.read()\n")
    result = run("--only", "text-basic", "--patience", "1", "--", *silent)
    assert "said nothing" in str(told(result)["text-basic"]["demands"]["expected"])
    assert result.exit_code == 1


def test_what_is_asked_for_is_there_or_the_names_are_said() -> None:
    unknown = run("--only", "text")
    assert (unknown.exit_code, "text-basic" in unknown.stderr) == (2, True)
    missing = run("--only", "text-basic", "--", "no-such-program-anywhere")
    assert (missing.exit_code, "no-such-program-anywhere" in missing.stderr) == (2, True)
    listed = CliRunner().invoke(command, ["list"])
    assert all(name in listed.stdout for name in SEVEN)
