"""`lime-desktop workflow` (ours): runs of an installed app, started and looked after from a terminal, whether the window is open or not."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.main import main
from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.startup.command_desk import CommandDesk
from lime_desktop.host.startup.later_starts import LaterStarts
from lime_desktop.host.startup.running_desktop import running_desktop
from lime_desktop.host.startup.single_instance import be_first_or_hand_over
from lime_desktop.protocol.app_call import APP_CALL, AppCallParams
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.errors import CapabilityMethodUnknown
from tests.app_server.for_apps import caller
from tests.app_server.twin import ServerTwin, server_twin
from tests.host.app_center.packages import make_package

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]

_RECOVERY = "recovery: { onError: fail, onTimeout: fail }\n"
_FLOW = (
    """\
key: flow
inputs: { type: object, properties: { topic: { type: string } }, required: [topic] }
outputs: { kept: $.states.keep.output.key }
states:
  - { key: keep, kind: storage-write, storageKey: "topics/${ $.input.topic }", value: 1, next: done }
  - { key: done, kind: end }
"""
    + _RECOVERY
)
_ASK = (
    """\
key: ask
states:
  - { key: who, kind: user-input, form: { type: object, properties: { name: { type: string } } }, next: done }
  - { key: done, kind: end }
"""
    + _RECOVERY
)
_BROKEN = (
    """\
key: broken
states:
  - { key: write, kind: storage-write, table: nowhere, value: { a: 1 }, next: done }
  - { key: done, kind: end }
"""
    + _RECOVERY
)
_PROSE = "# Review\n\nSomebody reads it.\n"


class Terminal:
    """An installed app with workflows, and the command."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        keys = ("flow", "ask", "broken")
        listed = ", ".join(f"{{ key: {key}, path: workflows/{key}.yaml }}" for key in keys)
        texts = zip(keys, (_FLOW, _ASK, _BROKEN), strict=True)
        package = make_package(
            folder,
            more=f"workflows: [{listed}, {{ key: prose, path: workflows/prose.md }}]\n",
            files={
                "workflows/prose.md": _PROSE,
                **{f"workflows/{key}.yaml": text for key, text in texts},
            },
        )
        manifest = package / "APP.md"
        manifest.write_text(
            manifest.read_text().replace("lime.ui:", 'lime.workflow: "*", lime.ui:')
        )
        done = self("install", str(package), "--yes", "--accept-unsigned", "--grant-suggested")
        assert done.exit_code == 0, done.output

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(main, [*arguments, "--data-dir", str(self.data)])

    def json(self, *arguments: str, expected: int = 0) -> dict[str, Any]:
        done = self("workflow", *arguments, "--json")
        assert done.exit_code == expected, done.output
        return json.loads(done.stdout)

    def run(self, *arguments: str, expected: int = 0) -> dict[str, Any]:
        return self.json(*arguments, expected=expected)["run"]


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_a_run_is_started_and_waited_for(terminal: Terminal) -> None:
    ended = terminal.run("run", "notes", "flow", "--input", '{"topic": "tea"}')
    assert (ended["status"], ended["output"]) == ("succeeded", {"kept": "topics/tea"})
    assert [each["state"] for each in ended["steps"]] == ["keep", "done"]
    shown = terminal("workflow", "show", "notes", ended["workflowRunId"])
    assert "flow: succeeded" in shown.stdout
    assert "keep  storage-write  succeeded" in shown.stdout
    refused = terminal.json("run", "notes", "flow", "--input", '{"topic": 1}', expected=1)
    assert refused["code"] == "APP_E014"
    assert "`topic` must be of the type" in refused["message"]
    half = terminal.json("run", "notes", "flow", "--input", '{"topic": "\\ud800"}', expected=1)
    assert half["code"] == "APP_E014", "half a character, as JSON's escapes can say it, is no text"
    assert terminal.json("run", "notes", "prose", expected=1)["code"] == "APP_E303"
    assert len(terminal.json("list", "notes")["runs"]) == 1


def test_a_run_is_written_as_evidence_with_what_was_asked_in_its_steps(
    terminal: Terminal, tmp_path: Path
) -> None:
    waiting = terminal.run("run", "notes", "ask")
    into = tmp_path / "into"
    into.mkdir()
    named = ("export", "notes", waiting["workflowRunId"], "--into", str(into))
    written = Path(terminal.json(*named)["path"])
    assert written.parent == into
    packs = [*written.iterdir()]
    assert len(packs) == 2
    for pack in packs:
        verified = CliRunner().invoke(main, ["evidence", "verify", str(pack), "--json"])
        assert verified.exit_code == 0, verified.output
    held = "".join(each.read_text() for each in written.rglob("*.json*"))
    assert waiting["sessionId"] in held
    assert waiting["steps"][0]["sessionId"] in held
    # Nothing of the person's is written over.
    again = terminal.json(*named, expected=1)
    assert again["ok"] is False
    reviews = Path(terminal.json(*named, "--kind", "review")["path"])
    assert len([*reviews.glob("review-*.md")]) == 2


