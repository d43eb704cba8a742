"""A review as an app asks for it. Its name says what it is about: see `review_names`."""

from dataclasses import dataclass

from lime_desktop.app_server.runtime_core.review_names import is_review
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.capability_calls.review import session_of_review
from lime_desktop.protocol.ids import ActionId, JsonObject, SessionId, TurnId
from lime_desktop.protocol.runtime.events import ProposedEvent

_METADATA = "review"
DECISIONS = ("approved", "rejected")
"""What a review may be answered with; changes go along with an approval, a note with either."""


@dataclass(frozen=True, slots=True)
class ReviewRequest:
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
        return session_of_review(self.name)

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


def review_request_in(options: RuntimeOptions) -> ReviewRequest | None:
    """The review that a turn waits for, if that is all it does."""
    told = (options.metadata or {}).get(_METADATA)
    if not isinstance(told, dict):
        return None
    named = [told.get(each) for each in ("subject", "contentRef", "name")]
    subject, content_ref, name = (each if isinstance(each, str) else "" for each in named)
    return ReviewRequest(subject, content_ref, name) if is_review(name) else None
