"""Holds the events of one turn against the guards: what is no answer ends the turn with the reason, and is not shown.

Applied to every model of this machine, whichever engine runs it; to others where the task demands that its answer rests
on sources. An answer that has sources is shown once it is whole and judged; any other as it comes, until it goes wrong.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import cast

from lime_desktop.app_server.answer_guards.content import hollow_text
from lime_desktop.app_server.answer_guards.grounding import is_grounded, texts_in
from lime_desktop.app_server.answer_guards.repetition import RepetitionWatch
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import task_request_in
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.errors import AnswerWithheld, AppError
from lime_desktop.protocol.ids import JsonObject, ModelRequestId
from lime_desktop.protocol.runtime.events import ProposedEvent

MARKS = (
    "<|im_end|>",
    "<|im_start|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|end|>",
    "<|user|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "\n### Instruction",
    "\n### User",
    "\nUser:",
    "\nHuman:",
    "\n<<<end of ",
)
"""Signs between the speakers of a conversation, as models have learnt them; none belongs into an answer."""

_MOST_NAMED = 5

_MESSAGES = {
    "repeats": "The model began to repeat itself, so its answer was stopped.",
    "empty": "The model gave an empty answer.",
    "echo": "The model only repeated the question.",
    "ungrounded": "The model's answer had nothing to do with what was found, so it is not shown.",
    "nothing_found": "Nothing was found to answer from, so no model was asked.",
}

_OF_ROUND = ("model.requested", "tool.", "action.", "artifact.")
"""With one of these the words before were no answer, but a step on the way to it."""


class StopRules:
    """Lets an answer through up to the first mark. What may become one is held back until it is clear."""

    def __init__(self, marks: tuple[str, ...] = MARKS) -> None:
        self._marks = marks
        self._held = ""
        self.is_over = False
        """Whether a mark was met; nothing is let through any more."""

    def feed(self, piece: str) -> str:
        """What of it is clear."""
        if self.is_over:
            return ""
        text = self._held + piece
        self._held = ""
        found = [at for mark in self._marks if (at := text.find(mark)) >= 0]
        if found:
            self.is_over = True
            return text[: min(found)]
        at = self._doubtful(text)
        self._held = text[at:]
        return text[:at]

    def end(self) -> str:
        """What was held back and became no mark."""
        held, self._held = self._held, ""
        return held

    def _doubtful(self, text: str) -> int:
        """Where the end begins that a mark may begin with."""
        longest = max(map(len, self._marks), default=1) - 1
        for at in range(max(0, len(text) - longest), len(text)):
            if any(mark.startswith(text[at:]) for mark in self._marks):
                return at
        return len(text)


def cut(text: str, marks: tuple[str, ...] = MARKS) -> str:
    """A whole text up to the first mark."""
    rules = StopRules(marks)
    return rules.feed(text) + rules.end()


def withheld(reason: str, found: Sequence[str] = ()) -> AnswerWithheld:
    """The catalogue's error for a reason, and what was found instead."""
    message = _MESSAGES[reason]
    named = list(dict.fromkeys(found))[:_MOST_NAMED]
    if named:
        message = f"{message} Found: {', '.join(named)}."
    return AnswerWithheld(message, details={"reasonCode": reason, "found": named})


def guarded(
    request: TurnRequest, model: ModelDescription, events: AsyncIterator[ProposedEvent]
) -> AsyncIterator[ProposedEvent]:
    """The same events, as far as they may be shown.

    Raises:
        AnswerWithheld: the answer is none; what was shown of it is taken back first.
    """
    if not model.is_local and not request.demands_grounding:
        return events
    return AnswerGuard(request, model).watch(cast("AsyncGenerator[ProposedEvent]", events))


@dataclass(slots=True)
class _Answer:
    """What one round of a model has said."""

    rules: StopRules
    request_id: ModelRequestId | None = None
    message_id: str = ""
    text: str = ""
    is_open: bool = False
    """Whether words of it were said and its end was not."""
    repetition: RepetitionWatch = field(default_factory=RepetitionWatch)


