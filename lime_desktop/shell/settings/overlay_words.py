"""A setting of an app in a person's words, and what they typed as a value. Knows no widget."""

import json
import re
from typing import cast

from pydantic import JsonValue

from lime_desktop.host.apps.setting_rows import ANY_CHECK, SettingRow
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.overlay.keys import Form, family_of, names_in

_OPEN_NAME = re.compile(r"<[^>]+>")
_CHECK_SHAPE = "evals.<eval>.threshold"
_COMMAS = re.compile(r"[,，、;；\n]")


def row_name(row: SettingRow, texts: Texts) -> str:
    """What a setting is called."""
    return row.title or _named(row.shape, row.names, texts)


def key_name(key: str, texts: Texts) -> str:
    """What a setting is called whose app is not known any more."""
    family = family_of(key)
    if family is None:
        return key
    is_check = family.refers_to == "evals"
    return _named(family.shape, (ANY_CHECK,) if is_check else names_in(key, family), texts)


def _named(shape: str, names: tuple[str, ...], texts: Texts) -> str:
    pattern = texts(f"overlay.name.{_OPEN_NAME.sub('*', shape)}")
    if shape == _CHECK_SHAPE:
        kind, *number = names
        return " ".join((pattern.format(texts(f"overlay.check.{kind}")), *number))
    return pattern.format(*names)


def value_words(value: JsonValue, texts: Texts) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return texts("overlay.yes" if value else "overlay.no")
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return listed(texts, map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def read_value(form: Form, typed: str) -> JsonValue:
    """What somebody typed, as the setting takes it; whether it fits is judged where it is kept."""
    text = typed.strip()
    match form:
        case "words":
            return [word.strip() for word in _COMMAS.split(text) if word.strip()]
        case "number" | "option" | "anything":
            return _parsed(text)
        case _:
            return text


def _parsed(text: str) -> JsonValue:
    try:
        return cast("JsonValue", json.loads(text))
    except ValueError:
        return text
