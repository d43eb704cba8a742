"""An app written to the published SDK's behaviour runs here unmodified (the standard, and the client that apps vendor).

The client below does what the fact sheet says of the published one, with its strictness: it works only under a real
parent, hears only that parent, drops answers of another app or entry, gives up after 15 s, sends arguments as `input`.
"""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.host.proxy.access import ProxyAccess
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.shell.app_view.profile import AppProfiles
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.conftest import WAIT_MS

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.system

CLIENT = """
export function createInvoker({appId, entryKey, requestPrefix = "app"}) {
  const host = window.parent, waiting = new Map();
  let counter = 0, listeners = {};
  const blocked = {ok: false, error: {code: "capability_unavailable", causeCode: "CAPABILITY_BLOCKED"}};
  window.addEventListener("message", event => {
    if (event.source !== window.parent) return;
    const m = event.data;
    if (!m || m.protocol !== "lime.agentApp.bridge" || m.version !== 1 || m.appId !== appId) return;
    if (m.entryKey !== undefined && m.entryKey !== entryKey) return;
    listeners[m.type]?.(m.payload);
    const settle = m.requestId && waiting.get(m.requestId);
    if (settle) { waiting.delete(m.requestId); settle(m); }
  });
  const post = (type, payload, requestId) => host.postMessage(
    {protocol: "lime.agentApp.bridge", version: 1, type, requestId, appId, entryKey, payload}, "*");
  const request = (type, payload, name) => host === window.self ? Promise.resolve(blocked) : new Promise(done => {
    const requestId = `${requestPrefix}-${++counter}-${name}`;
    const timer = setTimeout(() => { waiting.delete(requestId); done({ok: false, error: {code: "timeout"}}); }, 15000);
    waiting.set(requestId, m => { clearTimeout(timer); done(read(m)); });
    post(type, payload, requestId);
  });
  const read = ({type, payload}) => {
    if (type === "host:error" || payload?.ok === false) {
      const e = payload?.stableCode ? payload : payload?.error ?? payload;
      return {ok: false, error: {code: e.stableCode ?? e.code, causeCode: e.code, retryable: e.retryable, details: e.details}};
    }
    if (type === "host:snapshot") return payload;
    if (payload?.ok === true && "value" in payload) return {ok: true, value: payload.value, traceId: payload.traceId};
    return {ok: true, value: payload?.result ?? payload};
  };
  return {
    on: (type, listener) => { listeners[type] = listener; },
    ready: () => post("app:ready"),
    getSnapshot: () => request("host:getSnapshot", undefined, "host:getSnapshot"),
    invoke: (capability, method, input) => request("capability:invoke",
      input === undefined ? {capability, method} : {capability, method, input}, `${capability}:${method}`),
    subscribe: payload => request("capability:subscribe", payload, "subscribe"),
    unsubscribe: payload => request("capability:unsubscribe", payload, "unsubscribe"),
    toast: payload => request("host:toast", payload, "toast"),
  };
}
"""

APP = """
import {createInvoker} from "@lime/app-sdk";
const said = {};
const first = createInvoker({appId: "published", entryKey: "dashboard"});
const second = createInvoker({appId: "published", entryKey: "dashboard", requestPrefix: "other"});
let seen = 0;
first.on("host:snapshot", () => { seen++; });
first.on("theme:update", theme => console.log("THEME " + JSON.stringify(theme)));
first.on("host:visibility", visibility => console.log("VISIBILITY " + JSON.stringify(visibility)));
first.ready();
const snapshot = await first.getSnapshot();
said.snapshot = [snapshot.app.appId, snapshot.host.bridgeVersion, snapshot.app.runtimeOrigin, Object.keys(snapshot.theme.tokens)[0].slice(0, 7)];
said.unread = ["ok", "value", "result"].filter(key => key in snapshot);
const [a, b] = await Promise.all([first.invoke("lime.ui", "getLocale"), second.invoke("lime.ui", "getLocale")]);
said.locales = [a.value.locale, b.value.locale];
said.listed = (await first.invoke("lime.capabilities", "list")).value.length > 10;
said.toast = (await first.toast({message: "Hello", level: "celebration"})).value.accepted;
const undeclared = await first.invoke("lime.secrets", "getRef", {key: "k"});
said.undeclared = [undeclared.error.code, undeclared.error.causeCode, undeclared.error.details.appErrorCode];
const wrong = await first.invoke("lime.ui", "toast", {message: ""});
said.wrong = [wrong.error.code, wrong.error.details.fields?.length > 0 || Object.keys(wrong.error.details).length > 0];
const gone = await first.unsubscribe({subscriptionId: "never"});
said.gone = gone.value.unsubscribed;
said.pushed = seen > 0;
console.log("SAID " + JSON.stringify(said));
"""

