"""One toolset of tools: what is offered, what policy says, what runs."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.tool_facts import asked
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import TaskRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.remembered_approvals import RememberedApprovals
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.app_server.tools.toolset import TurnToolset
from lime_desktop.policy.call import Target
from lime_desktop.policy.decision import Allowed, Decision, Denied, NeedsApproval
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.calls.approvals import ForgetApprovalParams, ListApprovalsParams
from lime_desktop.protocol.calls.apps import RegisteredRule, UnregisterAppParams
from lime_desktop.protocol.errors import AppNotInstalled, DataReadOnly
from lime_desktop.protocol.ids import AppId, JsonObject, TraceId
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.for_apps import provenance
from tests.app_server.tools.turns import CONTEXT, known_apps, outcome_of, run_call, turn_of

TOOLS = '{ "lime.tools": "^0.10.0" }'
ON_DEMAND = "agentRuntime: { agentTask: { toolDiscovery: { mode: on_demand, topK: 2 } } }"
ANY: JsonObject = {"type": "object"}
NOTES = AppId("notes")


@dataclass
class Plain:
    """A tool that says what it was given."""

    row: ToolRow
    ask: PolicyAsk = field(
        default_factory=lambda: PolicyAsk(capability="lime.tools", method="invoke")
    )
    ran: list[JsonObject] = field(default_factory=list[JsonObject])

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        del arguments
        return self.ask

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        del mailbox
        self.ran.append(call.arguments)
        yield ToolOutcome(call.call_id, f"{self.row.name} ran")


@dataclass
class ToolList:
    tools: Sequence[Tool]

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        del app, request
        return self.tools


def plain(name: str, description: str = "A tool.", schema: JsonObject | None = None) -> Plain:
    return Plain(ToolRow(name=name, description=description, input_schema=schema or ANY))


async def broker(
    tmp_path: Path,
    tools: Sequence[Tool],
    *,
    more: str = "",
    capabilities: str = TOOLS,
    approvals: RememberedApprovals | None = None,
) -> ToolBroker:
    package = write_app(tmp_path, capabilities=capabilities, more=more)
    return ToolBroker(await known_apps(registration(package)), [ToolList(tools)], approvals)


def test_an_app_that_is_not_registered_has_no_tools() -> None:
    async def scene() -> None:
        toolset = ToolBroker(RegisteredApps(), [ToolList([plain("echo")])]).toolset_for(turn_of())
        assert await toolset.offers() == ()
        assert (await outcome_of(toolset, "echo")).category == "tool_unknown"

    run(scene())


@pytest.mark.requirement("APP-40")
def test_a_tool_whose_capability_is_not_declared_is_neither_offered_nor_run(tmp_path: Path) -> None:
    """The standard: the manifest is the outer border."""
    tool = plain("echo")

    async def scene() -> None:
        toolset = (await broker(tmp_path, [tool], capabilities="{}")).toolset_for(turn_of())
        assert await toolset.offers() == ()
        assert [each.policy for each in await toolset.inventory()] == ["denied"]
        assert (await outcome_of(toolset, "echo")).category == "permission_denied"
        assert tool.ran == []

    run(scene())


def test_a_tool_that_cannot_run_now_says_why(tmp_path: Path) -> None:
    row = ToolRow(name="echo", description="", input_schema=ANY, unavailable_reason="Not set up.")

    async def scene() -> None:
        toolset = (await broker(tmp_path, [Plain(row)])).toolset_for(turn_of())
        assert await toolset.offers() == ()
        outcome = await outcome_of(toolset, "echo")
        assert (outcome.text, outcome.category) == ("Not set up.", "tool_unavailable")

    run(scene())


@pytest.mark.parametrize(
    ("schema", "category"),
    [
        ({"type": "object", "required": ["path"]}, "invalid_arguments"),
        ({"type": "nonsense"}, "tool_unavailable"),
        ({"$ref": "http://127.0.0.1:9/schema.json"}, "tool_unavailable"),
    ],
)
def test_arguments_that_do_not_fit_never_reach_the_tool(
    tmp_path: Path, schema: JsonObject, category: str
) -> None:
    tool = plain("echo", schema=schema)

    async def scene() -> None:
        toolset = (await broker(tmp_path, [tool])).toolset_for(turn_of())
        assert (await outcome_of(toolset, "echo")).category == category
        assert tool.ran == []

    run(scene())


def test_the_first_tool_of_a_name_stays(tmp_path: Path) -> None:
    """Ours: a later source must not pose as an earlier one."""
    first, second = plain("echo"), plain("echo")

    async def scene() -> None:
        toolset = (await broker(tmp_path, [first, second])).toolset_for(turn_of())
        await run_call(toolset, "echo")
        assert (len(first.ran), len(second.ran)) == (1, 0)

    run(scene())


def test_on_demand_offers_the_few_that_fit_and_a_way_to_find_more(tmp_path: Path) -> None:
    """The standard: only chosen schemas are loaded."""
    tools = [
        plain("send_mail", "Send an e-mail."),
        plain("read_calendar", "Read appointments of a day."),
        plain("translate", "Put text into another language."),
        plain("weather", "Say how the weather will be. 天气预报"),
    ]

    async def scene() -> None:
        brokered = await broker(tmp_path, tools, more=ON_DEMAND)
        toolset = brokered.toolset_for(turn_of(text="Which appointments do I have on this day?"))
        names = [each.tool_name for each in await toolset.offers()]
        assert names[0] == "read_calendar"
        assert len(names) == 3
        assert names[-1] == "find_tools"
        found = await outcome_of(toolset, "find_tools", {"query": "明天天气"})
        assert found.text.startswith("weather:")
        names = [each.tool_name for each in await toolset.offers()]
        assert names[0] == "weather"

    run(scene())


def test_discovery_none_offers_nothing(tmp_path: Path) -> None:
    more = "agentRuntime: { agentTask: { toolDiscovery: { mode: none } } }"

    async def scene() -> None:
        toolset = (await broker(tmp_path, [plain("echo")], more=more)).toolset_for(turn_of())
        assert await toolset.offers() == ()

    run(scene())


def asking_tool() -> Plain:
    tool = plain("echo")
    tool.ask = PolicyAsk(capability="lime.mcp", method="invoke", access="execute")
    return tool


MCP = '{ "lime.mcp": "^0.10.0" }'


def test_a_yes_for_the_session_holds_for_the_next_call_and_for_no_other_session(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        brokered = await broker(tmp_path, [asking_tool()], capabilities=MCP)
        toolset, call = brokered.toolset_for(turn_of()), ToolCall("c", "echo")
        needed = await toolset.judge(call)
        assert isinstance(needed, NeedsApproval)
        await toolset.remember(call, needed, "session")
        assert isinstance(await brokered.toolset_for(turn_of()).judge(call), Allowed)
        other = replace(turn_of(), session_id="session_2")
        assert isinstance(await brokered.toolset_for(other).judge(call), NeedsApproval)

    run(scene())


def test_the_catalogue_tells_all_that_is_known_of_a_tool(tmp_path: Path) -> None:
    """The issue: description, keywords, schemas, availability and cost, in one catalogue."""
    tool = plain("echo")
    tool.row = replace(
        tool.row,
        keywords=("again",),
        output_schema=ANY,
        unavailable_reason="It is away.",
        cost="one cent",
    )

    async def scene() -> None:
        toolset = (await broker(tmp_path, [tool])).toolset_for(turn_of())
        [told] = await toolset.inventory()
        assert (told.keywords, told.output_schema, told.cost) == (("again",), ANY, "one cent")
        assert (told.policy, told.unavailable_reason) == ("unavailable", "It is away.")

    run(scene())


def test_a_yes_for_the_session_is_there_after_a_restart(tmp_path: Path) -> None:
    """Ours: the session goes on, and so does what its person said."""
    folder = tmp_path / "kept"

    call = ToolCall("c", "echo")

    async def started() -> TurnToolset:
        kept = RememberedApprovals(folder)
        brokered = await broker(tmp_path, [asking_tool()], capabilities=MCP, approvals=kept)
        return brokered.toolset_for(turn_of())

    async def scene() -> None:
        before = await started()
        needed = await before.judge(call)
        assert isinstance(needed, NeedsApproval)
        await before.remember(call, needed, "session")
        assert isinstance(await (await started()).judge(call), Allowed)

    async def damaged() -> None:
        assert isinstance(await (await started()).judge(call), NeedsApproval)

    run(scene())
    [file] = folder.iterdir()
    file.write_text("{")
    run(damaged())


def test_what_people_agreed_to_is_listed_and_can_be_taken_back(tmp_path: Path) -> None:
    """A bug: a yes to an agent outlived a restart, was shown nowhere and could not be revoked."""
    kept = RememberedApprovals(tmp_path / "kept")
    call, context = ToolCall("c", "echo"), CallContext(TraceId("0" * 32))
    turn = replace(turn_of(), workspace_id="here")
    elsewhere = replace(turn, session_id="session_2")

    async def scene() -> None:
        brokered = await broker(tmp_path, [asking_tool()], capabilities=MCP, approvals=kept)
        app_id = AppId(turn.app_id)
        needed = await brokered.toolset_for(turn).judge(call)
        assert isinstance(needed, NeedsApproval)
        assert "workspace" in needed.question.remember_scopes
        await brokered.toolset_for(turn).remember(call, needed, "workspace")
        assert isinstance(await brokered.toolset_for(elsewhere).judge(call), Allowed)
        other = replace(elsewhere, workspace_id="there")
        assert isinstance(await brokered.toolset_for(other).judge(call), NeedsApproval)
        again = RememberedApprovals(tmp_path / "kept")
        [listed] = (await again.list(ListApprovalsParams(app_id=app_id), context)).approvals
        assert (listed.scope, listed.call) == ("workspace", "lime.mcp.invoke")
        forget = ForgetApprovalParams(app_id=app_id, approval_id=listed.approval_id)
        assert (await kept.forget(forget, context)).was_held
        assert not (await kept.forget(forget, context)).was_held
        assert isinstance(await brokered.toolset_for(elsewhere).judge(call), NeedsApproval)
        assert not list((tmp_path / "kept").iterdir())

    run(scene())


def test_a_yes_that_cannot_be_written_is_told_and_not_kept(tmp_path: Path) -> None:
    """A bug: it was only logged, held for as long as the process, and nobody knew that it would be gone."""
    folder = tmp_path / "kept"
    folder.write_text("in the way of a folder")
    kept, call = RememberedApprovals(folder), ToolCall("c", "echo")

    async def scene() -> None:
        brokered = await broker(tmp_path, [asking_tool()], capabilities=MCP, approvals=kept)
        toolset = brokered.toolset_for(turn_of())
        needed = await toolset.judge(call)
        assert isinstance(needed, NeedsApproval)
        with pytest.raises(DataReadOnly):
            await toolset.remember(call, needed, "session")
        assert isinstance(await toolset.judge(call), NeedsApproval)
        assert await kept.recall("notes") == ()
        folder.unlink()
        await toolset.remember(call, needed, "session")
        assert isinstance(await toolset.judge(call), Allowed)

    run(scene())


async def held_in(tmp_path: Path, kept: RememberedApprovals) -> tuple[TurnToolset, str]:
    """A toolset in which a yes for the session holds, and the yes's id."""
    brokered = await broker(tmp_path, [asking_tool()], capabilities=MCP, approvals=kept)
    toolset, call = brokered.toolset_for(turn_of()), ToolCall("c", "echo")
    needed = await toolset.judge(call)
    assert isinstance(needed, NeedsApproval)
    await toolset.remember(call, needed, "session")
    assert isinstance(await toolset.judge(call), Allowed)
    [listed] = (await kept.list(ListApprovalsParams(app_id=NOTES), CONTEXT)).approvals
    return toolset, listed.approval_id


