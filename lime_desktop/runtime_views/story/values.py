"""What a sentence names: the question, the model, the tool, the file. Taken from payloads, cut to what a line shows."""

from typing import cast
from urllib.parse import urlsplit

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text, texts
from lime_desktop.runtime_views.payload import mapping, number
from lime_desktop.runtime_views.story.steps import Value

LINE_CHARACTERS = 120

KNOWN_TOOLS = {
    "knowledge_search": "query",
    "web_fetch": "url",
    "file_list": "path",
    "file_read": "path",
    "file_parse": "path",
    "storage_get": "key",
    "storage_list": "prefix",
    "storage_query": "table",
    "storage_set": "key",
    "storage_delete": "key",
    "artifact_create": "title",
    "artifact_read": "artifactId",
    "artifact_list": "kind",
    "read_skill": "name",
    "delegate": "role",
}
"""Tools of the host with sentences of their own, and the argument that says what each call is about."""


def values_of(event: RuntimeEvent) -> dict[str, Value]:
    """Everything a sentence about this event may name; what it lacks is filled in by words for "some"."""
    found: dict[str, Value | None] = {
        "text": text(event, "text", "prompt", "objective"),
        "model": _model(event),
        "provider": text(event, "selectedProvider", "provider"),
        "failed": text(event, "failedModel"),
        "tool": tool_name(event),
        "title": text(event, "title", "name", "label"),
        "path": text(event, "path"),
        "role": text(event, "role", "title"),
        "command": text(event, "commandSummary", "command"),
        "reason": text(event, "decisionReason", "reason", "reasonCode"),
        "decision": text(event, "decision", "verdict"),
        "phase": event.phase or text(event, "phase"),
        "seconds": _seconds(event),
        **_counts(event),
        **_about_call(event),
    }
    return {name: _cut(value) for name, value in found.items() if value is not None}


def tool_name(event: RuntimeEvent) -> str | None:
    """A tool as a person would call it: its title, or the last part of its name in words."""
    name = text(event, "toolName")
    titled = text(event, "title")
    if event.type.startswith("tool.") and titled and titled != name:
        return titled
    if name is None:
        return None
    return name.split("__")[-1].replace("_", " ").replace("-", " ").strip() or name


def first_line(words: str) -> str:
    """What fits on a line."""
    line = " ".join(words.split())
    return line if len(line) <= LINE_CHARACTERS else f"{line[: LINE_CHARACTERS - 1].rstrip()}…"


def _model(event: RuntimeEvent) -> str | None:
    return text(event, "selectedModel", "model")


def _seconds(event: RuntimeEvent) -> int | None:
    waited = number(event, "waitMs") or number(event, "retryAfterMs")
    return None if waited is None else max(1, round(waited / 1000))


def _counts(event: RuntimeEvent) -> dict[str, Value | None]:
    """How many, for the kinds of event that count something."""
    listed = {
        "context.resolved": "citations",
        "tool.catalog.resolved": "tools",
        "tool.result": "refIds",
        "queue.changed": "queuedTurnIds",
        "history.rollback.completed": "removedTurns",
    }.get(event.type)
    value = event.payload.get(listed) if listed else None
    if isinstance(value, list):
        return {"count": len(cast("list[object]", value))}
    return {"count": _whole(number(event, "candidateCount"))}


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _about_call(event: RuntimeEvent) -> dict[str, Value | None]:
    """What a call of one of the host's tools is about."""
    name = text(event, "toolName")
    argument = KNOWN_TOOLS.get(name or "")
    arguments = mapping(event, "safeArgs")
    if argument is None or arguments is None:
        return {}
    value = arguments.get(argument)
    if not isinstance(value, str) or not value:
        return {}
    return {"thing": _site(value) if argument == "url" else value}


def _site(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


def _cut(value: Value) -> Value:
    return first_line(value) if isinstance(value, str) else value


def arguments_of(event: RuntimeEvent) -> JsonObject | None:
    """A call's arguments as far as they may be shown."""
    return mapping(event, "safeArgs", "arguments", "args")


def passages_of(event: RuntimeEvent) -> tuple[str, ...]:
    """Where passages were found, each on a line."""
    cited = event.payload.get("citations")
    if not isinstance(cited, list):
        return texts(event, "refIds")
    lines: list[str] = []
    for each in cited:
        if isinstance(each, dict):
            parts = (each.get("title"), each.get("location"))
            lines.append(" · ".join(part for part in parts if isinstance(part, str) and part))
    return tuple(line for line in lines if line)
