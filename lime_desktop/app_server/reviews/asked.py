"""A review as an app asks for it. Its name holds what it is about, so that the same request finds it after any restart."""

import hashlib
import re
from dataclasses import dataclass

import msgspec
from pydantic import JsonValue

from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.ids import ActionId, JsonObject, SessionId, TurnId
from lime_desktop.protocol.runtime.events import ProposedEvent

_METADATA = "review"
_NAME = re.compile(r"decision_(?P<subject>[0-9a-f]{16})_(?P<content>[0-9a-f]{16})_(?P<round>\d+)")
DECISIONS = ("approved", "rejected")
"""What a review may be answered with; changes go along with an approval, a note with either."""


@dataclass(frozen=True, slots=True)
class AskedReview:
    """One review of one app."""

    subject: str
    content_ref: str
    name: str

    @property
    def action_id(self) -> ActionId:
        """The question, which is also the decision's name."""
        return ActionId(self.name)

    @property
    def session_id(self) -> SessionId:
        """Where its facts are."""
        return SessionId(f"session_{self.name}")

    @property
    def turn_id(self) -> TurnId:
        """The turn that waits for the answer."""
        return TurnId(f"turn_{self.name}")

    def options(self) -> RuntimeOptions:
        """What travels with the turn, so that every process can read it."""
        told: JsonObject = {"subject": self.subject, "contentRef": self.content_ref}
        return RuntimeOptions(metadata={_METADATA: {**told, "name": self.name}})

    def question(self) -> ProposedEvent:
        """What a person is asked."""
        payload = review_question(self.subject, self.content_ref, goes_to="app")
        # It waits for a person, however long they are away: nothing runs meanwhile.
        payload["expiresAt"] = "9999-12-31T00:00:00.000Z"
        return ProposedEvent(type="action.required", action_id=self.action_id, payload=payload)


def review_question(title: str, content_ref: str, goes_to: str) -> JsonObject:
    """What `action.required` says of a review, whoever asks: decided by a button, never by words."""
    return {
        "actionType": "ask_user",
        "decisionKind": "review",
        "title": title[:280],
        "availableDecisions": list(DECISIONS),
        "outputRef": content_ref,
        "answerGoesTo": goes_to,
    }


def name_of(app_id: str, subject: str, content: JsonValue, number: int) -> str:
    """The name of a review: of the same content for the same app, the how-manieth."""
    return f"{names_about(app_id, subject)}{_digest(content)}_{number}"


def names_about(app_id: str, subject: str) -> str:
    """How the names of an app's reviews on one subject begin."""
    return f"decision_{_digest([app_id, subject])}_"


def is_about(name: str, content: JsonValue) -> bool:
    """Whether a review was asked for on this very content."""
    found = _NAME.fullmatch(name)
    return found is not None and found["content"] == _digest(content)


def is_review(name: str) -> bool:
    """Whether a question is a review that an app asked for."""
    return _NAME.fullmatch(name) is not None


def is_review_turn(turn_id: str) -> bool:
    """Whether a turn does nothing but wait for a review that an app asked for."""
    return is_review(turn_id.removeprefix("turn_"))


def review_in(options: RuntimeOptions) -> AskedReview | None:
    """The review that a turn waits for, if that is all it does."""
    told = (options.metadata or {}).get(_METADATA)
    if not isinstance(told, dict):
        return None
    named = [told.get(each) for each in ("subject", "contentRef", "name")]
    subject, content_ref, name = (each if isinstance(each, str) else "" for each in named)
    return AskedReview(subject, content_ref, name) if is_review(name) else None


def _digest(value: JsonValue) -> str:
    encoded = msgspec.json.encode(value, order="deterministic")
    return hashlib.sha256(encoded).hexdigest()[:16]