def test_input_may_lie_in_a_file_and_has_to_be_json(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "tea.json").write_text('{"topic": "tea"}')
    ended = terminal.run("run", "notes", "flow", "--input", f"@{tmp_path / 'tea.json'}")
    assert ended["input"] == {"topic": "tea"}
    wrong = terminal("workflow", "run", "notes", "flow", "--input", "{topic")
    assert (wrong.exit_code, "It is no JSON." in wrong.output) == (2, True)


def test_a_run_that_asks_a_person_waits_and_is_paused_resumed_forked_and_cancelled(
    terminal: Terminal,
) -> None:
    waiting = terminal.run("run", "notes", "ask", "--key", "once")
    run_id = waiting["workflowRunId"]
    assert (waiting["status"], waiting["waitsFor"]) == ("waiting", "input")
    assert terminal.run("run", "notes", "ask", "--key", "once")["workflowRunId"] == run_id
    assert terminal.run("pause", "notes", run_id)["status"] == "paused"
    assert terminal.run("resume", "notes", run_id)["waitsFor"] == "input"
    forked = terminal.run("fork", "notes", run_id, "who", "--input", "7")
    assert (forked["forkedFrom"], forked["input"]) == (run_id, 7)
    listed = terminal("workflow", "list")
    assert "for a person to fill in a form" in listed.stdout
    assert "2 runs" in listed.stdout
    assert terminal.run("cancel", "notes", run_id)["status"] == "cancelled"
    assert len(terminal.json("list", "--workflow", "ask")["runs"]) == 1
    assert terminal.json("show", "notes", "nothing", expected=1)["code"] == "APP_E304"


def test_a_run_that_failed_says_why_and_is_tried_again(terminal: Terminal) -> None:
    failed = terminal.run("run", "notes", "broken", expected=1)
    assert failed["status"] == "failed"
    again = terminal.run("retry", "notes", failed["workflowRunId"], "--input", "1", expected=1)
    assert again["steps"][0]["attempt"] == 2
    told = terminal("workflow", "show", "notes", failed["workflowRunId"])
    assert f"lime-desktop workflow retry notes {failed['workflowRunId']}" in told.stdout
    assert again["error"]["code"] in told.stdout
    over = terminal("workflow", "pause", "notes", failed["workflowRunId"])
    assert (over.exit_code, "APP_E301: The run has ended." in over.output) == (1, True)


def test_nothing_is_run_of_an_app_that_is_off_or_not_there(terminal: Terminal) -> None:
    assert terminal.json("run", "other", "flow", expected=1)["code"] == "APP_E031"
    assert terminal("disable", "notes").exit_code == 0
    refused = terminal.json("run", "notes", "ask", expected=1)
    assert refused["ok"] is False
    assert terminal.json("list", "notes")["runs"] == []


@asynccontextmanager
async def open_desktop(data: Path) -> AsyncGenerator[ServerTwin]:
    """The parts of an open desktop that commands meet: the lock, the center, the server."""
    first = be_first_or_hand_over(data, "")
    assert first is not None
    registry = AppRegistry("en")
    async with server_twin(data / "app-server") as server:
        center = await open_center(data, server)
        await registry.follow(center)
        for app in registry.apps:
            await server(REGISTER_APP, registration_of(app))

        async def opened() -> Any:
            return center

        desk = CommandDesk(opened, server, lambda _: None)
        listening = LaterStarts(first, lambda _: None, desk)
        await listening.hear()
        try:
            yield server
        finally:
            listening.close()
            await desk.finish()
            await listening.end_conversations()
            await registry.close()
            await center.close()
            first.release()


def test_while_the_window_is_open_its_server_runs_it(terminal: Terminal) -> None:
    async def scene() -> None:
        async with open_desktop(terminal.data) as server:
            topic = '{"topic": "tea"}'
            ended = await asyncio.to_thread(terminal.run, "run", "notes", "flow", "--input", topic)
            assert ended["status"] == "succeeded"
            assert await server.kept("notes", "topics/tea") == 1
            waiting = await asyncio.to_thread(terminal.run, "run", "notes", "ask")
            listed = await asyncio.to_thread(terminal.json, "list")
            assert [each["workflowRunId"] for each in listed["runs"]] == [waiting["workflowRunId"]]
            over = await asyncio.to_thread(
                terminal.run, "cancel", "notes", waiting["workflowRunId"]
            )
            assert over["status"] == "cancelled"

    asyncio.run(scene())


def test_an_open_desktop_makes_no_other_call_of_an_app_for_a_command(terminal: Terminal) -> None:
    async def scene() -> None:
        async with (
            open_desktop(terminal.data),
            running_desktop(terminal.data) as desktop,
        ):
            assert desktop is not None
            wanted = AppCallParams(
                caller=caller("notes"), call="lime.storage.get", params=b'{"key": "x"}'
            )
            with pytest.raises(CapabilityMethodUnknown):
                await desktop.call(APP_CALL, wanted)

    asyncio.run(scene())
