"""`lime-desktop fixtures run -- COMMAND`: a provider's author learns what holds, by one command (the specification)."""

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.app_server.children.leashed_process import LeashedProcess
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
_LATE_S = 0.3
"""Longer than the rest of the command takes."""
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


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("sys.stdin.read()\n", "said nothing"),
        ("while True:\n    print(end='x' * 100_000)\n", "more than"),
    ],
    ids=["silent", "endless"],
)
def test_a_program_that_was_ended_is_gone_when_the_command_is(
    body: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: it died after the loop that had started it, whose pipes were then found open."""
    started: list[LeashedProcess] = []
    start = LeashedProcess.start

    async def start_noted(*words: Any, **settings: Any) -> LeashedProcess:
        started.append(await start(*words, **settings))
        return started[-1]

    monkeypatch.setattr(LeashedProcess, "start", start_noted)
    release = LeashedProcess.release

    def release_late(child: LeashedProcess) -> None:
        asyncio.get_running_loop().call_later(_LATE_S, release, child)

    monkeypatch.setattr(LeashedProcess, "release", release_late)
    result = run("--only", "text-basic", "--patience", "1", "--", *provider(tmp_path, body))
    assert said in str(told(result)["text-basic"]["demands"]["expected"])
    assert [child.process.returncode for child in started] == [128 + signal.SIGKILL]


def test_what_is_asked_for_is_there_or_the_names_are_said() -> None:
    unknown = run("--only", "text")
    assert (unknown.exit_code, "text-basic" in unknown.stderr) == (2, True)
    missing = run("--only", "text-basic", "--", "no-such-program-anywhere")
    assert (missing.exit_code, "no-such-program-anywhere" in missing.stderr) == (2, True)
    listed = CliRunner().invoke(command, ["list"])
    assert all(name in listed.stdout for name in SEVEN)
