"""`lime-desktop workflow schedules` and `schedule` (ours): allowed, paused and started now from a terminal, without a window."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lime_desktop.cli.main import main
from tests.host.app_center.packages import make_package

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]

_FLOW = """\
key: flow
states: [{ key: keep, kind: storage-write, storageKey: seen, value: 1 }]
recovery: { onError: fail, onTimeout: fail }
"""
_DECLARED = """\
workflows: [{ key: flow, path: workflows/flow.yaml }]
services:
  - { key: daily, kind: scheduler, schedule: 0 9 * * *, timeZone: Europe/Berlin, workflow: flow, quietOn: [metered] }
  - { key: broken, kind: scheduler, schedule: now and then, workflow: flow }
"""


class Terminal:
    """An installed app with a schedule, and the command."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        package = make_package(folder, more=_DECLARED, files={"workflows/flow.yaml": _FLOW})
        manifest = package / "APP.md"
        text = manifest.read_text("utf-8")
        manifest.write_text(text.replace("lime.ui:", 'lime.workflow: "*", lime.ui:'), "utf-8")
        done = self("install", str(package), "--yes", "--accept-unsigned", "--grant-suggested")
        assert done.exit_code == 0, done.output
        self.reviewed = done.output

    def __call__(self, *arguments: str, typed: str = "") -> Result:
        command = [*arguments, "--data-dir", str(self.data)]
        return CliRunner().invoke(main, command, input=typed)

    def json(self, *arguments: str, expected: int = 0) -> dict[str, Any]:
        done = self("workflow", *arguments, "--json")
        assert done.exit_code == expected, done.output
        return json.loads(done.stdout)


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    return Terminal(tmp_path)


def test_a_schedule_is_off_until_a_person_allows_it(terminal: Terminal) -> None:
    """What cannot be kept is not offered; what this computer does not tell is said."""
    assert "“daily”: Every day at 09:00 (Europe/Berlin)." in terminal.reviewed
    assert "nothing until you allow it" in terminal.reviewed
    [listed] = terminal.json("schedules", "notes")["schedules"]
    assert (listed["key"], listed["state"]) == ("daily", "off")
    assert listed["untold"] == ["metered"]
    asked = terminal("workflow", "schedule", "enable", "notes", "daily", typed="n\n")
    assert asked.exit_code == 1
    assert "0 9 * * * (Europe/Berlin)" in asked.stdout
    assert terminal.json("schedules", "notes")["schedules"][0]["state"] == "off"
    allowed = terminal.json("schedule", "enable", "notes", "daily", "--yes")["schedule"]
    assert allowed["state"] == "on"
    assert "nextAt" in allowed
    for verb, state in (("pause", "paused"), ("resume", "on"), ("disable", "off")):
        assert terminal.json("schedule", verb, "notes", "daily")["schedule"]["state"] == state
    refused = terminal.json("schedule", "pause", "notes", "daily", expected=1)
    assert refused["code"] == "APP_E301"
    unknown = terminal.json("schedule", "enable", "notes", "broken", "--yes", expected=1)
    assert unknown["code"] == "APP_E303"


def test_it_is_started_now_and_its_record_tells_so(terminal: Terminal) -> None:
    ended = terminal.json("schedule", "run-now", "notes", "daily")["run"]
    assert (ended["status"], ended["trigger"]) == ("succeeded", "person")
    started = terminal.json("run", "notes", "flow")["run"]
    assert started["trigger"] == "person"
    told = terminal.json("schedule", "show", "notes", "daily")
    [start] = told["starts"]
    assert (start["trigger"], start["workflowRunId"]) == ("person", ended["workflowRunId"])
    shown = terminal("workflow", "schedule", "show", "notes", "daily")
    assert ended["workflowRunId"] in shown.stdout
    assert "daily" in terminal("workflow", "schedules", "notes").stdout
