"""The real process over stdio: handshake, whole sessions, garbage, overload, endings."""

import json
import os
import signal
import socket
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from tests.system.conftest import StartServer
from tests.system.scripts import SCRIPTS
from tests.system.server_process import ServerProcess

pytestmark = pytest.mark.system

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="signals and sockets of Unix")


def begin(server: ServerProcess, session: str = "s1") -> None:
    server.introduce()
    assert "result" in server.call("agentSession/start", {"appId": "app", "sessionId": session})


def start_turn(server: ServerProcess, text: str, **more: object) -> dict[str, Any]:
    params = {"sessionId": "s1", "input": {"text": text}, **more}
    return server.call("agentSession/turn/start", params)


def code_of(answer: dict[str, Any]) -> tuple[int, str]:
    return answer["error"]["code"], answer["error"]["data"]["code"]


def test_a_whole_turn_is_told_in_order(start_server: StartServer) -> None:
    """The standard: the minimum order of a text turn."""
    server = start_server(scripts=SCRIPTS)
    begin(server)
    answer = start_turn(server, "text", turnId="turn_1")
    assert answer["result"]["turn"]["status"] in {"accepted", "running"}
    events = server.events_until("snapshot.updated")
    types = [event["type"] for event in events]
    order = [
        "session.created",
        "turn.submitted",
        "turn.started",
        "model.requested",
        "model.delta",
        "model.completed",
        "turn.completed",
        "snapshot.updated",
    ]
    assert [name for name in types if name in order and name != "model.delta"] == [
        name for name in order if name != "model.delta"
    ]
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
    read = server.call("agentSession/read", {"sessionId": "s1", "afterSequence": 0})["result"]
    assert [event["eventId"] for event in read["events"]] == [event["eventId"] for event in events]
    assert read["snapshot"]["threads"][0]["status"] == "completed"
    server.close_input()
    assert server.wait() == 0


def test_an_approval_waits_for_a_person_and_goes_on(start_server: StartServer) -> None:
    """The standard: an approval turn suspends and is resumed by the answer."""
    server = start_server(scripts=SCRIPTS)
    begin(server)
    start_turn(server, "approval")
    required = server.events_until("action.required")[-1]
    read = server.call("agentSession/read", {"sessionId": "s1"})["result"]
    assert [a["actionId"] for a in read["snapshot"]["threads"][0]["pendingActions"]] == ["action_1"]
    answer = server.call(
        "agentSession/action/respond",
        {
            "sessionId": "s1",
            "requestId": required["actionId"],
            "actionType": "tool_confirmation",
            "decision": "allow_once",
        },
    )
    assert answer["result"] == {"resolved": True}
    types = [event["type"] for event in server.events_until("turn.completed")]
    assert types.index("action.resolved") < types.index("tool.result")
    assert "artifact.changed" in types


@pytest.mark.requirement("APP-33", "APP-49", "RT-34")
@pytest.mark.parametrize(
    ("backend", "code", "reason"),
    [("unavailable", "APP_E131", "engine_unavailable"), ("runtime", "APP_E130", "weights_missing")],
)
def test_without_an_engine_a_turn_fails_closed_with_its_reason(
    start_server: StartServer, tmp_path: Path, backend: str, code: str, reason: str
) -> None:
    """Ours: no answer is better than an invented one; a fresh machine without weights is told how to get them."""
    nowhere = {PLACE_VARIABLE: str(tmp_path / "no-models")}
    server = start_server("--stdio", "--backend", backend, environment=nowhere)
    begin(server)
    answer = start_turn(server, "hello")
    assert code_of(answer) == (-32030, code)
    details = answer["error"]["data"]["details"]
    assert details["reasonCode"] == reason
    assert details["setupAction"]


def test_a_turn_for_a_capability_that_is_not_listed_is_refused(start_server: StartServer) -> None:
    """The standard: what capability/list does not name cannot be asked for."""
    server = start_server(scripts=SCRIPTS)
    begin(server)
    answer = start_turn(server, "text", runtimeOptions={"capabilityId": "no.such"})
    assert code_of(answer) == (-32020, "APP_E001")


@pytest.mark.requirement("RT-33")
def test_everything_acknowledged_is_there_after_a_kill(start_server: StartServer) -> None:
    """The standard: facts are durable before they are told."""
    server = start_server(scripts=SCRIPTS)
    begin(server)
    start_turn(server, "text")
    before = server.events_until("snapshot.updated")
    server.kill()
    again = start_server(scripts=SCRIPTS)
    again.introduce()
    read = again.call("agentSession/read", {"sessionId": "s1", "afterSequence": 0})["result"]
    assert read["events"][: len(before)] == before


def test_the_end_of_input_ends_a_held_turn_and_the_process(start_server: StartServer) -> None:
    """Ours: a host that dies leaves no orphan behind."""
    server = start_server(scripts=SCRIPTS)
    begin(server)
    start_turn(server, "hold")
    server.events_until("model.requested")
    server.close_input()
    server.rest()
    assert server.wait() == 0


@unix_only
def test_a_polite_signal_ends_the_process_cleanly(start_server: StartServer) -> None:
    """Ours: SIGTERM is a request, and is granted."""
    server = start_server(scripts=SCRIPTS)
    begin(server)
    server.process.send_signal(signal.SIGTERM)
    server.rest()
    assert server.wait() == 0


