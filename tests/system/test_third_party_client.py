"""A client written only from the generated reference drives a whole session."""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app_server import third_party_client
from tests.app_server.third_party_client import AgentClient, Json, Refused
from tests.system.scripts import SCRIPTS

pytestmark = pytest.mark.system


@pytest.fixture
def client(tmp_path: Path) -> Iterator[AgentClient]:
    scripts = tmp_path / "scripts.json"
    scripts.write_text(json.dumps(SCRIPTS))
    command = [sys.executable, "-m", "lime_desktop", "app-server", "--stdio"]
    options = ["--data-dir", str(tmp_path / "data"), "--test-scripts", str(scripts)]
    client = AgentClient([*command, *options])
    client.connect()
    yield client
    assert client.disconnect() == 0


@pytest.mark.requirement("RT-06")
def test_it_imports_nothing_of_the_product() -> None:
    """Ours: otherwise it would prove nothing."""
    tree = ast.parse(Path(third_party_client.__file__).read_text("utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not [name for name in imported if name.startswith("lime_desktop")]


@pytest.mark.requirement("RT-06")
def test_it_calls_only_what_the_reference_lists(repository: Path) -> None:
    """Ours: the pages are complete enough to write a client from."""
    page = (repository / "resources" / "protocol" / "methods.md").read_text("utf-8")
    source = Path(third_party_client.__file__).read_text("utf-8")
    called = set(re.findall(r'"((?:agentSession|artifact|evidence)/[\w/]+|initialized?)"', source))
    assert len(called) >= 8
    assert not [name for name in called if f"`{name}`" not in page]


@pytest.mark.requirement("APP-31", "RT-06")
def test_a_whole_session_with_an_approval(client: AgentClient) -> None:
    """The standard: start, turn, events, approval, read, artifact, evidence."""
    asked: list[Json] = []

    def allow(question: Json) -> str:
        asked.append(question)
        return "allow_once"

    session = client.call("agentSession/start", appId="third-party")["session"]
    session_id: str = session["sessionId"]
    turn_id, events = client.run_turn(session_id, "approval", allow)
    assert [question["toolName"] for question in asked] == ["write_file"]
    assert events[-1]["type"] == "turn.completed"
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    assert client.answer_of(session_id) == "Done"
    if client.server["capabilities"]["artifact"]:
        assert [a["artifactId"] for a in client.artifacts_of(session_id, turn_id)] == ["artifact_1"]
    if client.server["capabilities"]["evidence"]:
        evidence = client.evidence_of(session_id)
        assert evidence["runtimeCorrelation"]["sessionId"] == session_id
        assert {event["eventId"] for event in events} <= {e["eventId"] for e in evidence["events"]}


def test_a_refused_approval_is_a_failed_tool_and_not_a_failed_turn(client: AgentClient) -> None:
    """The standard: a tool's failure does not end the turn."""
    client.call("agentSession/start", appId="third-party", sessionId="s1")
    _, events = client.run_turn("s1", "approval", lambda _question: "decline")
    types = [event["type"] for event in events]
    assert "tool.failed" in types
    assert "artifact.changed" not in types
    assert types[-1] == "turn.completed"


def test_a_refusal_has_the_code_of_the_error_page(client: AgentClient, repository: Path) -> None:
    """Ours: codes are stable, and documented."""
    with pytest.raises(Refused) as refusal:
        client.call("agentSession/read", sessionId="nobody")
    assert (refusal.value.rpc_code, refusal.value.code) == (-32010, "APP_E110")
    page = (repository / "resources" / "protocol" / "errors.md").read_text("utf-8")
    assert refusal.value.code in page
