"""A model provider behind the real sidecar: keys that stay where they are, and a question that outlives the process."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.protocol.calls.apps import RegisteredRule
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.for_apps import envelope
from tests.app_server.model_server import ModelServer, failure, text, tool_calls
from tests.app_server.providers.kept import SECRET
from tests.system.conftest import StartServer
from tests.system.server_process import ServerProcess

pytestmark = pytest.mark.system

# Nor weights: no other model may step in for the test's own.
NO_KEYRING = {"LIME_DESKTOP_KEYRING": "off", PLACE_VARIABLE: os.devnull}
MORE = """\
storage: { namespace: notes }
agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }
"""
ASK = RegisteredRule(
    id="ask-before-writing",
    layer="user",
    source="tests",
    text="Ask before anything is written.",
    effect="ask",
    when={"capabilities": ("lime.storage",), "accesses": ("write",)},
)


def begin(server: ServerProcess, tmp_path: Path) -> None:
    """What a host does first on every connection."""
    server.introduce()
    package = tmp_path / "notes"
    if not package.exists():
        storage = '{ "lime.storage": "^0.10.0" }'
        write_app(tmp_path, capabilities=storage, more=MORE)
    told = server.call("app/register", registration(package, rules=(ASK,)).to_wire())
    assert "result" in told, told


def set_up_provider(server: ServerProcess, url: str) -> None:
    settings = {
        "title": "Test",
        "protocol": "openai-compatible",
        "baseUrl": url,
        "models": [{"modelId": "test-model"}],
        "limits": {"maxRetries": 0},
    }
    made = server.call("modelProvider/create", {"providerId": "p1", "settings": settings})
    assert made["result"]["provider"]["obstacle"]["reasonCode"] == "key_missing"
    kept = server.call("modelProviderKey/update", {"providerId": "p1", "key": SECRET})
    assert kept["result"]["provider"]["hasKey"]


def start_turn(server: ServerProcess, said: str, turn_id: str) -> None:
    server.call("agentSession/start", {"appId": "notes", "sessionId": "s1"})
    params = {"sessionId": "s1", "turnId": turn_id, "input": {"text": said}}
    answer = server.call("agentSession/turn/start", params)
    assert "result" in answer, (answer, server.errors)


def test_an_approval_is_held_over_a_kill_of_the_sidecar_and_then_answered(
    start_server: StartServer, tmp_path: Path
) -> None:
    """The issue: SIGKILL while the question is open; the next process hears the answer and goes on."""
    write = tool_calls(
        ("c1", "storage_set", {"key": "city", "value": "Rome"}), say="I will note it."
    )
    with ModelServer([write, text("Noted.")]) as provider:
        first = start_server(environment=NO_KEYRING)
        begin(first, tmp_path)
        set_up_provider(first, provider.url)
        start_turn(first, "remember Rome", "t1")
        question = first.events_until("action.required")[-1]
        first.kill()

        second = start_server(environment=NO_KEYRING)
        begin(second, tmp_path)
        read = second.call("agentSession/read", {"sessionId": "s1", "afterSequence": 0})["result"]
        thread = read["snapshot"]["threads"][0]
        assert [a["actionId"] for a in thread["pendingActions"]] == [question["actionId"]]
        value = envelope("notes", "lime.storage.get", key="city")
        assert second.call("app/call", value)["result"] is None
        answer = {
            "sessionId": "s1",
            "requestId": question["actionId"],
            "actionType": "tool_confirmation",
            "decision": "allow_once",
        }
        assert second.call("agentSession/action/respond", answer)["result"] == {"resolved": True}
        types = [event["type"] for event in second.events_until("turn.completed")]
        assert types.index("action.resolved") < types.index("tool.result")
        assert types.index("tool.result") < types.index("model.requested")
        assert second.call("app/call", value)["result"] == "Rome"
        # The answer before the kill was not asked for again; the key was there for the next.
        assert len(provider.asked) == 2
        assert provider.asked[1].headers["authorization"] == f"Bearer {SECRET}"
        assert not list((tmp_path / "data" / "turn-states").iterdir())


@pytest.mark.requirement("RT-17", "RT-36")
def test_a_key_is_nowhere_but_at_the_provider(start_server: StartServer, tmp_path: Path) -> None:
    """The issue: never in an event, log, error, snapshot, file, argv or environment of a child."""
    with ModelServer([text("fine"), failure(401, SECRET)]) as provider:
        server = start_server("--stdio", "--log-level", "debug", environment=NO_KEYRING)
        begin(server, tmp_path)
        set_up_provider(server, provider.url)
        start_turn(server, "one", "t1")
        told: list[Any] = server.events_until("snapshot.updated")
        start_turn(server, "two", "t2")
        told += server.events_until("snapshot.updated")
        assert [e["type"] for e in told if e["type"] in {"turn.completed", "turn.failed"}] == [
            "turn.completed",
            "turn.failed",
        ]
        told.append(server.call("agentSession/read", {"sessionId": "s1", "afterSequence": 0}))
        told.append(server.call("modelProvider/list"))
        told.append(server.call("evidence/export", {"sessionId": "s1", "includeEvents": True}))
        told.append(server.call("modelProviderKey/update", {"providerId": "p1", "key": SECRET}))
        told.append(server.call("modelProviderKey/update", {"providerId": 1, "key": SECRET}))
        if sys.platform == "linux":
            process = Path(f"/proc/{server.process.pid}")
            seen = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
            assert SECRET.encode() not in seen
        server.close_input()
        told += server.rest()
        assert server.wait() == 0
    assert provider.asked[0].headers["authorization"] == f"Bearer {SECRET}"
    assert SECRET not in json.dumps(told)
    assert SECRET not in "".join(server.errors)
    for path in (tmp_path / "data").rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


def test_an_app_cannot_reach_the_providers(start_server: StartServer) -> None:
    """The standard: apps pass preferences and never hold or see a provider's settings."""
    server = start_server(environment=NO_KEYRING)
    params = {"clientInfo": {"name": "app"}, "appId": "notes"}
    server.say({"id": 1, "method": "initialize", "params": params})
    server.say({"method": "initialized"})
    server.say({"id": 2, "method": "modelProvider/list"})
    introduced, refused = server.hear(), server.hear()
    assert introduced
    assert "result" in introduced
    assert refused
    assert refused["error"]["data"]["code"] == "APP_E002"
