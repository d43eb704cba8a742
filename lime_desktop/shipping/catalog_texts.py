"""What a catalog says to people about a version: why it is offered no more, why it must not run, what is new in it.

By language, and short enough for whoever reads the list: one text that is too long would refuse the whole of it. Pure.
"""

import re
from collections.abc import Mapping

MAX_REASON_CHARS = 1_024
MAX_NOTES_CHARS = 8_192
MAX_LANGUAGES = 20
LANGUAGE = r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*"
_LANGUAGE = re.compile(LANGUAGE)


def reason_problem(texts: Mapping[str, str]) -> str | None:
    """Why a reason cannot be published, if it cannot."""
    return _problem(texts, "the reason", MAX_REASON_CHARS)


def notes_problem(texts: Mapping[str, str]) -> str | None:
    """Why notes cannot be published, if they cannot."""
    return _problem(texts, "what is new", MAX_NOTES_CHARS)


def split_language(text: str) -> tuple[str, str]:
    """A language and what is said in it, from ``zh-CN=…``; English where none is named."""
    language, separator, said = text.partition("=")
    if separator and _LANGUAGE.fullmatch(language):
        return language, said
    return "en", text


def as_written(texts: Mapping[str, str]) -> object:
    """As the list has it: one text where it is in English alone."""
    return texts["en"] if list(texts) == ["en"] else dict(texts)


def _problem(texts: Mapping[str, str], name: str, most: int) -> str | None:
    if not any(each.strip() for each in texts.values()):
        return f"{name} is missing"
    if len(texts) > MAX_LANGUAGES:
        return f"{name} is in more than {MAX_LANGUAGES} languages"
    for language, text in texts.items():
        if not _LANGUAGE.fullmatch(language):
            return f"{language[:20]!r} is no language: use one such as en or zh-CN"
        if len(text) > most:
            return f"{name} has {len(text)} characters; {most} are read"
    return None
