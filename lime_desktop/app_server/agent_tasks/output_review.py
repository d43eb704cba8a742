"""A person's yes before a result is written back. The question's id holds all that is needed to go on after a restart."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_server.content_store import SCHEME, digest_of
from lime_desktop.app_server.reviews.review_request import review_question
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.protocol.ids import ActionId, JsonObject
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.runtime.events import ProposedEvent

_MOST = 24
"""Titles of one schema: as many as a person is shown fields. All bounds together leave room in an event."""
_LONGEST_PATH = 120
_MOST_LETTERS = 60
_MOST_LANGUAGES = 4
_DEEPEST = 3

_ACTION = re.compile(
    r"review_(?P<run>.+?)_(?P<attempts>\d+)_(?P<digest>[0-9a-f]{64})(?:_(?P<round>\d+))?"
)


def field_titles(schema: JsonObject) -> list[JsonValue]:
    """The titles of its properties by their paths, the outer ones first, as `action.required` carries them."""
    return [title for title, _ in zip(_titles(schema), range(_MOST), strict=False)]


def _titles(schema: JsonObject) -> Iterator[JsonValue]:
    waiting: list[tuple[str, JsonValue, int]] = [("", schema, 0)]
    while waiting:
        path, here, depth = waiting.pop(0)
        for name, inner in _properties(here):
            found = f"{path}{name}"
            if len(found) > _LONGEST_PATH:
                continue
            if title := _title(inner):
                yield {"path": found, "title": title, "byLanguage": _by_language(inner)}
            if depth < _DEEPEST:
                waiting.append((f"{found}/", inner, depth + 1))


def _properties(schema: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    """Of an object, or of every item of a list: what they are called does not differ."""
    if not isinstance(schema, dict):
        return
    for holder in (schema, schema.get("items")):
        properties = holder.get("properties") if isinstance(holder, dict) else None
        if isinstance(properties, dict):
            for name, inner in properties.items():
                if isinstance(inner, dict):
                    yield name, cast("JsonObject", inner)


def _title(schema: Mapping[str, JsonValue]) -> str:
    title = schema.get("title")
    return plain_line(title, _MOST_LETTERS) if isinstance(title, str) else ""


def _by_language(schema: Mapping[str, JsonValue]) -> JsonObject:
    """The same in other languages, by the field that entries of a manifest have for it."""
    given = schema.get("titleI18n")
    texts = given.items() if isinstance(given, dict) else ()
    told = [(tag, each) for tag, each in texts if isinstance(each, str) and len(tag) <= 16]
    return {tag: plain_line(each, _MOST_LETTERS) for tag, each in told[:_MOST_LANGUAGES]}


@dataclass(frozen=True, slots=True)
class Review:
    """The question whether an output is accepted."""

    run_id: str
    attempts: int
    output_ref: str
    round: int = 0
    """How often a person changed it into something that did not fit."""

    @property
    def action_id(self) -> ActionId:
        """The question's name."""
        name = f"review_{self.run_id}_{self.attempts}_{digest_of(self.output_ref)}"
        return ActionId(f"{name}_{self.round}" if self.round else name)

    def question(self, title: str | None, schema: JsonObject, problem: str = "") -> ProposedEvent:
        """What a person is asked; the schema names the fields, `problem` says why they are asked once more."""
        payload = review_question(title or "Result", self.output_ref, goes_to="task")
        if titles := field_titles(schema):
            payload["fieldTitles"] = titles
        if problem:
            payload["prompt"] = problem
        return ProposedEvent(type="action.required", action_id=self.action_id, payload=payload)


def review_asked_in(open_action_ids: tuple[str, ...]) -> Review | None:
    """The review that a turn still waits for, if that is what it waits for."""
    for action_id in open_action_ids:
        if found := _ACTION.fullmatch(action_id):
            output_ref = f"{SCHEME}output/{found['digest']}"
            return Review(
                found["run"], int(found["attempts"]), output_ref, int(found["round"] or 0)
            )
    return None


class Reviews:
    """The answers that are waited for. One may come before the turn that asked is taken up again."""

    def __init__(self) -> None:
        self._answers: dict[str, asyncio.Future[ActionAnswer]] = {}

    def take_answer(self, answer: ActionAnswer) -> bool:
        """Take an answer, if its question is a review."""
        if not _ACTION.fullmatch(answer.action_id):
            return False
        future = self._future(answer.action_id)
        if not future.done():
            future.set_result(answer)
        return True

    async def answer_to(self, action_id: str) -> ActionAnswer:
        """Wait for a person; their time is bounded by the question's own expiry."""
        try:
            return await self._future(action_id)
        finally:
            del self._answers[action_id]

    def _future(self, action_id: str) -> asyncio.Future[ActionAnswer]:
        if action_id not in self._answers:
            self._answers[action_id] = asyncio.get_running_loop().create_future()
        return self._answers[action_id]
