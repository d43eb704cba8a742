"""An app on the shelf and its bridge, put together as the window does it, with texts in place of a page."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lime_desktop.host.app_server_client.sidecar import Sidecar
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor
from lime_desktop.host.appearance.theme import ThemeChoice, parse_tokens, theme_in_force
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.requests.view_bridge import ViewBridge, ViewParts
from lime_desktop.host.requests.view_snapshots import ViewContext, policy_facts, snapshot_of
from lime_desktop.host.view.bodies import ViewBodies
from lime_desktop.host.view.subscriptions import TopicHub
from lime_desktop.policy.facts import PolicyFacts
from lime_desktop.policy.policy_file import parse_policy_file
from lime_desktop.policy.rules import Rule
from lime_desktop.protocol.bridge.snapshot import HostSnapshot
from tests.host.requests.test_app_requests import Window

ROOT = Path(__file__).resolve().parents[2]
TOKENS = parse_tokens((ROOT / "resources/theme/tokens.json").read_text("utf-8"))
NOW = datetime(2026, 1, 2, tzinfo=UTC)


class HostedApp:
    """What a page sends and hears."""

    def __init__(self, package: Path, entry_key: str = "home", house_rules: str = "") -> None:
        self.registry = AppRegistry("en")
        self.window = Window()
        self.desk = Approvals()
        # Nobody sits there: what waits for a person is told to be open at once.
        self.desk.calls.wait_s = 0
        self.heard: list[dict[str, Any]] = []
        self._entry_key = entry_key
        self._rules = _organisation(house_rules)
        [app] = self.registry.add([package])
        self.app_id = app.app_id
        parts = ViewParts(
            app=self._app,
            entry_key=entry_key,
            snapshot=self._snapshot,
            facts=self._facts,
            # No App Server runs: what needs one is refused for that reason.
            call=AppServerSupervisor(lambda: Sidecar.start(())).call,
            shell=self.window,
            approvals=self.desk.calls,
            view_id="view",
            topics=TopicHub(),
            bodies=ViewBodies(),
            post=self._hear,
        )
        self.session = ViewBridge(parts).session

    def ask(self, kind: str, payload: object = None, request_id: str = "r") -> dict[str, Any]:
        """Send one message, and give the answer."""
        return asyncio.run(asyncio.wait_for(self._ask(kind, payload, request_id), 5.0))

    async def _ask(self, kind: str, payload: object, request_id: str) -> dict[str, Any]:
        before = len(self.heard)
        envelope = {"protocol": "lime.agentApp.bridge", "version": 1, "appId": self.app_id}
        message = {**envelope, "type": kind, "requestId": request_id, "payload": payload}
        self.session.receive(json.dumps(message))
        while len(self.heard) == before:  # noqa: ASYNC110 - the page only hears, nothing signals
            await asyncio.sleep(0)
        [answer] = self.heard[before:]
        return answer

    def invoke(self, name: str, arguments: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Call a capability by its full name, and give the answer."""
        capability, _, method = name.rpartition(".")
        called: dict[str, object] = {"capability": capability, "method": method}
        called["input"] = dict(arguments or {})
        return self.ask("capability:invoke", called, request_id=name)

    def _hear(self, text: str) -> None:
        self.heard.append(json.loads(text))

    def _app(self) -> RegisteredApp:
        app = self.registry.app(self.app_id)
        assert app is not None
        return app

    def _facts(self) -> PolicyFacts:
        facts = policy_facts(
            self._app(), int(NOW.timestamp() * 1_000), self.desk.calls.facts(self.app_id)
        )
        return replace(facts, rules=(*facts.rules, *self._rules))

    def _snapshot(self) -> HostSnapshot:
        theme = theme_in_force(TOKENS, ThemeChoice(mode="light"))
        return snapshot_of(self._app(), self._entry_key, ViewContext("en", "UTC", theme, NOW))


def _organisation(rules: str) -> tuple[Rule, ...]:
    if not rules:
        return ()
    text = f"version: 1\nname: House rules\nrules: [{rules}]\n"
    return parse_policy_file(text, layer="organisation", source="house.yaml").rules
