"""`lime-desktop workflow triggers` and `trigger` (ours): allowed, paused and shown from a terminal, without a window."""

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
inputs: { type: object }
states: [{ key: keep, kind: storage-write, storageKey: seen, value: 1 }]
recovery: { onError: fail, onTimeout: fail }
triggers:
  - { key: bill, title: A new bill, on: folder, files: "*.pdf" }
  - { key: row, on: storage, table: bills }
  - { key: broken, on: weather }
"""


class Terminal:
    """An installed app with triggers, and the command."""

    def __init__(self, folder: Path) -> None:
        self.data = folder / "data"
        declared = "workflows: [{ key: flow, path: workflows/flow.yaml }]\n"
        package = make_package(folder, more=declared, files={"workflows/flow.yaml": _FLOW})
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


def test_a_trigger_is_off_until_a_person_allows_it(tmp_path: Path) -> None:
    """What cannot be heeded is not offered; what it still lacks is said."""
    terminal = Terminal(tmp_path)
    assert "“A new bill”: When a file such as *.pdf arrives" in terminal.reviewed
    assert "nothing until you allow it" in terminal.reviewed
    bill, row = terminal.json("triggers", "notes")["triggers"]
    assert (bill["key"], bill["state"], bill["needs"]) == ("flow/bill", "off", "folder")
    assert (row["names"], row["changes"]) == ("bills", ["insert", "update"])
    asked = terminal("workflow", "trigger", "enable", "notes", "flow/bill", typed="n\n")
    assert asked.exit_code == 1
    assert "no folder is open to the app for good" in asked.stdout
    assert terminal.json("triggers", "notes")["triggers"][0]["state"] == "off"
    allowed = terminal.json("trigger", "enable", "notes", "flow/bill", "--yes")["trigger"]
    assert allowed["state"] == "on"
    for verb, state in (("pause", "paused"), ("resume", "on"), ("disable", "off")):
        assert terminal.json("trigger", verb, "notes", "flow/bill")["trigger"]["state"] == state
    refused = terminal.json("trigger", "pause", "notes", "flow/bill", expected=1)
    assert refused["code"] == "APP_E301"
    unknown = terminal.json("trigger", "enable", "notes", "flow/broken", "--yes", expected=1)
    assert unknown["code"] == "APP_E303"
    shown = terminal("workflow", "trigger", "show", "notes", "flow/row")
    assert "table bills: insert, update" in shown.output
    assert "2 triggers" in terminal("workflow", "triggers", "notes").output
