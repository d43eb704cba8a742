"""The facts of one command: what held it, what was run, how it ended."""

import signal

from pydantic import JsonValue

from lime_desktop.app_server.tools.commands.inside import TOO_MANY_PROCESSES, TOO_MANY_SAID
from lime_desktop.app_server.tools.commands.running import Command, CommandEnd, CommandLimits
from lime_desktop.app_server.tools.commands.sandbox import Sandbox
from lime_desktop.app_server.tools.commands.words import shown_words
from lime_desktop.protocol.ids import JsonObject, ProcessId, ToolCallId
from lime_desktop.protocol.runtime.events import ProposedEvent

_SUMMARY_CHARACTERS = 300
_SHELL_SIGNAL = 128
"""What a process that waited for another adds to the signal that ended it."""
_LIMIT_SIGNALS = {
    boundary: int(number)
    for boundary, name in (("file_size", "SIGXFSZ"), ("processor_time", "SIGXCPU"))
    if (number := getattr(signal, name, None)) is not None
}
"""How the system ends what took more than it may; not every system has these."""


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


def input_facts(call_id: str, given: int) -> list[ProposedEvent]:
    """That it was given something to read; never what: it may be anything."""
    if not given:
        return []
    return [_of_process("process.input", call_id, {"stream": "stdin", "bytes": given})]


def output_facts(call_id: str, end: CommandEnd) -> list[ProposedEvent]:
    """How much it wrote, and where; what it wrote is the call's result."""
    written = {"stdout": end.stdout, "stderr": end.stderr}
    return [
        _of_process("process.output", call_id, {"stream": name, "bytes": len(body)})
        for name, body in written.items()
        if body
    ]


def unstarted_fact(call_id: str) -> ProposedEvent:
    """The program could not be started at all."""
    payload: JsonObject = {"failureCategory": "spawn", "message": "The program could not start."}
    return _of_process("process.failed", call_id, payload)


def violation_facts(call_id: str, end: CommandEnd) -> list[ProposedEvent]:
    """The walls that a command which failed had run into. One that went on without is no news: the wall held."""
    if end.exit_code == 0:
        return []
    limits = [
        boundary
        for boundary, number in _LIMIT_SIGNALS.items()
        if end.exit_code in {-number, _SHELL_SIGNAL + number}
    ]
    # Others end with this number too; the words are the wall's.
    if end.exit_code == TOO_MANY_PROCESSES and TOO_MANY_SAID.encode() in end.stderr:
        limits.append("processes")
    hit = [
        *(("network", site, "site_not_granted") for site in end.refused_sites),
        *((boundary, "process", f"{boundary}_limit") for boundary in limits),
    ]
    return [
        ProposedEvent(
            type="sandbox.violation",
            tool_call_id=ToolCallId(call_id),
            payload={"boundary": boundary, "target": target, "reasonCode": reason},
        )
        for boundary, target, reason in hit
    ]


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