APP_MD = """---
manifestVersion: 0.10.0
name: published
description: Written for another host.
version: 1.0.0
status: ready
appType: agent-app
entries:
  - {key: home, kind: page, title: Home, route: /}
  - {key: other, kind: page, title: Other, route: /other}
requires:
  capabilities: {lime.ui: current}
runtimePackage:
  ui: {path: ./dist/ui}
---
# Published
"""
INDEX = """<!doctype html><meta charset="utf-8">
<script type="importmap">{"imports": {"@lime/app-sdk": "/vendor/lime-app-sdk/index.js"}}</script>
<script type="module" src="/app.js"></script>"""


class Published:
    """The app in a real tab, and what it logs."""

    def __init__(self, folder: Path, qtbot: QtBot) -> None:
        package = _write(folder / "published")
        folders = Folders(ROOT / "resources", folder / "data", folder / "settings.json")
        self.services = Composition(folders, HostSettings(locale="en", theme_mode="light"))
        [app] = self.services.registry.add([package])
        profiles = AppProfiles(folder / "views", ProxyAccess())
        self.tab = AppTab(self.services.for_tabs(), app, "home", _no_server, profiles)
        self.lines: list[str] = []
        self.tab._view.console.connect(self._keep)
        self.tab.resize(640, 480)
        self.tab.show()
        self._qtbot = qtbot

    def wait_for(self, kind: str) -> Any:
        """What it logged last of a kind, once it did."""
        self._qtbot.waitUntil(lambda: bool(self._found(kind)), timeout=WAIT_MS)
        return json.loads(self._found(kind)[-1])

    def close(self) -> None:
        with self._qtbot.waitSignal(self.tab._view.page().destroyed, timeout=WAIT_MS):
            self.tab.shut()
        self.tab.close()
        self.tab.deleteLater()

    def _found(self, kind: str) -> list[str]:
        return [line.removeprefix(kind) for line in self.lines if line.startswith(kind)]

    def _keep(self, _level: int, message: str, _line: int, _source: str) -> None:
        self.lines.append(message)


@pytest.fixture
def published(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Published]:
    del loop  # only has to be there
    app = Published(tmp_path, qtbot)
    yield app
    app.close()


@pytest.mark.requirement("APP-21", "APP-24", "APP-25", "APP-26")
def test_an_app_of_the_published_client_runs_unmodified(published: Published) -> None:
    assert published.wait_for("SAID ") == {
        "snapshot": ["published", 1, "lime-app://published", "--lime-"],
        "unread": [],
        "locales": ["en", "en"],
        "listed": True,
        "toast": True,
        "undeclared": ["capability_unavailable", "CAPABILITY_NOT_DECLARED", "APP_E005"],
        "wrong": ["schema_invalid", True],
        "gone": False,
        "pushed": True,
    }


@pytest.mark.requirement("APP-23")
def test_it_hears_of_theme_contrast_text_size_and_of_being_hidden(published: Published) -> None:
    published.wait_for("SAID ")
    published.services.settings.change(theme_mode="dark")
    assert published.wait_for("THEME ")["effectiveThemeMode"] == "dark"
    published.lines.clear()
    published.services.settings.change(is_high_contrast=True)
    assert published.wait_for("THEME ")["colorSchemeId"] == "lime-contrast-dark"
    published.lines.clear()
    published.services.settings.change(text_scale=1.5)
    assert published.wait_for("THEME ")["tokens"]["--lime-font-size"] != "13px"
    published.tab.set_visible(visible=False)
    assert published.wait_for("VISIBILITY ") == {"visible": False, "visibilityState": "hidden"}


async def _no_server(*_: object, **__: object) -> Any:
    raise AppServerUnavailable("no App Server runs here")


def _write(package: Path) -> Path:
    ui = package / "dist/ui"
    (ui / "vendor/lime-app-sdk").mkdir(parents=True)
    (package / "APP.md").write_text(APP_MD, "utf-8")
    (ui / "index.html").write_text(INDEX, "utf-8")
    (ui / "app.js").write_text(APP, "utf-8")
    (ui / "vendor/lime-app-sdk/index.js").write_text(CLIENT, "utf-8")
    return package
