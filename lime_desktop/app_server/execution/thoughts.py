"""What a model thought on its way to an answer, kept short: the fact `reasoning.summary` of a round. Knows no engine."""

import re
from dataclasses import dataclass

from lime_desktop.protocol.ids import JsonObject, ModelRequestId
from lime_desktop.protocol.runtime.events import ProposedEvent

_KEPT_CHARACTERS = 20_000
_SUMMARY_CHARACTERS = 400
_HEADING = re.compile(r"^\s*(?:\*\*(?P<bold>[^*\n]+)\*\*|#+\s+(?P<title>[^\n]+))\s*$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n\u3002\uff01\uff1f]+[.!?\u3002\uff01\uff1f]*")


@dataclass(slots=True)
class Thoughts:
    """The thoughts of one round, as they come."""

    text: str = ""
    characters: int = 0

    def add(self, delta: str) -> None:
        """Hear a piece."""
        self.characters += len(delta)
        self.text = (self.text + delta)[:_KEPT_CHARACTERS]

    def fact(self, message_id: str, request_id: ModelRequestId | None) -> ProposedEvent | None:
        """The summary, where there were thoughts: in the model's own words, for nobody here may put others in its mouth."""
        summary = summarized(self.text)
        if not summary:
            return None
        payload: JsonObject = {
            "messageId": message_id,
            "summary": summary,
            "method": "extract",
            "thoughtCharacters": self.characters,
        }
        return ProposedEvent(type="reasoning.summary", model_request_id=request_id, payload=payload)


def summarized(thoughts: str) -> str:
    """The headings that a model gave its thoughts, else how they begin and how they end."""
    headings = [(found["bold"] or found["title"]).strip() for found in _HEADING.finditer(thoughts)]
    if headings:
        return _short(" · ".join(dict.fromkeys(headings)))
    sentences = [found.strip() for found in _SENTENCE.findall(thoughts) if found.strip()]
    if not sentences:
        return ""
    return _short(sentences[0] if len(sentences) == 1 else f"{sentences[0]} … {sentences[-1]}")


def _short(text: str) -> str:
    is_short = len(text) <= _SUMMARY_CHARACTERS
    return text if is_short else f"{text[: _SUMMARY_CHARACTERS - 1]}…"
