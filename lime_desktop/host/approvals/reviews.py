"""Decisions that apps ask of a person: kept by the App Server, shown with every other question, told when they are taken."""

from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.background.observers import Observers
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.protocol.calls.reviews import (
    LIST_REVIEWS,
    READ_REVIEW,
    REQUEST_REVIEW,
    ListReviewsParams,
    ReadReviewParams,
    RequestReviewParams,
)
from lime_desktop.protocol.capability_calls.review import ReviewDecision
from lime_desktop.protocol.errors import ActionClosed
from lime_desktop.protocol.ids import AppId

Listener = Callable[[str], None]
"""Hears the name of a question that was settled."""


class SettledQuestions:
    """Who waits for the end of which question. Knows no answer: that is read where it is kept."""

    def __init__(self) -> None:
        self._listeners = Observers[str]()

    def tell(self, action_id: str) -> None:
        """Say that a question was settled."""
        self._listeners.notify(action_id)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Hear of every question from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A person's answer to a call of an app's page."""

    app_id: str
    question_id: str
    is_allowed: bool


class DecidedCalls:
    """Who wants to hear what was answered to calls."""

    def __init__(self) -> None:
        self._listeners = Observers[DecidedCall]()

    def tell(self, decided: DecidedCall) -> None:
        """Say what was answered."""
        self._listeners.notify(decided)

    def listen(self, listener: Callable[[DecidedCall], None]) -> Callable[[], None]:
        """Hear of every answer from now on; the returned function ends it."""
        return self._listeners.subscribe(listener)


class AppReviews:
    """The reviews of one app, as the App Server has them."""

    def __init__(self, app_id: AppId, call: CallServer, follow: Callable[[str], None]) -> None:
        self._app_id = app_id
        self._call = call
        self._follow = follow

    async def request(self, subject: str, payload_json: str) -> ReviewDecision:
        """Ask a person to decide; asked again, it is the same decision until the app has heard of it."""
        asked = RequestReviewParams(app_id=self._app_id, subject=subject, payload_json=payload_json)
        state = await self._call(REQUEST_REVIEW, asked)
        if state.review.status == "pending":
            self._follow(state.session_id)
        return state.review

    async def submit(self, decision_id: str) -> ReviewDecision:
        """Take note that a decision was made in the app's own page: it is the person's once they made it in the window.

        Raises:
            ActionNotFound: the app asked for no such decision.
            ActionClosed: it has been taken.
        """
        state = await self._call(
            READ_REVIEW, ReadReviewParams(app_id=self._app_id, decision_id=decision_id)
        )
        if state.review.status != "pending":
            raise ActionClosed("This review is already answered")
        self._follow(state.session_id)
        return state.review

    async def read(self, decision_id: str) -> ReviewDecision:
        """One decision as it stands.

        Raises:
            ActionNotFound: the app asked for no such decision.
        """
        asked = ReadReviewParams(app_id=self._app_id, decision_id=decision_id)
        return (await self._call(READ_REVIEW, asked)).review

    async def pending(self, subject: str | None) -> tuple[ReviewDecision, ...]:
        """What nobody has decided yet."""
        asked = ListReviewsParams(app_id=self._app_id, subject=subject)
        return (await self._call(LIST_REVIEWS, asked)).reviews
