"""What tells a question from others of its kind, in a few words: the first short values of what it is about. Pure."""

from collections.abc import Iterator

from pydantic import JsonValue

from lime_desktop.host.approvals.question import Question
from lime_desktop.host.wording.actions import is_id
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.protocol.runtime.payload_rules import is_key_like

_MOST_VALUES = 3
_MOST_LETTERS = 36
_LONGEST = 80
_MOST_LOOKED_AT = 24


def gist_of(question: Question, sentence: str) -> str:
    """The values that the sentence does not name; empty where nothing of it is short enough to be read in a line."""
    return " · ".join(each for each in dict.fromkeys(_told(question)) if each not in sentence)


def _told(question: Question) -> Iterator[str]:
    if question.wants_words:
        yield from _words(question.prompt)
    elif question.review is not None:
        yield from _values(question.review.content)
    elif question.origin == "agent" and not question.program:
        yield from _values(question.arguments)


def _values(content: JsonValue) -> list[str]:
    match content:
        case dict() if len(content) == 1:
            return _values(next(iter(content.values())))
        case dict():
            named = [*content.items()][:_MOST_LOOKED_AT]
            short = (_short(each) for name, each in named if not is_key_like(name))
            return [each for each in short if each][:_MOST_VALUES]
        case str():
            return [*_words(content)]
        case list() if content:
            return _values(content[0])
        case _:
            return [each for each in (_short(content),) if each]


def _words(text: str) -> Iterator[str]:
    begin = text.strip().partition("\n")[0]
    if begin and not is_id(begin):
        yield plain_line(begin.lstrip("# "), _LONGEST)


def _short(value: JsonValue) -> str:
    """What stands in one field, where it is a word or a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = str(value).strip()
    is_line = len(text) <= _MOST_LETTERS and "\n" not in text and not is_id(text)
    return plain_line(text) if is_line else ""
