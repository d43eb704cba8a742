"""app/runHook: a hook is a call of a declared tool, judged like any other, and told by the facts of a turn."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server import assembly
from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.lifecycle.hook_middleware import HookLimits, HookMiddleware
from lime_desktop.app_server.server.connection import Services
from lime_desktop.protocol.calls.apps import RegisterAppParams, RegisteredRule
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.server.door import Client

TERMINAL = '{ "lime.terminal": "^0.10.0", "lime.secrets": "^0.10.0" }'
INTEGRATIONS = """\
integrations:
  - { key: shell, provider: POSIX, role: script, adapter: { kind: cli, command: "sh -c" } }
  - { key: crm, provider: CRM, role: customers, adapter: { kind: cli, command: "sh -c" } }
"""
HOOKS = """\
lifecycle:
  {point}:
    tool: {tool}
    input: {{ arguments: ["{script}"] }}
secrets:
  - {{ key: crm_token, use: [{{ integration: crm, variable: CRM_TOKEN }}] }}
"""
VALUE = "s3cr3t-0f-th3-crm"


def rule(effect: str, layer: str = "user") -> RegisteredRule:
    said = {
        "id": f"{layer}.{effect}",
        "layer": layer,
        "source": "Settings",
        "text": "Of the tools.",
        "effect": effect,
        "when": {"tools": ("shell", "crm")},
    }
    return RegisteredRule.model_validate(said)


ALLOWED = rule("allow")


class Host:
    """The host's own connection, and one app that it speaks of."""

    def __init__(self, client: Client, app: RegisterAppParams) -> None:
        self.client = client
        self.app = app

    def params(self, point: str, *, is_attended: bool, **changes: object) -> dict[str, Any]:
        return {
            "registration": self.app.model_copy(update=changes).to_wire(),
            "point": point,
            "sessionId": f"session_{point}",
            "isAttended": is_attended,
        }

    async def run(
        self, point: str = "install", *, is_attended: bool = False, **changes: object
    ) -> dict[str, Any]:
        asked = self.params(point, is_attended=is_attended, **changes)
        answer = await self.client.call("app/runHook", asked)
        assert "result" in answer, answer
        return answer["result"]["outcome"]

    async def facts(self, point: str = "install") -> list[dict[str, Any]]:
        asked = {"sessionId": f"session_{point}", "afterSequence": 0}
        return (await self.client.call("agentSession/read", asked))["result"]["events"]

    async def question(self) -> dict[str, Any]:
        while True:
            event = (await self.client.hear()).get("params", {}).get("event", {})
            if event.get("type") == "action.required":
                return event


@asynccontextmanager
async def a_host(
    tmp_path: Path,
    script: str = "touch ran",
    *,
    point: str = "install",
    tool: str = "shell",
    rules: tuple[RegisteredRule, ...] = (ALLOWED,),
) -> AsyncGenerator[tuple[Host, Services]]:
    more = HOOKS.format(point=point, tool=tool, script=script)
    package = write_app(
        tmp_path,
        capabilities=TERMINAL,
        more=more,
        files={"app.integrations.yaml": INTEGRATIONS},
    )
    async with open_services(tmp_path / "data", UnavailableEngine()) as services:
        client = Client(services)
        await client.introduce()
        # Where this machine has no sandbox, its programs run all the same: what is tested here is not the wall.
        known = registration(package, rules=rules).model_copy(update={"runs_unconfined": True})
        yield Host(client, known), services


def has_run(tmp_path: Path) -> bool:
    return bool(list((tmp_path / "data").rglob("ran")))


def of_types(facts: list[dict[str, Any]], *families: str) -> list[str]:
    return [fact["type"] for fact in facts if fact["type"].startswith(families)]


@pytest.mark.requirement("RT-50")
def test_a_hook_is_judged_and_run_and_told_as_a_call_of_its_tool(tmp_path: Path) -> None:
    """The profile: hooks are no second way to act; what happens in one is the tool's own facts, between the hook's."""

    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            outcome = await host.run()
            assert (outcome["isDone"], outcome["point"]) == (True, "install")
            facts = await host.facts()
            assert of_types(facts, "hook.", "tool.", "permission.", "process.", "turn.c") == [
                "hook.started",
                "tool.started",
                "permission.evaluated",
                "process.started",
                "process.completed",
                "tool.result",
                "hook.completed",
                "turn.completed",
            ]
            told = {fact["type"]: fact["payload"] for fact in facts}
            assert told["hook.started"]["handlerRef"] == "tool:shell"
            assert told["hook.completed"]["decision"] == "continue"

    run(scene())
    assert has_run(tmp_path)


