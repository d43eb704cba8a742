"""What a step opens to: the question, the answer, input and output, passages, tokens. Texts as they are; titles are keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.runtime_views.story.steps import Detail
from lime_desktop.runtime_views.story.values import arguments_of, passages_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import JsonValue

    from lime_desktop.protocol.runtime.events import RuntimeEvent
    from lime_desktop.runtime_views.story.draft import Draft

_LONGEST = 20_000
_SAID = ("message", "detail", "error", "capabilityGap", "prompt", "completionSummary", "chunk")
"""Payload fields that are words for a person."""


def details_of(draft: Draft) -> tuple[Detail, ...]:
    """Everything a step opens to, in the order of reading."""
    return tuple(each for each in _all(draft) if each.text.strip())


def _all(draft: Draft) -> Iterator[Detail]:
    yield Detail("question", draft.question, "markdown")
    for event in draft.facts:
        yield from _of_event(event)
    yield Detail("thoughts", draft.thoughts.read(), "markdown")
    yield Detail("answer", draft.answer.read(), "markdown")


def _of_event(event: RuntimeEvent) -> Iterator[Detail]:
    if event.type in {"turn.submitted", "queue.changed"}:
        yield Detail("question", _cut(text(event, "text")), "markdown")
        return
    if event.type.startswith(("model.", "reasoning.")):
        yield Detail("problem", _cut(text(event, "error", "message")), "line")
        return
    if event.type in {"tool.started", "tool.args"}:
        yield Detail("input", given(arguments_of(event)))
        return
    yield Detail("passages", "\n".join(passages_of(event)))
    yield Detail("output", _cut(text(event, "output", "displayPreview", "preview")), "text")
    yield from (
        Detail("said", _cut(text(event, name)), "line") for name in _SAID if text(event, name)
    )


def given(arguments: JsonValue) -> str:
    """Arguments as a person reads them: one to a line, words without quotes."""
    if not isinstance(arguments, dict):
        return ""
    return _cut("\n".join(f"{name}: {_plain(value)}" for name, value in arguments.items()))


def _plain(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(words: str | None) -> str:
    return (words or "")[:_LONGEST]
