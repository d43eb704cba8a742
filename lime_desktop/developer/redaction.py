"""What a developer may be shown or keep of what crossed a bridge: everything but credentials."""

import json
import re
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.credentials import PATTERNS
from lime_desktop.overlay.secrets import is_secret_ref, names_secret

HIDDEN = "***"
_HEADER = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}")
_SIGNED_TOKEN = re.compile(r"\beyJ[\w-]+\.[\w-]+\.[\w-]+")


def redact(value: JsonValue, name: str = "") -> JsonValue:
    """The same value with stars where a credential stood, told by its name or by its form."""
    match value:
        case dict():
            return {key: redact(each, key) for key, each in value.items()}
        case list():
            return [redact(each, name) for each in value]
        case str() if value and not is_secret_ref(value):
            return HIDDEN if names_secret(name) else redact_words(value)
        case _:
            return value


def redact_words(text: str) -> str:
    """A text with stars for every piece that has the form of a credential."""
    text = _SIGNED_TOKEN.sub(HIDDEN, _HEADER.sub(rf"\1 {HIDDEN}", text))
    raw = text.encode("utf-8", "surrogatepass")
    for known in PATTERNS:
        if any(mark in raw for mark in known.marks):
            raw = known.pattern.sub(HIDDEN.encode(), raw)
    return raw.decode("utf-8", "surrogatepass")


def redact_message(text: str) -> JsonValue:
    """A message as it was sent, read and redacted; what is no JSON stays one text."""
    try:
        value = cast("JsonValue", json.loads(text))
    except ValueError:
        return redact_words(text)
    return redact(value)