def test_with_nobody_to_ask_what_would_ask_is_refused_by_its_name(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_host(tmp_path, rules=()) as (host, _):
            outcome = await host.run()
            assert (outcome["isDone"], outcome["category"]) == (False, "nobody_to_ask")
            [failed] = [each for each in await host.facts() if each["type"] == "hook.failed"]
            assert failed["payload"]["failClosed"] is True
            assert failed["payload"]["recoveryHint"]

    run(scene())
    assert not has_run(tmp_path)


@pytest.mark.parametrize(("answer", "is_done"), [("allow_once", True), ("decline", False)])
def test_a_person_is_asked_and_their_word_holds(
    tmp_path: Path, answer: str, *, is_done: bool
) -> None:
    async def scene() -> None:
        async with a_host(tmp_path, rules=()) as (host, _):
            host.client.say(
                {
                    "id": 900,
                    "method": "app/runHook",
                    "params": host.params("install", is_attended=True),
                }
            )
            asked = await host.question()
            assert asked["payload"]["program"] == ["sh", "-c", "touch ran"]
            assert not has_run(tmp_path)
            said = {
                "sessionId": "session_install",
                "requestId": asked["actionId"],
                "actionType": "tool_confirmation",
                "decision": answer,
            }
            done = await host.client.call("agentSession/action/respond", said)
            assert done["result"]["resolved"]
            while (heard := await host.client.hear()).get("id") != 900:
                pass
            outcome = heard["result"]["outcome"]
            assert outcome["isDone"] is is_done
            assert outcome.get("category") == (None if is_done else "permission_denied")

    run(scene())
    assert has_run(tmp_path) is is_done


@pytest.mark.parametrize(
    "changes",
    [{"rules": (ALLOWED, rule("deny", "organisation"))}, {"readiness_state": "disabled"}],
    ids=["denied", "off"],
)
def test_a_no_of_policy_wins_and_nobody_is_asked(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            outcome = await host.run("install", is_attended=True, **changes)
            assert outcome["category"] == "permission_denied"
            assert of_types(await host.facts(), "action.") == []

    run(scene())
    assert not has_run(tmp_path)


@pytest.mark.requirement("RT-50")
@pytest.mark.parametrize(("tool", "is_given"), [("shell", False), ("crm", True)])
def test_a_hook_sees_no_secret_but_its_own_tools_and_no_fact_holds_one(
    tmp_path: Path, tool: str, *, is_given: bool
) -> None:
    """The profile: a hook is given no secret; ours: none that the very same tool would not be given."""

    async def scene() -> list[dict[str, Any]]:
        async with a_host(tmp_path, "env > seen; env", tool=tool) as (host, _):
            await host.client.call("app/register", host.app.to_wire())
            bound = {"appId": "notes", "slot": "crm_token", "value": VALUE}
            assert "result" in await host.client.call("secret/bind", bound)
            outcome = await host.run()
            assert outcome["isDone"], outcome
            return await host.facts()

    facts = run(scene())
    [seen] = (tmp_path / "data/work").rglob("seen")
    assert (VALUE in seen.read_text()) is is_given
    assert VALUE not in json.dumps(facts)


def test_a_hook_that_fails_says_what_its_tool_said_and_may_not_hold_back_a_removal(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with a_host(tmp_path, "echo no room >&2; exit 4", point="uninstall") as (host, _):
            outcome = await host.run("uninstall")
            assert outcome["category"] == "exit_code"
            assert "no room" in outcome["message"]
            facts = await host.facts("uninstall")
            [failed] = [each for each in facts if each["type"] == "hook.failed"]
            assert failed["payload"]["failOpen"] is True
            assert of_types(facts, "turn.f") == ["turn.failed"]

    run(scene())


def test_a_hook_that_takes_too_long_is_ended_with_its_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = partial(HookMiddleware, limits=HookLimits(work_s=0.5))
    monkeypatch.setattr(assembly, "HookMiddleware", short)

    async def scene() -> None:
        async with a_host(tmp_path, "sleep 1000; touch ran") as (host, _):
            outcome = await host.run()
            assert outcome["category"] == "timeout"
            facts = await host.facts()
            assert of_types(facts, "hook.f", "tool.f", "turn.f", "process.t") == [
                "hook.failed",
                "tool.failed",
                "process.terminated",
                "turn.failed",
            ]

    run(scene())
    assert not has_run(tmp_path)


def test_a_tool_that_is_not_there_is_told_by_its_name(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            package = Path(host.app.package_path)
            written = package / "app.integrations.yaml"
            adapter, elsewhere = 'kind: cli, command: "sh -c"', "kind: mcp, server: nowhere"
            written.write_text(written.read_text().replace(adapter, elsewhere, 1))
            known = registration(package)
            outcome = await host.run(package_hash=known.package_hash)
            assert not outcome["isDone"]
            assert "No tool of this name" in outcome["message"]

    run(scene())


def test_only_the_host_has_hooks_run_and_the_app_is_known_to_nobody_else_by_it(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, services):
            assert (await host.run())["isDone"]
            listed = await host.client.call("tool/list", {"appId": "notes"})
            assert listed["error"]["data"]["code"] == "APP_E031"
            app = Client(services)
            await app.introduce(appId="notes")
            asked = host.params("install", is_attended=True)
            refused = await app.call("app/runHook", {**asked, "sessionId": "session_app"})
            assert refused["error"]["data"]["code"] == "APP_E002"

    run(scene())


def test_a_moment_without_a_hook_runs_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_host(tmp_path) as (host, _):
            asked = host.params("activate", is_attended=True)
            refused = await host.client.call("app/runHook", asked)
            assert refused["error"]["data"]["code"] == "APP_E014"

    run(scene())
    assert not has_run(tmp_path)
