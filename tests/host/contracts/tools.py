"""What runs for a page: declared tools, the tools of tool servers, connected systems, declared programs."""

from lime_desktop.host.approvals.question import Answer
from lime_desktop.protocol.calls.mcp_servers import (
    ADD_MCP_SERVER,
    AddMcpServerParams,
    McpServerSettings,
)
from tests.app_server.tools.mcp.conftest import command_of
from tests.host.bridged import Bridged
from tests.host.contracts.contract import Contract, Given, Prepare

YES_FOR_NOW = Answer(is_yes=True, remember="session")
_HI = {"arguments": ["hi"]}


def _program(capability: str) -> str:
    adapter = "adapter: {kind: cli, command: echo}, access: {read: true, write: false}"
    return f"integrations: [{{key: greet, provider: POSIX, role: greeting, hostCapability: {capability}, {adapter}}}]\n"


_SERVER = "integrations: [{key: crm, provider: crm, role: customers, adapter: {kind: mcp, server: raw}}]\n"


def agreed(call: str, **given: object) -> Prepare:
    """The call is one that a person is asked about, and somebody said yes to it for as long as the page is open."""

    async def prepare(page: Bridged) -> Given:
        assert await page.code(call, **given) == "APP_E010"
        page.approvals.queue.answer([page.approvals.queue.open[0].question_id], YES_FOR_NOW)
        return {}

    return prepare


async def _invoked(page: Bridged) -> Given:
    await agreed("lime.tools.invoke", key="greet", input=_HI)(page)
    run = await page.value("lime.tools.invoke", key="greet", input=_HI)
    return {"invocationId": run["invocationId"]}


async def _ran(page: Bridged) -> Given:
    await agreed("lime.terminal.run", command="echo hi")(page)
    return {"runId": (await page.value("lime.terminal.run", command="echo hi"))["runId"]}


async def _reading(page: Bridged) -> Given:
    command = {"command": "cat", "keepInput": True}
    run_id = (await page.allowed("lime.terminal.run", **command))["value"]["runId"]
    await agreed("lime.terminal.write", runId=run_id, text="hi", close=True)(page)
    return {"runId": run_id}


async def _served(page: Bridged) -> Given:
    settings = McpServerSettings(server_id="raw", command=command_of("raw_server.py"))
    await page.connection.call(ADD_MCP_SERVER, AddMcpServerParams(settings=settings))
    return await agreed("lime.mcp.invoke", tool="mcp__raw__greet")(page)


_ECHO = {"connectorId": "greet", "action": "run", "input": _HI}
_SAID_HI = "hi\n"

CONTRACTS = (
    Contract(
        "lime.tools.invoke",
        {"key": "greet", "input": _HI},
        bad={"input": _HI},
        prepare=agreed("lime.tools.invoke", key="greet", input=_HI),
        manifest=_program("lime.tools"),
        also=("lime.terminal",),
        expect=lambda run: (run["status"], run["output"]) == ("succeeded", _SAID_HI),
    ),
    Contract(
        "lime.tools.getProgress",
        {"invocationId": "x"},
        bad={},
        prepare=_invoked,
        manifest=_program("lime.tools"),
        also=("lime.tools", "lime.terminal"),
        expect=lambda run: run["progress"] == 1,
    ),
    Contract(
        "lime.mcp.invoke",
        {"tool": "mcp__raw__greet"},
        bad={},
        prepare=_served,
        manifest=_SERVER,
        expect=lambda given: given["content"] == [{"type": "text", "text": "called"}],
    ),
    Contract(
        "lime.connectors.invoke",
        _ECHO,
        bad={"connectorId": "greet"},
        prepare=agreed("lime.connectors.invoke", **_ECHO),
        manifest=_program("lime.connectors"),
        also=("lime.terminal",),
        expect=lambda given: given["output"] == _SAID_HI,
    ),
    Contract(
        "lime.terminal.run",
        {"command": "echo hi"},
        bad={"command": ""},
        prepare=agreed("lime.terminal.run", command="echo hi"),
        manifest=_program("lime.terminal"),
        expect=lambda run: (
            (run["status"], run["exitCode"], run["output"]) == ("exited", 0, _SAID_HI)
        ),
    ),
    Contract(
        "lime.terminal.write",
        {"runId": "x", "text": "hi", "close": True},
        bad={"runId": "x"},
        prepare=_reading,
        manifest=_program("lime.terminal").replace("command: echo", "command: cat"),
        expect=lambda run: run["status"] in {"running", "exited"},
    ),
    *(
        Contract(
            f"lime.terminal.{method}",
            {"runId": "x"},
            bad={},
            prepare=_ran,
            manifest=_program("lime.terminal"),
            expect=lambda run: run["status"] == "exited",
        )
        for method in ("getRun", "cancel")
    ),
)