def test_a_yes_whose_taking_back_cannot_be_written_is_told_and_not_used(tmp_path: Path) -> None:
    """A bug: it was told as taken back, and was there again after a restart."""
    folder = tmp_path / "kept"
    kept, call = RememberedApprovals(folder), ToolCall("c", "echo")

    async def scene() -> None:
        toolset, approval_id = await held_in(tmp_path, kept)
        aside = folder.rename(tmp_path / "aside")
        folder.write_text("in the way of a folder")
        forget = ForgetApprovalParams(app_id=NOTES, approval_id=approval_id)
        for _ in range(2):
            with pytest.raises(DataReadOnly):
                await kept.forget(forget, CONTEXT)
            assert isinstance(await toolset.judge(call), NeedsApproval)
        # Still listed: whoever took it back can try again.
        assert len((await kept.list(ListApprovalsParams(app_id=NOTES), CONTEXT)).approvals) == 1
        folder.unlink()
        aside.rename(folder)
        assert (await kept.forget(forget, CONTEXT)).was_held
        assert await RememberedApprovals(folder).recall(NOTES) == ()
        assert (await kept.list(ListApprovalsParams(app_id=NOTES), CONTEXT)).approvals == ()

    run(scene())


def test_what_was_taken_back_unwritten_goes_with_the_next_yes_that_is_written(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "kept"
    kept, call = RememberedApprovals(folder), ToolCall("c", "echo")

    async def scene() -> None:
        toolset, approval_id = await held_in(tmp_path, kept)
        aside = folder.rename(tmp_path / "aside")
        folder.write_text("in the way of a folder")
        with pytest.raises(DataReadOnly):
            await kept.forget(ForgetApprovalParams(app_id=NOTES, approval_id=approval_id), CONTEXT)
        folder.unlink()
        aside.rename(folder)
        needed = await toolset.judge(call)
        assert isinstance(needed, NeedsApproval)
        await toolset.remember(call, needed, "task")
        [written] = await RememberedApprovals(folder).recall(NOTES)
        assert written.approval.scope == "task"

    run(scene())


def test_yeses_of_one_moment_are_all_kept(tmp_path: Path) -> None:
    """Calls of one round are answered beside each other."""
    folder = tmp_path / "kept"
    kept = RememberedApprovals(folder)

    async def scene() -> None:
        toolset, _ = await held_in(tmp_path, kept)
        other = await broker(tmp_path, [asking_tool()], capabilities=MCP)
        needed = await other.toolset_for(turn_of()).judge(ToolCall("c", "echo"))
        assert isinstance(needed, NeedsApproval)
        adding = [toolset.remember(ToolCall("c", "echo"), needed, "task") for _ in range(5)]
        await asyncio.gather(*adding)
        assert len(await RememberedApprovals(folder).recall(NOTES)) == 6

    run(scene())


def test_where_nobody_can_be_asked_a_question_is_a_refusal(tmp_path: Path) -> None:
    """The standard: never wait for a person in a run without one."""

    async def scene() -> None:
        brokered = await broker(tmp_path, [asking_tool()], capabilities=MCP)
        decision = await brokered.toolset_for(turn_of(is_interactive=False)).judge(
            ToolCall("c", "echo")
        )
        assert isinstance(decision, Denied)
        assert decision.cause == "nobody-to-ask"

    run(scene())


def test_the_apps_own_contract_says_what_its_agents_may_ask(tmp_path: Path) -> None:
    """The standard: `behavior`, `supportsUpdatedInput` and `supportsDefer` of the manifest."""

    async def judged(folder: str, approval: str) -> Decision:
        more = f"agentRuntime: {{agentTask: {{approval: {approval}}}}}"
        brokered = await broker(tmp_path / folder, [asking_tool()], capabilities=MCP, more=more)
        return await brokered.toolset_for(turn_of()).judge(ToolCall("c", "echo"))

    async def scene() -> None:
        needed = await judged("a", "{supportsUpdatedInput: false, supportsDefer: false}")
        assert isinstance(needed, NeedsApproval)
        told = asked(ToolCall("c", "echo"), needed, "action").payload
        assert (told["supportsUpdatedInput"], told["supportsDefer"]) == (False, False)
        denied = await judged("b", "{behavior: auto-deny}")
        assert isinstance(denied, Denied)
        assert denied.rule.id == "approval.auto-deny"

    run(scene())


def test_a_rule_that_comes_during_the_turn_counts_at_once(tmp_path: Path) -> None:
    rule = RegisteredRule(
        id="user.stop", layer="user", source="Settings", text="Stop.", when={"tools": ("echo",)}
    )
    tool = plain("echo")
    tool.ask = PolicyAsk(
        capability="lime.tools", method="invoke", targets=(Target("tool", "echo"),)
    )
    more = "toolRefs:\n  - { key: echo, provider: tests }\n"

    async def scene() -> None:
        package = write_app(tmp_path, capabilities=TOOLS, more=more)
        apps = await known_apps(registration(package))
        toolset = ToolBroker(apps, [ToolList([tool])]).toolset_for(turn_of())
        assert not (await outcome_of(toolset, "echo")).is_error
        await apps.register(registration(package, rules=(rule,)), CONTEXT)
        refused = await run_call(toolset, "echo", call_id="call_2")
        assert "permission.resolved" in refused.types
        await apps.unregister(UnregisterAppParams(app_id=AppId("notes")), CONTEXT)
        with pytest.raises(AppNotInstalled):
            await toolset.judge(ToolCall("c", "echo"))
        assert len(tool.ran) == 1

    run(scene())


def host_tool(name: str) -> Plain:
    row = ToolRow(name=name, description="", input_schema=ANY, is_declared=False)
    return Plain(row)


def test_an_app_that_says_nothing_of_tools_gets_only_those_it_declares(tmp_path: Path) -> None:
    """Ours: a plain question stays plain, above all for a small model."""

    async def scene() -> None:
        tools = [plain("declared"), host_tool("hosts")]
        toolset = (await broker(tmp_path, tools)).toolset_for(turn_of())
        assert [each.tool_name for each in await toolset.offers()] == ["declared"]
        assert (await outcome_of(toolset, "hosts")).category == "tool_unknown"

    run(scene())


def test_a_task_that_names_its_tools_gets_these_and_no_others(tmp_path: Path) -> None:
    async def scene() -> None:
        tools = [plain("declared"), host_tool("hosts")]
        request = turn_of()
        asked = TaskRequest(
            request=StartTaskParams.model_validate({"title": "t", "tools": ["hosts"]}),
            provenance=provenance("notes"),
            idempotency_key="k",
        )
        request = replace(request, options=asked.options(None))
        toolset = (await broker(tmp_path, tools)).toolset_for(request)
        assert [each.tool_name for each in await toolset.offers()] == ["hosts"]

    run(scene())