class AnswerGuard:
    """Watches one turn."""

    def __init__(self, request: TurnRequest, model: ModelDescription) -> None:
        self._request = request
        self._is_local = model.is_local
        self._is_small = model.quality != "standard"
        # Larger models know when they are done, and may speak of such marks.
        self._marks = MARKS if self._is_small else ()
        self._answer = self._new_answer()
        self._held: list[ProposedEvent] = []
        self._has_worked = False

    async def watch(self, events: AsyncGenerator[ProposedEvent]) -> AsyncGenerator[ProposedEvent]:
        """Pass on what may be passed on."""
        async with aclosing(events):
            try:
                async for event in events:
                    for each in self._pass(event):
                        yield each
            except AnswerWithheld:
                for each in self._taken_back():
                    yield each
                raise
            except AppError:
                # What the engine has to say of its failure; of an answer that nobody judged, nothing.
                for each in self._without_words():
                    yield each
                raise
        for each in self._flushed():
            yield each

    def _pass(self, event: ProposedEvent) -> Iterator[ProposedEvent]:
        if event.type.startswith(_OF_ROUND):
            self._has_worked = self._has_worked or not event.type.startswith("model.")
            self._answer = self._new_answer()
            yield from self._flushed()
            yield event
        elif event.type == "model.delta":
            yield from self._said(event)
        elif event.type == "turn.completed":
            self._judge(event.payload)
            yield from self._flushed()
            yield event
        elif event.type == "model.completed":
            yield from self._completed(event)
        elif self._held:
            self._held.append(event)
        else:
            yield event

    def _said(self, event: ProposedEvent) -> Iterator[ProposedEvent]:
        answer = self._answer
        answer.is_open = True
        answer.request_id = event.model_request_id
        answer.message_id = str(event.payload.get("messageId", ""))
        clear = answer.rules.feed(str(event.payload.get("delta", event.payload.get("text", ""))))
        if not clear:
            return
        answer.text += clear
        passed = event.model_copy(update={"payload": {**event.payload, "delta": clear}})
        if self._request.sources or self._held:
            self._held.append(passed)
        else:
            yield passed
        if self._is_local and (loop := answer.repetition.feed(clear)):
            answer.text = loop.keep(answer.text)
            raise withheld("repeats", self._found)

    def _completed(self, event: ProposedEvent) -> Iterator[ProposedEvent]:
        """A round is over. It is held until it is known whether it was the answer."""
        answer = self._answer
        text = event.payload.get("text")
        if isinstance(text, str):
            answer.text = cut(text, self._marks)
            event = event.model_copy(update={"payload": {**event.payload, "text": answer.text}})
        rest = answer.rules.end()
        if rest and answer.is_open:
            last = _event("model.delta", answer, {"delta": rest})
            if self._request.sources:
                self._held.append(last)
            else:
                yield last
        answer.request_id = event.model_request_id
        answer.message_id = str(event.payload.get("messageId", answer.message_id))
        self._held.append(event)
        if self._is_local and answer.repetition.look():
            answer.text = ""
            raise withheld("repeats", self._found)

    def _judge(self, ending: JsonObject) -> None:
        answer, question = self._answer.text, _question(self._request)
        output = ending.get("structuredOutput")
        if output is None and self._is_local and not self._has_worked:
            reason = hollow_text(answer, question)
            if reason is not None:
                self._answer.text = ""
                raise withheld(reason, self._found)
        if self._request.sources:
            said = "\n".join(texts_in(output)) if output is not None else answer
            sources = [f"{source.title}\n{source.text}" for source in self._request.sources]
            if not is_grounded(said, question, sources, is_strict=self._is_small):
                self._answer.text = ""
                raise withheld("ungrounded", self._found)

    @property
    def _found(self) -> list[str]:
        return [source.title for source in self._request.sources if source.title]

    def _taken_back(self) -> Iterator[ProposedEvent]:
        """The end of a round whose words do not count: its text is what may stay."""
        answer = self._answer
        text = "" if self._request.sources else answer.text
        for event in self._without_words():
            if event.type == "model.completed":
                yield event.model_copy(update={"payload": {**event.payload, "text": text}})
                answer.is_open = False
            else:
                yield event
        if answer.is_open:
            yield _event("model.completed", answer, {"text": text, "stopReason": "withheld"})

    def _without_words(self) -> Iterator[ProposedEvent]:
        held, self._held = self._held, []
        return (event for event in held if event.type != "model.delta")

    def _flushed(self) -> Iterator[ProposedEvent]:
        held, self._held = self._held, []
        return iter(held)

    def _new_answer(self) -> _Answer:
        return _Answer(StopRules(self._marks))


def _event(kind: str, answer: _Answer, payload: JsonObject) -> ProposedEvent:
    return ProposedEvent.model_validate(
        {
            "type": kind,
            "model_request_id": answer.request_id,
            "payload": {"messageId": answer.message_id, **payload},
        }
    )


def _question(request: TurnRequest) -> str:
    """What was asked, without the data that came along."""
    asked = task_request_in(request.options)
    return (asked and asked.request.prompt) or request.input.text
