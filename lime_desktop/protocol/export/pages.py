"""Reference pages in Markdown, complete enough to write a client from.

Types are shown as TypeScript, because that says the most in the least space.
"""

from collections.abc import Iterable
from typing import Any

from lime_desktop.protocol.bridge.envelope import MAX_MESSAGE_CHARACTERS, PROTOCOL, VERSION
from lime_desktop.protocol.bridge.from_app import APP_MESSAGES
from lime_desktop.protocol.bridge.from_host import HOST_MESSAGES
from lime_desktop.protocol.capabilities import CAPABILITIES, Capability
from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall
from lime_desktop.protocol.errors import ALL_ERRORS, RANGES
from lime_desktop.protocol.errors.of_calls import EVERY_CALL, Errors, declared_codes
from lime_desktop.protocol.export.schemas import definitions
from lime_desktop.protocol.export.tables import (
    BRIDGE_SHAPES,
    CALL_SHAPES,
    ERROR_SHAPES,
    EVENT_SHAPES,
    METHOD_SHAPES,
    READ,
    TASK_SHAPES,
    Shape,
)
from lime_desktop.protocol.export.typescript import declarations
from lime_desktop.protocol.methods import (
    CLIENT_NOTIFICATIONS,
    METHODS,
    SERVER_NOTIFICATIONS,
)
from lime_desktop.protocol.runtime.event_meanings import EVENT_MEANINGS
from lime_desktop.protocol.runtime.event_types import (
    EXTENSION_EVENT_TYPES,
    PROFILE_EVENT_TYPES,
    REQUIRED_FIELDS,
    EventType,
)
from lime_desktop.protocol.wire import Method, Notification

_WIRE = (
    "## On the wire",
    "",
    "- Start `lime-desktop app-server --stdio --data-dir DIR` and talk over its stdin and stdout; closing",
    "  stdin ends it. Its log is on stderr. Or start it with `--listen PATH` and connect to that Unix socket",
    "  (a named pipe on Windows); then `initialize` must show a `proof`.",
    "- A line is UTF-8, ends with a newline and has at most 8 MiB. An id is a whole number or a string. The",
    "  `jsonrpc` member may be left out, and is sent to those who send it. Batches are refused.",
    "- Requests may be pipelined; answers come in any order. The notification `$/cancelRequest` with `{id}`",
    "  gives a request up: it is answered with -32800.",
    "- `-32001` means too much at once: retry with back-off and jitter.",
    "- Absent fields are left out, never null. Unknown fields are to be ignored. A field whose name looks",
    "  like a key or a password is refused anywhere in `params`.",
    "- A client that has named a session in any call hears its events as `agentSession/event`, each once it is",
    "  durable, also before the answer to the call that caused it: all of them, or those of the types in",
    "  `sessionEventTypes` of `initialize`. The notification `agentSession/follow` asks for others of one",
    "  session; it holds for what is written after it came. After a lost connection or an",
    "  `agentSession/gap`, call `agentSession/read` with `afterSequence`: the snapshot first, then the events.",
)


def capabilities_page() -> str:
    """Every capability with its calls."""
    offered = [each for each in CAPABILITIES if each.is_offered]
    refused = [each for each in CAPABILITIES if not each.is_offered]
    return "\n".join(
        [
            "# Capabilities",
            "",
            "An app reaches a capability only if its manifest declares it, the entry is ready and policy",
            "allows the call. Every call answers as shown, or fails with a code of [errors.md](errors.md):",
            "one of its own, which stand with it, or one of those that any call may fail with:",
            f"{_codes(EVERY_CALL)}.",
            "",
            *(line for each in offered for line in _capability(each)),
            "## Refused by this host",
            "",
            *_table(("capability", "why"), ((each.name, _why(each)) for each in refused)),
            "",
            *_types(CALL_SHAPES),
        ]
    )


def methods_page() -> str:
    """The App Server's JSON-RPC methods and notifications."""
    return "\n".join(
        [
            "# App Server methods",
            "",
            "JSON-RPC 2.0, one object a line. A connection calls `initialize`, waits for the answer, sends",
            "`initialized`, and may then call the rest. `error.data` is an `ErrorData` of",
            "[errors.md](errors.md); `error.code` is coarse.",
            "",
            *_WIRE,
            "",
            "## Methods",
            "",
            *_methods(METHODS),
            "",
            "## Notifications",
            "",
            *_table(
                ("notification", "sent by", "params", "meaning"),
                [
                    *(_notification(each, "client") for each in CLIENT_NOTIFICATIONS),
                    *(_notification(each, "server") for each in SERVER_NOTIFICATIONS),
                ],
            ),
            "",
            *_types(METHOD_SHAPES),
        ]
    )