def test_requests_piped_in_are_all_answered(start_server: StartServer) -> None:
    """Ours: a shell script is a client too."""
    server = start_server()
    server.say({"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "pipe"}}})
    server.say({"method": "initialized"})
    for number in range(2, 50):
        server.say({"id": number, "method": "agentSession/list"})
    server.close_input()
    assert sorted(answer["id"] for answer in server.rest()) == list(range(1, 50))
    assert server.wait() == 0


def test_garbage_is_answered_and_survived(start_server: StartServer) -> None:
    """Ours: any bytes in, and the server lives."""
    server = start_server()
    server.say_bytes(b"\x00\xff\xfe nonsense\n[1,2]\n{\n" + b"[" * 5_000 + b"\n\n")
    codes = [code_of(heard) for _ in range(4) if (heard := server.hear())]
    assert [number for number, _ in codes] == [-32700, -32600, -32700, -32600]
    assert {code for _, code in codes} == {"APP_E015"}
    server.introduce()
    assert server.call("agentSession/list") == {"id": 2, "result": {"sessions": []}}


def test_an_overlong_line_is_refused_and_costs_no_memory(start_server: StartServer) -> None:
    """Ours: a line has a limit."""
    server = start_server()
    for _ in range(9):
        server.say_bytes(b"x" * 1024 * 1024)
    server.say_bytes(b"\n")
    heard = server.hear()
    assert heard is not None
    assert heard["error"]["code"] == -32600
    server.introduce()
    assert "result" in server.call("agentSession/list")


def test_a_flood_is_answered_with_overload_and_survived(start_server: StartServer) -> None:
    """The standard: -32001, and nothing is lost in silence."""
    server = start_server()
    begin(server)
    for number in range(2_000):
        params = {"sessionId": "s1"}
        server.say({"id": f"f{number}", "method": "agentSession/read", "params": params})
    answers: dict[str, dict[str, Any]] = {}
    while len(answers) < 2_000:
        heard = server.hear()
        assert heard is not None
        if "id" in heard:
            answers[heard["id"]] = heard
    refused = [answer for answer in answers.values() if "error" in answer]
    assert all(code_of(answer) == (-32001, "APP_E902") for answer in refused)
    assert len(refused) < 2_000
    assert "result" in server.call("agentSession/list")


def test_a_second_server_on_the_same_data_is_refused(start_server: StartServer) -> None:
    """Ours: two writers would contradict each other."""
    first = start_server()
    first.introduce()
    second = start_server()
    assert second.wait() == 1
    assert any("APP_E224" in line for line in second.errors)
    assert "result" in first.call("agentSession/list")


@pytest.mark.requirement("RT-36")
def test_keys_of_the_environment_do_not_reach_the_process(start_server: StartServer) -> None:
    """Ours: an engine's tools inherit nothing they could leak."""
    environment = {"OPENAI_API_KEY": "sk-1", "SOME_TOKEN": "t-1", "HARMLESS": "yes"}
    server = start_server("--stdio", "--log-level", "info", environment=environment)
    server.introduce()
    if sys.platform == "linux":
        children = Path(f"/proc/{server.process.pid}/environ").read_bytes()
        # The kernel shows what the process was given; what it kept is in its log.
        assert b"sk-1" in children
    server.close_input()
    server.wait()
    scrubbed = [json.loads(line) for line in server.errors if "scrubbed" in line]
    assert scrubbed[0]["count"] >= 2
    assert "sk-1" not in "".join(server.errors)


def test_every_line_of_the_log_is_json_without_content(start_server: StartServer) -> None:
    """Ours: logs carry trace ids, and nobody's words."""
    server = start_server("--stdio", "--log-level", "debug", scripts=SCRIPTS)
    begin(server)
    answer = start_turn(server, "a very private sentence")
    server.close_input()
    server.rest()
    server.wait()
    entries = [json.loads(line) for line in server.errors]
    trace_id = answer["error"]["data"]["traceId"]
    assert any(entry.get("traceId") == trace_id for entry in entries)
    assert "private sentence" not in "".join(server.errors)


@pytest.mark.parametrize("options", [(), ("--stdio", "--listen", "x")])
def test_one_way_in_must_be_chosen(
    options: tuple[str, ...], start_server: StartServer, tmp_path: Path
) -> None:
    """Ours: usage errors are said, and end with 2."""
    server = start_server(*(options or ("--log-level", "info")))
    assert server.wait() == 2
    assert not (tmp_path / "data").exists()


@pytest.mark.requirement("APP-33", "RT-34")
def test_the_scripted_engine_is_no_choice_of_a_product(start_server: StartServer) -> None:
    """The standard: a mock is never production truth."""
    server = start_server("--stdio", "--backend", "scripted")
    assert server.wait() == 2


@unix_only
def test_a_socket_client_finds_its_token_and_talks(
    start_server: StartServer, tmp_path: Path
) -> None:
    """Ours: several clients, each with a proof."""
    address = tmp_path / "s"
    server = start_server("--listen", str(address), "--log-level", "info")
    server.await_log("listening")
    token = tmp_path / "data" / "app-server.token"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(10)
        client.connect(os.fspath(address))
        params = {"clientInfo": {"name": "t"}, "proof": token.read_text()}
        client.sendall(json.dumps({"id": 1, "method": "initialize", "params": params}).encode())
        client.sendall(b'\n{"method":"initialized"}\n{"id":2,"method":"agentSession/list"}\n')
        with client.makefile() as answers:
            assert "serverInfo" in json.loads(answers.readline())["result"]
            assert json.loads(answers.readline())["result"] == {"sessions": []}
    server.process.send_signal(signal.SIGTERM)
    assert server.wait() == 0
    assert not address.exists()
    assert not token.exists()
