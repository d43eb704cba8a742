"""Large content leaves its event before the event is judged: a reference and a preview stay.

Bodies are on disk before any fact names them (`content_store`).
"""

import asyncio
from collections.abc import Sequence

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.payload_rules import (
    INLINE_OUTPUT_CHARACTERS,
    PREVIEW_CHARACTERS,
    key_like_paths,
)

_OUTPUT_FIELDS = frozenset({"output", "preview", "chunk", "displayPreview", "stdout", "stderr"})
_TOOL_OUTPUT = frozenset({"tool.progress", "tool.result", "tool.failed", "process.output"})
_NEVER = frozenset({"output.spilled", "output.truncated", "output.redacted", "output.expired"})


async def spill(events: Sequence[ProposedEvent], store: ContentStore) -> list[ProposedEvent]:
    """The same events with every long payload field replaced, each after the fact that tells it."""
    if not any(_long_fields(event) for event in events):
        return list(events)
    return await asyncio.to_thread(_spill_all, events, store)


def _spill_all(events: Sequence[ProposedEvent], store: ContentStore) -> list[ProposedEvent]:
    return [part for event in events for part in _spill_one(event, store)]


def _spill_one(event: ProposedEvent, store: ContentStore) -> list[ProposedEvent]:
    payload: JsonObject = dict(event.payload)
    spilled: list[ProposedEvent] = []
    for name in _long_fields(event):
        body = _text(event.payload[name])
        reference = store.put("output", body.encode())
        spilled.append(_spilled(event, name, body, reference))
        payload[name] = body[:PREVIEW_CHARACTERS]
        is_output = name in _OUTPUT_FIELDS
        payload["outputRef" if is_output else f"{name}Ref"] = reference
        if is_output:
            payload |= {"outputTruncated": True, "outputBytes": len(body.encode())}
    update: dict[str, object] = {"payload": payload}
    if "outputRef" in payload and event.output_ref is None:
        update["output_ref"] = payload["outputRef"]
    return [*spilled, event.model_copy(update=update) if spilled else event]


def _spilled(event: ProposedEvent, name: str, body: str, reference: str) -> ProposedEvent:
    return fact(
        "output.spilled",
        output_ref=reference,
        thread_id=event.thread_id,
        turn_id=event.turn_id,
        task_id=event.task_id,
        tool_call_id=event.tool_call_id if event.type in _TOOL_OUTPUT else None,
        payload={
            "outputRef": reference,
            "owner": event.type,
            "field": name,
            "mediaType": "text/plain; charset=utf-8",
            "size": len(body.encode()),
            "preview": body[:PREVIEW_CHARACTERS],
        },
    )


def _long_fields(event: ProposedEvent) -> list[str]:
    if event.type in _NEVER:
        return []
    found = [name for name, value in event.payload.items() if _is_long(value)]
    # What looks like a key is refused by the gate; it must not reach the disk on the way there.
    return [] if found and any(key_like_paths(event.payload)) else found


def _is_long(value: JsonValue) -> bool:
    if isinstance(value, str):
        return len(value) > INLINE_OUTPUT_CHARACTERS
    return isinstance(value, dict | list) and len(_text(value)) > INLINE_OUTPUT_CHARACTERS


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
