"""A review as an app asks for it. Its name says what it is about: see `review_names`."""

from dataclasses import dataclass
from typing import Any

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.runtime_core.review_names import is_review
from lime_desktop.protocol.calls.turns import RuntimeOptions
from lime_desktop.protocol.capability_calls.review import session_of_review
from lime_desktop.protocol.ids import ActionId, JsonObject, SessionId, TurnId
from lime_desktop.protocol.runtime.events import ProposedEvent

_METADATA = "review"
_NEVER = "9999-12-31T00:00:00.000Z"
DECISIONS = ("approved", "rejected")
"""What a review may be answered with; changes go along with an approval, a note with either."""


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """One review of one app."""

    subject: str
    content_ref: str
    name: str
    form: JsonObject | None = None
    """The JSON Schema of what a person is to fill in, where nothing is judged."""
    prompt: str | None = None
    titles: tuple[JsonValue, ...] = ()
    """What the fields of the content are called, as `action.required` carries it."""
    expires_at: str = _NEVER
    """When nobody is waited for any more."""

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
        told: JsonObject = {
            "subject": self.subject,
            "contentRef": self.content_ref,
            "name": self.name,
            "expiresAt": self.expires_at,
        }
        if self.form is not None:
            # As text: the names of an app's own fields are its business.
            told |= {"form": msgspec.json.encode(self.form).decode(), "prompt": self.prompt or ""}
        if self.titles:
            told["titles"] = msgspec.json.encode(self.titles).decode()
        return RuntimeOptions(metadata={_METADATA: told})

    def question(self) -> ProposedEvent:
        """What a person is asked."""
        if self.form is not None:
            payload = form_question(self.subject, self.form, self.prompt)
        else:
            payload = review_question(self.subject, self.content_ref, goes_to="app")
            if self.titles:
                payload["fieldTitles"] = list(self.titles)
        # It waits for a person, however long they are away: nothing runs meanwhile.
        payload["expiresAt"] = self.expires_at
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


def form_question(title: str, form: JsonObject, prompt: str | None) -> JsonObject:
    """What `action.required` says of a form."""
    return {
        "actionType": "elicitation",
        "decisionKind": "form",
        "title": title[:280],
        "prompt": prompt or title,
        "inputSchema": form,
        "answerGoesTo": "app",
    }


def review_request_in(options: RuntimeOptions) -> ReviewRequest | None:
    """The review that a turn waits for, if that is all it does."""
    told = (options.metadata or {}).get(_METADATA)
    if not isinstance(told, dict):
        return None
    named = [told.get(each) for each in ("subject", "contentRef", "name")]
    subject, content_ref, name = (each if isinstance(each, str) else "" for each in named)
    if not is_review(name):
        return None
    form, prompt, expires = (told.get(each) for each in ("form", "prompt", "expiresAt"))
    titles = told.get("titles")
    return ReviewRequest(
        subject,
        content_ref,
        name,
        form=msgspec.json.decode(form, type=dict[str, Any]) if isinstance(form, str) else None,
        prompt=prompt if isinstance(prompt, str) else None,
        titles=_titles_in(titles) if isinstance(titles, str) else (),
        # Those of an earlier version did not say when they end: never.
        expires_at=expires if isinstance(expires, str) else _NEVER,
    )


def _titles_in(written: str) -> tuple[JsonValue, ...]:
    return tuple(msgspec.json.decode(written, type=list[dict[str, Any]]))
