"""What an external agent asks for is judged as any tool's call is, by the app's manifest and everybody's rules (ours)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.execution.router import EngineRouter
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.protocol.calls.apps import RegisteredRule
from lime_desktop.protocol.runtime.events import RuntimeEvent
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.execution.acp.runs import open_agent
from tests.app_server.held_rules import check_everything
from tests.app_server.runtime_core.runtime import Runtime
from tests.app_server.tools.turns import CONTEXT, known_apps

Scenario = Callable[[Runtime[EngineRouter], RegisteredApps], Awaitable[None]]
TERMINAL = '{lime.terminal: "^0.10.0"}'


def rule(effect: Any, **when: tuple[str, ...]) -> RegisteredRule:
    return RegisteredRule(
        id="ours",
        layer="organisation",
        source="tests",
        text="The house says so.",
        effect=effect,
        when=when,
    )


def play(
    folder: Path,
    upstream_data: Path,
    scenario: Scenario,
    *rules: RegisteredRule,
    capabilities: str = TERMINAL,
) -> None:
    async def whole() -> None:
        package = write_app(folder, capabilities=capabilities)
        apps = await known_apps(registration(package, rules=rules))
        runtime, _engine = await open_agent(folder, tooling=ToolBroker(apps, ()))
        try:
            await runtime.session(app_id="notes")
            await scenario(runtime, apps)
            await check_everything(runtime, upstream_data)
        finally:
            await runtime.core.close()

    asyncio.run(whole())


def of_type(events: list[RuntimeEvent], kind: str) -> list[dict[str, Any]]:
    return [dict(event.payload) for event in events if event.type == kind]


def refused_by(folder: Path, upstream_data: Path, prompt: str, *rules: RegisteredRule) -> str:
    """Run a turn in which nobody is asked and the agent is refused; tells by which rule."""
    found: list[str] = []

    async def scenario(runtime: Runtime[EngineRouter], _apps: RegisteredApps) -> None:
        events = await runtime.run("session_1", prompt, "turn_1")
        assert not of_type(events, "action.required")
        assert [each["output"] for each in of_type(events, "tool.failed")] == ["chosen: no"]
        [verdict] = of_type(events, "permission.resolved")
        assert verdict["decision"] == "deny"
        found.extend(verdict["ruleRefs"])

    capabilities = TERMINAL if rules or "/" in prompt else "{}"
    play(folder, upstream_data, scenario, *rules, capabilities=capabilities)
    return found[0]


def test_an_agent_gets_nothing_for_an_app_that_declares_no_commands(
    tmp_path: Path, upstream_data: Path
) -> None:
    found = refused_by(tmp_path, upstream_data, "[run make]")
    assert found == "manifest.capability-undeclared"


def test_an_organisations_no_is_an_agents_no(tmp_path: Path, upstream_data: Path) -> None:
    never = rule("deny", sideEffects=("local_file_write",))
    assert refused_by(tmp_path, upstream_data, "[ask]", never) == "ours"


def test_the_question_tells_kind_arguments_and_risk_without_keys(
    tmp_path: Path, upstream_data: Path
) -> None:
    """All that the agent told of the tool counts, though its request names the tool alone."""

    async def scenario(runtime: Runtime[EngineRouter], _apps: RegisteredApps) -> None:
        await runtime.turn("session_1", "[run make]", "turn_1")
        question = await runtime.saw("action.required")
        told = question.payload
        assert (told["toolName"], told["risk"]) == ("Run a command", "high")
        assert told["arguments"] == {
            "kind": "execute",
            "rawInput": {"command": "make", "script": "x"},
        }
        assert told["ruleRefs"] == ["host.risk.terminal"]
        assert told["supportsUpdatedInput"] is False
        await runtime.respond("session_1", question.action_id or "", decision="allow_once")
        await runtime.ended("turn_1")
        assert of_type(runtime.events, "tool.result")[0]["output"] == "chosen: yes"

    play(tmp_path, upstream_data, scenario)


def test_a_long_input_is_shown_as_far_as_a_question_can_carry_it(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(runtime: Runtime[EngineRouter], _apps: RegisteredApps) -> None:
        await runtime.turn("session_1", "[run long]", "turn_1")
        question = await runtime.saw("action.required")
        arguments: Any = question.payload["arguments"]
        assert arguments["beginning"].startswith('{"rawInput":{"command":"long","script":"xxx')
        assert (arguments["kind"], arguments["charactersLeftOut"] > 20_000) == ("execute", True)
        await runtime.respond("session_1", question.action_id or "", decision="decline")
        await runtime.ended("turn_1")

    play(tmp_path, upstream_data, scenario)


def test_a_standing_yes_of_the_organisation_spares_the_question(
    tmp_path: Path, upstream_data: Path
) -> None:
    async def scenario(runtime: Runtime[EngineRouter], _apps: RegisteredApps) -> None:
        events = await runtime.run("session_1", "[run make]", "turn_1")
        assert not of_type(events, "action.required")
        assert of_type(events, "tool.result")[0]["output"] == "chosen: yes"

    play(tmp_path, upstream_data, scenario, rule("allow", capabilities=("lime.terminal",)))


def test_an_agent_cannot_reach_files_through_us(tmp_path: Path, upstream_data: Path) -> None:
    """It has its own; what it asks of ours is not there, whatever anybody would allow."""

    async def scenario(runtime: Runtime[EngineRouter], _apps: RegisteredApps) -> None:
        events = await runtime.run("session_1", "[reach read][reach write]", "turn_1")
        said = "".join(each["delta"] for each in of_type(events, "model.delta"))
        assert said == "refused -32601" * 2

    play(tmp_path, upstream_data, scenario, rule("allow", capabilities=("*",)))


def test_a_rule_that_came_while_the_question_was_open_asks_again(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: a yes answers the rules that were put to the person, and no other."""

    async def scenario(runtime: Runtime[EngineRouter], apps: RegisteredApps) -> None:
        await runtime.turn("session_1", "[run make]", "turn_1")
        first = await runtime.saw("action.required")
        asks = rule("ask", capabilities=("lime.terminal",))
        await apps.register(registration(tmp_path / "notes", rules=(asks,)), CONTEXT)
        await runtime.respond("session_1", first.action_id or "", decision="allow_once")
        second = await runtime.until(
            lambda e: e.type == "action.required" and e.action_id != first.action_id,
            "the second question",
        )
        assert "ours" in cast("list[str]", second.payload["ruleRefs"])
        await runtime.respond("session_1", second.action_id or "", decision="decline")
        await runtime.ended("turn_1")
        assert of_type(runtime.events, "tool.failed")[0]["output"] == "chosen: no"

    play(tmp_path, upstream_data, scenario)


def test_a_yes_does_not_outlive_the_rule_that_let_it_be_asked(
    tmp_path: Path, upstream_data: Path
) -> None:
    """Ours: what was forbidden while the question was open stays undone."""

    async def scenario(runtime: Runtime[EngineRouter], apps: RegisteredApps) -> None:
        await runtime.turn("session_1", "[run make]", "turn_1")
        question = await runtime.saw("action.required")
        never = rule("deny", capabilities=("lime.terminal",))
        await apps.register(registration(tmp_path / "notes", rules=(never,)), CONTEXT)
        await runtime.respond("session_1", question.action_id or "", decision="allow_once")
        await runtime.ended("turn_1")
        assert of_type(runtime.events, "tool.failed")[0]["output"] == "chosen: no"
        assert of_type(runtime.events, "permission.resolved")[-1]["ruleRefs"] == ["ours"]

    play(tmp_path, upstream_data, scenario)
