"""What the agent says while an app is tested: read from the package, in words an author would write.

`tests/engine.json` maps what the app asks to what it gets: a text, an object for structured output, or the steps of a
script. A `*` in a key stands for anything.
"""

import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from lime_desktop.developer.testing.plan import ENGINE_SCRIPTS
from lime_desktop.protocol.ids import JsonObject

_ANSWERS: TypeAdapter[dict[str, str | JsonObject | list[JsonObject]]] = TypeAdapter(
    dict[str, str | JsonObject | list[JsonObject]]
)
_UNTAUGHT = {"*": "This is a scripted answer: write the app's own into tests/engine.json."}


class EngineFileUnreadable(Exception):
    """The file is there, and is not what it should be."""


def write_engine_scripts(package: Path, target: Path) -> Path:
    """Write for the scripted engine what the package has its agent say."""
    source = package / ENGINE_SCRIPTS
    try:
        answers = (
            _ANSWERS.validate_json(source.read_bytes()) if source.exists() else dict(_UNTAUGHT)
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise EngineFileUnreadable(f"{ENGINE_SCRIPTS}: {first['msg']}") from None
    scripts = {
        key: value if isinstance(value, list) else _saying(value) for key, value in answers.items()
    }
    target.write_text(json.dumps(scripts), encoding="utf-8")
    return target


def _saying(answer: str | JsonObject) -> list[JsonObject]:
    text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return [
        {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
        {"type": "model.delta", "payload": {"messageId": "m1", "delta": text}},
        {"type": "model.completed", "payload": {"messageId": "m1", "text": text}},
        {"type": "turn.completed", "payload": {}},
    ]
