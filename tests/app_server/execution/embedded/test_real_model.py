"""With real weights and no network: text streams, a JSON Schema is filled (the product's own promise)."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from lime_desktop.app_server.models.catalogue import SMOLLM2
from lime_desktop.app_server.models.store import PLACE_VARIABLE, InstalledModel, ModelStore
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import is_extension
from tests.app_server.execution.embedded.runs import PROGRAM, Embedded, OfferingBox, play
from tests.app_server.third_party_client import AgentClient
from tests.protocol.published_schemas import lime_profile

WAIT_S = 100.0
CITY: JsonObject = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 30},
        "size": {"enum": ["small", "large"]},
        "rivers": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 2},
    },
    "required": ["city", "size", "rivers"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real models think; on a slow machine they think for long."""
    monkeypatch.setattr("tests.app_server.runtime_core.runtime.PATIENCE_S", WAIT_S)


@pytest.fixture
def server(
    tmp_path: Path, smollm2: InstalledModel, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AgentClient]:
    """A real App Server process that finds the weights; nothing else is set up."""
    monkeypatch.setenv(PLACE_VARIABLE, str(smollm2.path.parent.parent))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    command = (sys.executable, "-m", "lime_desktop", "app-server", "--stdio", "--data-dir")
    client = AgentClient((*command, str(tmp_path / "data")), WAIT_S)
    client.connect()
    yield client
    assert client.disconnect() == 0


CHOSEN: dict[str, Any] = {"modelPreference": SMOLLM2.model_id}
"""It is a demo, which nothing uses unless somebody chooses it."""


def run(client: AgentClient, text: str, **options: Any) -> list[dict[str, Any]]:
    session = client.call("agentSession/start", appId="app_1")["session"]["sessionId"]
    return client.run_turn(session, text, lambda _question: "decline", **options)[1]


@pytest.mark.system
def test_a_fresh_machine_fills_a_json_schema_by_itself(
    server: AgentClient, upstream_data: Path
) -> None:
    """The issue's first promise: no key, no network, a real process, a valid document."""
    events = run(
        server, "Describe Paris.", runtimeOptions={"structuredOutput": {"schema": CITY}, **CHOSEN}
    )
    last = events[-1]
    assert last["type"] == "turn.completed", last
    jsonschema_rs.validator_for(CITY).validate(last["payload"]["structuredOutput"])
    deltas = [e["payload"]["delta"] for e in events if e["type"] == "model.delta"]
    assert json.loads("".join(deltas)) == last["payload"]["structuredOutput"]
    assert len(deltas) > 5
    assert last["payload"]["usage"]["outputTokens"] >= len(deltas) - 1
    schema = lime_profile(upstream_data, "event")
    for event in events:
        if not is_extension(event["type"]):
            schema.validate(event)


def test_text_streams_word_by_word_and_a_second_turn_remembers_the_first(
    tmp_path: Path,
    smollm2: InstalledModel,
    upstream_data: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A small model may go on for long, and a slow machine would take minutes for it.
    monkeypatch.setattr("lime_desktop.app_server.execution.embedded.turn.ANSWER_TOKENS", 24)

    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run("Say hello to Ada.", **CHOSEN)
        deltas = [e.payload["delta"] for e in events if e.type == "model.delta"]
        completed = next(e for e in events if e.type == "model.completed")
        assert "".join(map(str, deltas)) == completed.payload["text"]
        assert 1 < len(deltas) <= 24
        again = await embedded.run("Say goodbye.", "turn_2", **CHOSEN)
        context = next(e for e in again if e.type == "context.resolved")
        assert context.payload["messageCount"] == 4

    store = ModelStore(smollm2.path.parent.parent)
    play(tmp_path, upstream_data, scenario, store=store, program=PROGRAM)


def test_a_tool_choice_is_always_one_of_those_there_are(
    tmp_path: Path,
    smollm2: InstalledModel,
    upstream_data: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may choose badly; it cannot choose what does not exist, nor arguments of another form."""
    monkeypatch.setattr("lime_desktop.app_server.execution.embedded.turn.ANSWER_TOKENS", 8)
    monkeypatch.setattr("lime_desktop.app_server.execution.embedded.turn.MAX_TOOL_ROUNDS", 2)
    colour: JsonObject = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "green"]}},
        "required": ["colour"],
        "additionalProperties": False,
    }
    toolset = OfferingBox(schemas={"paint": colour})

    async def scenario(embedded: Embedded) -> None:
        events = await embedded.run("Use the paint tool to paint the wall red.", **CHOSEN)
        assert events[-2].type == "turn.completed"
        for call in toolset.ran:
            assert call.name == "paint"
            jsonschema_rs.validator_for(colour).validate(call.arguments)

    store = ModelStore(smollm2.path.parent.parent)
    play(tmp_path, upstream_data, scenario, store=store, program=PROGRAM, toolset=toolset)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks into /proc")
def test_the_key_is_in_no_argument_and_no_environment(
    tmp_path: Path, smollm2: InstalledModel, upstream_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lime_desktop.app_server.execution.embedded.turn.ANSWER_TOKENS", 4)
    monkeypatch.setenv("SOME_API_KEY", "sk-inherited")

    async def scenario(embedded: Embedded) -> None:
        await embedded.run("Hello.", **CHOSEN)
        served = embedded.host.served
        assert served is not None
        seen = b"".join(
            path.read_bytes()
            for process in children_of(os.getpid())
            for path in (process / "cmdline", process / "environ")
        )
        assert b"model_process.py" in seen
        assert served.key.encode() not in seen
        assert b"sk-inherited" not in seen

    store = ModelStore(smollm2.path.parent.parent)
    play(tmp_path, upstream_data, scenario, store=store, program=PROGRAM)


def children_of(pid: int) -> list[Path]:
    found: list[Path] = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found += [path, *children_of(int(path.name))]
    return found
