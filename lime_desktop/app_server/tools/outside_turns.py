"""The turn that a tool is given when it is listed or run outside an agent's turn, since a toolset belongs to one."""

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.protocol.calls.turns import RuntimeOptions, TurnInput


def request_outside_turns(app_id: str, session_id: str, trace_id: str | None = None) -> TurnRequest:
    """Nobody's turn, with nothing asked in it."""
    return TurnRequest(
        app_id=app_id,
        workspace_id=None,
        session_id=session_id,
        thread_id="",
        turn_id="",
        task_id="",
        run_id="",
        trace_id=trace_id,
        input=TurnInput(text=""),
        options=RuntimeOptions(),
    )
