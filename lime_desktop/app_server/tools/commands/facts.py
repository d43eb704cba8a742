"""The facts of one command: what held it, what was run, how it ended."""

from pydantic import JsonValue

from lime_desktop.app_server.tools.commands.running import Command, CommandEnd, CommandLimits
from lime_desktop.app_server.tools.commands.sandbox import Sandbox
from lime_desktop.app_server.tools.commands.words import shown_words
from lime_desktop.protocol.ids import JsonObject, ProcessId, ToolCallId
from lime_desktop.protocol.runtime.events import ProposedEvent

_SUMMARY_CHARACTERS = 300


def sandbox_fact(
    call_id: str, command: Command, sandbox: Sandbox, limits: CommandLimits
) -> ProposedEvent:
    """What the command is held by; where there is no sandbox, that and why."""
    payload: JsonObject = {
        "mode": sandbox.mode,
        "writeRoots": list[JsonValue](["workingFolder"]),
        "network": _network(command, sandbox),
        "processLimits": {
            "seconds": limits.time_s,
            "memoryBytes": limits.memory_bytes,
            "fileBytes": limits.file_bytes,
            "outputBytes": limits.output_bytes,
            "processes": limits.processes,
            "temporaryBytes": limits.temporary_bytes,
        },
    }
    if sandbox.absence is not None:
        payload["reason"] = sandbox.absence
    return ProposedEvent(type="sandbox.applied", tool_call_id=ToolCallId(call_id), payload=payload)


def _network(command: Command, sandbox: Sandbox) -> str:
    if sandbox.mode == "none":
        return "allowed"
    return "proxy" if command.network else "none"


def started_fact(call_id: str, command: Command) -> ProposedEvent:
    """A process begins. Paths of this machine stay out of facts: the program is told by its name."""
    summary = " ".join(shown_words(command.words))[:_SUMMARY_CHARACTERS]
    return _of_process(
        "process.started", call_id, {"command": summary, "cwd": "workingFolder", "tty": False}
    )


def ended_fact(call_id: str, end: CommandEnd) -> ProposedEvent:
    """A process ended, by itself or by a limit."""
    said: JsonObject = {"exitCode": end.exit_code, "durationMs": end.duration_ms}
    if end.was_too_slow or end.was_cut:
        reason = "timeout" if end.was_too_slow else "output_limit"
        return _of_process(
            "process.terminated", call_id, {**said, "by": "runtime", "reason": reason}
        )
    return _of_process("process.completed", call_id, {**said, "status": "exited"})


def _of_process(event_type: str, call_id: str, payload: JsonObject) -> ProposedEvent:
    return ProposedEvent.model_validate(
        {
            "type": event_type,
            "tool_call_id": ToolCallId(call_id),
            "process_id": ProcessId(f"process:{call_id}"),
            "payload": payload,
        }
    )