def errors_page() -> str:
    """Every code, by range."""
    lines = ["# Errors", ""]
    for branch in RANGES:
        rows = (
            (error.code, error.__name__, _text(error), error.user_action, error.recovery,
             "yes" if error.retryable else "", error.stable_code, error.sdk_code,
             str(error.rpc_code))
            for error in ALL_ERRORS
            if issubclass(error, branch)
        )  # fmt: skip
        columns = ("code", "name", "meaning", "for a person", "for a program", "retry",
                   "stable code", "SDK cause", "JSON-RPC")  # fmt: skip
        lines += [f"## {branch.__name__}", "", _text(branch), "", *_table(columns, rows), ""]
    return "\n".join([*lines, *_types(ERROR_SHAPES)])


def events_page() -> str:
    """Runtime events, and the task events that apps see."""
    return "\n".join(
        [
            "# Events",
            "",
            "## Runtime events",
            "",
            "The facts of a session, in one contiguous sequence. The closed list of the Lime profile:",
            "",
            *_event_types(PROFILE_EVENT_TYPES),
            "",
            "Our additions, never sent to a consumer that asked for the strict profile:",
            "",
            *_event_types(EXTENSION_EVENT_TYPES),
            "",
            "## Task events",
            "",
            "What an app sees of a run: `AgentTaskEvent`, the last of which has the type `result` and an",
            "`AgentTaskResult` as its payload.",
            "",
            *_types((*EVENT_SHAPES, *TASK_SHAPES)),
        ]
    )


def bridge_page() -> str:
    """Host Bridge v1."""
    columns = ("type", "message", "meaning")
    return "\n".join(
        [
            "# Host Bridge",
            "",
            f"Messages between an app's page and its host: protocol `{PROTOCOL}`, version {VERSION}, at most",
            f"{MAX_MESSAGE_CHARACTERS:,} characters each. An answer carries the request's `requestId` and `entryKey`.",
            "",
            "## From the app",
            "",
            *_table(columns, (_message(message) for message in APP_MESSAGES)),
            "",
            "## From the host",
            "",
            *_table(columns, (_message(message) for message in HOST_MESSAGES)),
            "",
            *_types(BRIDGE_SHAPES),
        ]
    )


def _capability(capability: Capability) -> list[str]:
    declared = "" if capability.is_declaration_needed else " Needs no declaration."
    rows = (
        (f"`{call.method}`", f"`{call.params.__name__}`", f"`{call.result.__name__}`",
         _effect(call), call.by, call.summary, _codes(call.errors))
        for call in CALLS
        if call.capability == capability.name
    )  # fmt: skip
    contract = f"Contract {capability.version}, {capability.stage}"
    return [
        f"## {capability.name}",
        "",
        f"{capability.summary}{declared} {contract}; served by the {capability.owner}.",
        "",
        *_table(("method", "params", "result", "effect", "by", "meaning", "own codes"), rows),
        "",
    ]


def _effect(call: AnyCall) -> str:
    return f"{call.effect.value}, can be undone" if call.can_be_undone else call.effect.value


def _codes(errors: Errors) -> str:
    return ", ".join(f"`{code}`" for code in declared_codes(errors))


def _why(capability: Capability) -> str:
    return capability.unavailable_reason or ""


def _methods(methods: Iterable[Method[Any, Any]]) -> list[str]:
    rows = (
        (f"`{method.name}`", f"`{method.params.__name__}`", f"`{method.result.__name__}`",
         method.summary or _text(method.params))
        for method in methods
    )  # fmt: skip
    return _table(("method", "params", "result", "meaning"), rows)


def _notification(notification: Notification[Any], sender: str) -> tuple[str, ...]:
    params = notification.params
    return (f"`{notification.name}`", sender, f"`{params.__name__}`", _text(params))


def _message(message: type) -> tuple[str, ...]:
    default = getattr(message, "model_fields")["type"].default  # noqa: B009 - two unions, one shape
    return (f"`{default}`", f"`{message.__name__}`", _text(message))


def _event_types(types: Iterable[EventType]) -> list[str]:
    rows = (
        (f"`{each}`", ", ".join(f"`{f}`" for f in REQUIRED_FIELDS[each]), EVENT_MEANINGS[each])
        for each in types
    )
    return _table(("type", "must carry", "meaning, and what the payload may say"), rows)


def _types(shapes: tuple[Shape, ...]) -> list[str]:
    read = definitions(shape for shape in shapes if shape.mode == READ)
    written = definitions(shape for shape in shapes if shape.mode != READ)
    _, text = declarations(read, written)
    return ["## Types", "", "```ts", text, "```", ""]


def _text(documented: type) -> str:
    return " ".join((documented.__doc__ or "").split())


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [columns, tuple("---" for _ in columns), *rows]
    return [f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in lines]
