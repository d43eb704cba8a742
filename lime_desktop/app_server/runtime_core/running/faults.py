"""How a turn ends when its engine did what no engine may: faults, told as such beside the turn's own end."""

from lime_desktop.app_server.runtime_core.running.closing import Ending

SILENT = Ending(
    "engine_silent",
    "The engine said nothing for too long.",
    "Try again, or choose another engine.",
    is_fault=True,
)
FLOODED = Ending(
    "engine_flood",
    "The engine reported more than one turn may hold.",
    "Make the task smaller.",
    is_fault=True,
)
BROKEN = Ending(
    "engine_error",
    "The engine failed.",
    "Try again; the log of the App Server has the details.",
    is_fault=True,
)
UNFINISHED = Ending(
    "engine_protocol", "The engine stopped without ending its turn.", "Try again.", is_fault=True
)


def impossible(reason: str) -> Ending:
    """It reported what the gates refuse."""
    return Ending(
        "engine_protocol",
        f"The engine reported something impossible: {reason}.",
        "Update or replace the engine.",
        is_retryable=False,
        code=reason,
        is_fault=True,
    )
