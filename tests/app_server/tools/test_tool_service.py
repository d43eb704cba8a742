"""tool/*: tools run for pages. The host vouches for what people agreed to; nobody else may, and nothing else counts."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.server.connection import Services
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.for_apps import envelope
from tests.app_server.server.door import Client
from tests.app_server.tools.mcp.conftest import NEEDS_MCP, command_of

BOTH = '{ "lime.terminal": "^0.10.0", "lime.mcp": "^0.10.0" }'
INTEGRATIONS = """\
integrations:
  - { key: shell, provider: POSIX, role: script, adapter: { kind: cli, command: "sh -c" }, access: { write: false } }
  - { key: crm, provider: Raw, role: customers, adapter: { kind: mcp, server: raw } }
"""
RISKS = ["host.risk.terminal", "host.risk.connector", "host.risk.unconfined"]
CALL: dict[str, Any] = {"appId": "notes", "scopeId": "view", "tool": "shell", "agreed": RISKS}


@asynccontextmanager
async def a_host(tmp_path: Path) -> AsyncGenerator[tuple[Client, Services]]:
    """The host's own connection to a server that knows one app."""
    files = {"app.integrations.yaml": INTEGRATIONS}
    package = write_app(tmp_path, capabilities=BOTH, files=files)
    async with open_services(tmp_path / "data", UnavailableEngine()) as services:
        host = Client(services)
        await host.introduce()
        # Where this machine has no sandbox, its programs run all the same: what is tested here is not the wall.
        known = registration(package).model_copy(update={"runs_unconfined": True})
        await host.call("app/register", known.to_wire())
        yield host, services


async def run_of(host: Client, method: str, **params: object) -> dict[str, Any]:
    answer = await host.call(f"tool/{method}", params)
    assert "result" in answer, answer
    return answer["result"]["run"]


def code_of(answer: dict[str, Any]) -> str:
    return answer["error"]["data"]["code"]


def words(script: str) -> dict[str, Any]:
    return {"input": {"arguments": [script]}}


def test_a_tool_says_what_policy_has_to_be_asked(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            asked = {**CALL, **words("true")}
            demand = (await host.call("tool/describe", asked))["result"]["demand"]
            assert (demand["toolName"], demand["capability"]) == ("cli__shell", "lime.terminal")
            assert demand["targets"] == [{"kind": "tool", "value": "shell"}]

    run(scene())


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"agreed": []}, "APP_E010"),
        ({"agreed": ["host.risk.connector"]}, "APP_E010"),
        ({"operation": "publish"}, "APP_E009"),
        ({"tool": "nothing"}, "APP_E022"),
        ({"action": "publish"}, "APP_E014"),
        ({"appId": "mail"}, "APP_E022"),
        ({"waitMs": 60_000}, "APP_E014"),
    ],
)
def test_what_nobody_agreed_to_does_not_run(
    tmp_path: Path, change: dict[str, object], code: str
) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            refused = await host.call("tool/invoke", {**CALL, **words("touch ran"), **change})
            assert code_of(refused) == code

    run(scene())
    assert not list(tmp_path.rglob("ran"))


def test_an_app_cannot_vouch_for_itself(tmp_path: Path) -> None:
    """Ours: what people agreed to is the host's word, not the app's."""

    async def scene() -> None:
        async with a_host(tmp_path) as (_, services):
            app = Client(services)
            await app.introduce(appId="notes")
            assert code_of(await app.call("tool/invoke", {**CALL, **words("true")})) == "APP_E002"

    run(scene())


@pytest.mark.requirement("RT-38")
def test_a_long_tool_is_looked_at_and_stopped(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            long = {**CALL, **words("exec sleep 1000"), "waitMs": 0}
            begun = await run_of(host, "invoke", **long)
            assert begun["status"] == "running"
            run_id = begun["invocationId"]
            asked = envelope("notes", "lime.tools.getProgress", invocationId=run_id)

            async def status_after(params: dict[str, Any]) -> str:
                return (await host.call("app/call", params))["result"]["status"]

            assert await status_after(asked) == "running"
            foreign = envelope("mail", "lime.tools.getProgress", invocationId=run_id)
            assert code_of(await host.call("app/call", foreign)) == "APP_E022"
            stop = envelope("notes", "lime.terminal.cancel", runId=run_id)
            assert await status_after(stop) == "cancelled"
            assert await status_after(asked) == "cancelled"

    run(scene())


@pytest.mark.requirement("RT-38")
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"agreed": []}, "APP_E010"),
        ({"scopeId": "another view"}, "APP_E022"),
        ({"runId": "tool_unknown"}, "APP_E022"),
        ({"input": {"arguments": ["exec cat -"], "stdin": "x"}}, "APP_E022"),
        ({"input": {"arguments": ["exec cat"], "stdin": "x" * 300_000}}, "APP_E019"),
        ({"close": True}, None),
    ],
)
def test_input_goes_to_the_very_run_that_was_shown_and_to_no_other(
    tmp_path: Path, change: dict[str, object], code: str | None
) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            begun = {**CALL, **words("exec cat"), "waitMs": 0, "keepsInput": True}
            run_id = (await run_of(host, "invoke", **begun))["invocationId"]
            text = {"arguments": ["exec cat"], "stdin": "hello"}
            given: dict[str, Any] = {**CALL, "runId": run_id, "input": text}
            answer = await host.call("tool/input", {**given, **change})
            assert (code_of(answer) if "error" in answer else None) == code
            if code is not None:
                return
            again = await host.call("tool/input", given)
            assert again["error"]["data"]["code"] == "APP_E001"

    run(scene())


def test_a_failure_is_an_answer_with_its_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            failed = await run_of(host, "invoke", **CALL, **words("exit 3"), waitMs=None)
            assert (failed["status"], failed["category"]) == ("failed", "exit_code")
            assert failed["exitCode"] == 3
            asked = envelope("notes", "lime.terminal.getRun", runId=failed["invocationId"])
            told = (await host.call("app/call", asked))["result"]
            # A program that ended by itself did not fail to run.
            assert (told["status"], told["exitCode"]) == ("exited", 3)

    run(scene())


@NEEDS_MCP
def test_one_of_a_servers_tools_is_named_and_its_questions_get_a_no(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            settings = {"serverId": "raw", "command": list(command_of("raw_server.py"))}
            await host.call("mcpServer/add", {"settings": settings})
            crm = {**CALL, "tool": "crm", "waitMs": None}
            assert code_of(await host.call("tool/invoke", crm)) == "APP_E022"
            greeted = await run_of(host, "invoke", **crm, action="greet")
            assert (greeted["status"], greeted["text"]) == ("succeeded", "called")
            asked = await run_of(host, "invoke", **crm, action="ask")
            assert '"action": "decline"' in asked["text"]

    run(scene())
