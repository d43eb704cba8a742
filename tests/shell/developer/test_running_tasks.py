"""A task goes on while its page is shown anew, and the new page can take it up again (ours)."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.developer.changes import Change, Renewal
from lime_desktop.developer.options import DeveloperOptions
from lime_desktop.protocol.calls.actions import RESPOND_ACTION, RespondActionParams
from lime_desktop.shell.developer.live_entry import LiveEntry
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.open_desktop import WAIT_MS, OpenDesktop, Shown

pytestmark = pytest.mark.system

APP_MD = """---
manifestVersion: 0.10.0
name: demo
displayName: Demo
description: Has an agent do something that takes a while.
version: 1.0.0
status: ready
appType: agent-app
runtimeTargets: [local]
requires: { capabilities: { lime.ui: ">=0.3.0 <1.0.0", lime.agent: ">=0.3.0 <1.0.0" } }
capabilities: [lime.ui, lime.agent]
runtimePackage:
  ui: { path: dist/ui, entry: index.html, format: static }
entries: [{ key: main, kind: page, title: Main, route: /, requiredCapabilities: [lime.ui, lime.agent] }]
permissions: [{ key: think, scope: model, access: execute, reason: To do it. }]
---

# Demo
"""
PAGE = """<!doctype html>
<p id="how"></p><p id="session"></p><p id="events"></p><p id="answer"></p>
<script type="module" src="/app.js"></script>
"""
SCRIPT = """import { getLimeRuntime } from "/__lime__/sdk/index.js";
const show = (id, text) => (document.getElementById(id).textContent = text);
const lime = await getLimeRuntime();
const running = (await lime.agent.listTasks()).find(({ status }) => status === "running");
const task = running ?? (await lime.agent.startTask({ title: "Long", taskKind: "long", prompt: "Ask" }));
show("how", running ? "taken up" : "begun");
show("session", task.sessionId);
const seen = [];
for await (const { sequence, type } of lime.agent.events(task.taskId)) {
  seen.push(sequence);
  show("events", seen.join());
  if (type === "approval:requested") document.body.dataset.asked = "yes";
}
show("answer", (await lime.agent.getTask({ taskId: task.taskId })).result.text);
"""
QUESTION: dict[str, object] = {
    "type": "action.required",
    "actionId": "action_1",
    "payload": {"actionType": "ask_user", "prompt": "Shall I go on?"},
}
STEPS: list[dict[str, object]] = [
    {"ask": QUESTION},
    {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
    {"type": "model.completed", "payload": {"messageId": "m1", "text": "It is done."}},
    {"type": "turn.completed", "payload": {}},
]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"
    (folder / "dist/ui").mkdir(parents=True)
    files = {"APP.md": APP_MD, "dist/ui/index.html": PAGE, "dist/ui/app.js": SCRIPT}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def live(
    package: Path, tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> Iterator[tuple[OpenDesktop, LiveEntry]]:
    """The app in a real desktop, in a view that is shown anew as its files are saved."""
    entries: list[LiveEntry] = []

    def join(services: Composition, _app_id: str) -> None:
        options = DeveloperOptions(package=package)

        def follow(tab: AppTab) -> None:
            entries.append(LiveEntry(tab, services.look.texts, services.folders.resources, options))

        services.opened_tabs.opened.connect(follow)

    scripts = tmp_path / "scripts.json"
    scripts.write_text(json.dumps({"Ask": STEPS}), encoding="utf-8")
    shown = Shown(package, "main", ("think",), scripts)
    desktop = OpenDesktop(tmp_path / "data", qtbot, loop, shown, join)
    desktop.start_server()
    desktop.tab.reload()
    yield desktop, entries[0]
    desktop.close()


def test_a_task_goes_on_over_a_reload_and_the_page_takes_it_up(
    live: tuple[OpenDesktop, LiveEntry], package: Path, qtbot: QtBot
) -> None:
    desktop, entry = live
    desktop.sees("how", "begun")
    qtbot.waitUntil(lambda: desktop.run("d.body.dataset.asked") == "yes", timeout=WAIT_MS)
    session_id = desktop.run("d.getElementById('session').textContent")
    with qtbot.waitSignal(entry.painted, timeout=WAIT_MS):
        entry.show_change(Change(("dist/ui/app.js",), Renewal.PAGE), open_folder(package), 1)
    desktop.sees("how", "taken up")
    assert desktop.run("d.getElementById('session').textContent") == session_id
    answer = {
        "sessionId": session_id,
        "requestId": "action_1",
        "actionType": "ask_user",
        "decision": "answered",
        "response": "Yes.",
    }
    desktop.ask(RESPOND_ACTION, RespondActionParams.model_validate(answer))
    desktop.sees("answer", "It is done.")
    events = str(desktop.run("d.getElementById('events').textContent")).split(",")
    assert events == [str(number) for number in range(int(events[0]), int(events[-1]) + 1)]
