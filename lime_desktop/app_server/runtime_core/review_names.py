"""The names of reviews. A name holds what the review is about, so that the same request finds it after any restart.

RuntimeCore reads them too: a turn that only waits for a review has no engine, and is not ended with one.
"""

import hashlib
import re

import msgspec
from pydantic import JsonValue

_NAME = re.compile(
    r"(?:decision|form)_(?P<subject>[0-9a-f]{16})_(?P<content>[0-9a-f]{16})_(?P<round>\d+)"
)


def name_of(app_id: str, subject: str, content: JsonValue, number: int) -> str:
    """The name of a review: of the same content for the same app, the how-manieth."""
    return f"{names_about(app_id, subject)}{_digest(content)}_{number}"


def form_name(app_id: str, subject: str, form: JsonValue, number: int) -> str:
    """The name of a form that a person is to fill in: it waits like a review, and is none."""
    return f"form_{_digest([app_id, subject])}_{_digest(form)}_{number}"


def names_about(app_id: str, subject: str) -> str:
    """How the names of an app's reviews on one subject begin."""
    return f"decision_{_digest([app_id, subject])}_"


def is_about(name: str, content: JsonValue) -> bool:
    """Whether a review was asked for on this very content."""
    found = _NAME.fullmatch(name)
    return found is not None and found["content"] == _digest(content)


def is_review(name: str) -> bool:
    """Whether a question is a review that an app asked for, or a form: no engine had a part in it."""
    return _NAME.fullmatch(name) is not None


def is_review_turn(turn_id: str) -> bool:
    """Whether a turn does nothing but wait for a review that an app asked for."""
    return is_review(turn_id.removeprefix("turn_"))


def _digest(value: JsonValue) -> str:
    encoded = msgspec.json.encode(value, order="deterministic")
    return hashlib.sha256(encoded).hexdigest()[:16]
