"""Turns of a registered app, with the toolsets that a broker makes for them."""

from typing import cast

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.tool_rounds import run_tools
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.secrets.store import SecretStore
from lime_desktop.app_server.secrets.tool_secrets import AppToolSecrets
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome, Toolset
from lime_desktop.protocol.calls.apps import RegisterAppParams
from lime_desktop.protocol.calls.turns import RuntimeOptions, RuntimeRequest, TurnInput
from lime_desktop.protocol.ids import JsonObject, TraceId
from lime_desktop.protocol.runtime.events import ProposedEvent

CONTEXT = CallContext(TraceId("trace"))
NO_SECRETS = AppToolSecrets(cast("SecretStore", None))
"""For apps whose manifest names no secret: nobody looks into a store for them."""


def turn_of(
    app_id: str = "notes", text: str = "Do it.", *, is_interactive: bool = True
) -> TurnRequest:
    wishes = RuntimeRequest(approval_policy="on_request" if is_interactive else "never")
    return TurnRequest(
        app_id=app_id,
        workspace_id=None,
        session_id="session_1",
        thread_id="thread_1",
        turn_id="turn_1",
        task_id="task_1",
        run_id="run_1",
        trace_id="trace_1",
        input=TurnInput(text=text),
        options=RuntimeOptions(runtime_request=wishes),
    )


async def known_apps(*registrations: RegisterAppParams) -> RegisteredApps:
    apps = RegisteredApps()
    for params in registrations:
        await apps.register(params, CONTEXT)
    return apps


class Round:
    """One call through a round, with nobody there to answer."""

    def __init__(self) -> None:
        self.events: list[ProposedEvent] = []
        self.outcome: ToolOutcome | None = None

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]


async def run_call(
    toolset: Toolset, name: str, arguments: JsonObject | None = None, call_id: str = "call_1"
) -> Round:
    """Run one call to its end."""
    done = Round()
    calls = [ToolCall(call_id, name, arguments or {})]
    async for told in run_tools(calls, toolset, AnswerMailbox()):
        if isinstance(told, ToolOutcome):
            done.outcome = told
        else:
            done.events.append(told)
    return done


async def outcome_of(
    toolset: Toolset, name: str, arguments: JsonObject | None = None
) -> ToolOutcome:
    """Run one call and give what the model reads."""
    outcome = (await run_call(toolset, name, arguments)).outcome
    assert outcome is not None
    return outcome
