"""The SDK in a real view, over the real bridge, with a real App Server: what an app author imports is what works."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.app_server.apps.packages import write_app
from tests.shell.open_desktop import OpenDesktop, Shown
from tests.system.scripts import TEXT

pytestmark = pytest.mark.system

MORE = """\
entries: [{key: home, kind: page, title: Home, route: /}]
runtimePackage: {ui: {path: ./dist/ui}}
storage: {namespace: notes, schema: ./storage/schema.json}
permissions:
  - {key: keep, scope: storage, access: read-write, reason: To keep notes.}
  - {key: think, scope: model, reason: To think.}
"""
CAPABILITIES = "{lime.storage: '*', lime.agent: '*'}"
PAGE = """<!doctype html><meta charset="utf-8"><title>SDK</title><pre id="told"></pre>
<script type="module" src="/app.js"></script>"""
SCRIPT = """
import { LimeError, getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";
const told = {};
const lime = await getLimeRuntime();
try {
  told.app = lime.snapshot.app.appId;
  syncTheme(lime);
  told.theme = document.documentElement.dataset.limeThemeEffective;
  await lime.storage.set({ key: "a", value: "x".repeat(200) });
  told.value = (await lime.storage.get({ key: "a" })).length;
  const notes = lime.storage.table("note");
  await notes.upsert({ id: 1, title: "One" });
  told.row = (await notes.query({ where: { title: "One" } })).rows[0];
  told.refused = await lime.knowledge.search({ query: "x" }).catch((error) =>
    error instanceof LimeError ? [error.appErrorCode, error.userAction] : String(error));
  const { taskId } = await lime.agent.startTask({ prompt: "text", idempotencyKey: "once" });
  const types = [];
  for await (const event of lime.agent.events(taskId)) types.push(event.type);
  told.last = types.at(-1);
  told.result = (await lime.agent.result(taskId)).subtype;
} catch (error) {
  told.problem = `${error.appErrorCode ?? ""} ${error.message} ${JSON.stringify(error.details ?? {})}`;
}
document.getElementById("told").textContent = JSON.stringify({ ...told, done: true });
"""


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[OpenDesktop]:
    package = write_app(
        tmp_path,
        capabilities=CAPABILITIES,
        more=MORE,
        files={
            "dist/ui/index.html": PAGE,
            "dist/ui/app.js": SCRIPT,
            "storage/schema.json": '{"tables": [{"name": "note"}]}',
        },
    )
    scripts = tmp_path / "scripts.json"
    scripts.write_text(json.dumps({"text": TEXT}))
    shown = Shown(package, "home", ("keep", "think"), scripts)
    opened = OpenDesktop(tmp_path / "data", qtbot, loop, shown)
    yield opened
    opened.close()


def test_an_app_uses_the_host_through_the_sdk_that_the_host_serves(desktop: OpenDesktop) -> None:
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("told", '"done":true')
    told = json.loads(str(desktop.run("d.getElementById('told').textContent")))
    assert told == {
        "app": "notes",
        "theme": "light",
        "value": 200,
        "row": {"id": 1, "title": "One"},
        "refused": ["APP_E005", "Ask the app's author for an update"],
        "last": "result",
        "result": "success",
        "done": True,
    }


def test_what_to_do_about_a_refusal_is_said_in_the_persons_language(desktop: OpenDesktop) -> None:
    """A bug: a page in a Chinese window was handed the host's English."""
    desktop.look(locale="zh-CN")
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("told", '"done":true')
    told = json.loads(str(desktop.run("d.getElementById('told').textContent")))
    assert told["refused"] == ["APP_E005", "请该应用的作者提供更新"]
