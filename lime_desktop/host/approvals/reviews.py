"""Decisions that apps ask of a person: put like every other question, kept until this program ends."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import cast

from pydantic import JsonValue

from lime_desktop.host.approvals.question import Answer, Question
from lime_desktop.host.approvals.queue import ApprovalQueue
from lime_desktop.protocol.capability_calls.review import Decision, ReviewDecision
from lime_desktop.protocol.errors import ActionClosed, ActionNotFound, RateLimited


@dataclass(frozen=True, slots=True)
class _Kept:
    app_id: str
    review: ReviewDecision
    asked: JsonValue
    """What the person was shown, before they changed it."""
    is_told: bool = False
    """Whether the app has the decision."""

    def answers(self, app_id: str, subject: str, payload: JsonValue) -> bool:
        """Whether this is what an app asks for: still open, or decided on the same and not heard of yet."""
        if (self.app_id, self.review.subject) != (app_id, subject):
            return False
        return self.review.status == "pending" or (not self.is_told and self.asked == payload)


class Reviews:
    """The decisions of every app."""

    def __init__(self, queue: ApprovalQueue, now_ms: Callable[[], int]) -> None:
        self._queue = queue
        self._now_ms = now_ms
        self._kept: dict[str, _Kept] = {}

    def request(self, app_id: str, subject: str, payload: JsonValue) -> ReviewDecision:
        """Ask a person to decide; asked again, it is the same decision until the app has heard of it."""
        for kept in self._kept.values():
            if kept.answers(app_id, subject, payload):
                return self._tell(kept)
        review = ReviewDecision(
            decision_id=f"decision_{secrets.token_hex(8)}",
            subject=subject,
            status="pending",
            payload=payload,
            requested_at=_now(),
        )
        self._kept[review.decision_id] = _Kept(app_id, review, payload)
        self._ask(app_id, review, subject, lambda answer: self._decide(review, answer))
        return review

    def submit(
        self, app_id: str, decision_id: str, decision: Decision, note: str | None
    ) -> ReviewDecision:
        """Take a decision that was made in the app's own page, and ask the person whether it is theirs.

        Raises:
            ActionNotFound: the app asked for no such decision.
            ActionClosed: it has been taken.
        """
        review = self.of(app_id, decision_id)
        if review.status != "pending":
            raise ActionClosed("This decision has been taken")
        prompt = f"{review.subject}: {decision}?"

        def confirm(answer: Answer) -> None:
            if answer.is_yes:
                self._settle(review, decision, note, review.payload)

        self._ask(app_id, review, prompt, confirm)
        return review

    def pending(self, app_id: str, subject: str | None) -> tuple[ReviewDecision, ...]:
        """What nobody has decided yet."""
        return tuple(
            kept.review
            for kept in self._kept.values()
            if kept.app_id == app_id
            and kept.review.status == "pending"
            and subject in {None, kept.review.subject}
        )

    def _tell(self, kept: _Kept) -> ReviewDecision:
        if kept.review.status == "decided":
            self._kept[kept.review.decision_id] = replace(kept, is_told=True)
        return kept.review

    def _ask(
        self, app_id: str, review: ReviewDecision, prompt: str, hear: Callable[[Answer], None]
    ) -> None:
        if not self._queue.has_room(app_id):
            self._kept.pop(review.decision_id, None)
            raise RateLimited("Too many of this app's questions wait for an answer")
        question = Question(
            question_id=f"{review.decision_id}:{prompt}",
            app_id=app_id,
            origin="call",
            kind="ask_user",
            action="lime.review",
            arguments=review.payload,
            can_edit=isinstance(review.payload, dict),
            prompt=prompt,
            asked_at_ms=self._now_ms(),
        )
        self._queue.ask(question, hear)

    def _decide(self, review: ReviewDecision, answer: Answer) -> None:
        changed = cast("JsonValue", answer.updated_arguments)
        decision: Decision = "reject"
        if answer.is_yes:
            decision = "approve" if changed is None else "modify"
        self._settle(
            review, decision, answer.message, review.payload if changed is None else changed
        )

    def _settle(
        self, review: ReviewDecision, decision: Decision, note: str | None, payload: JsonValue
    ) -> None:
        kept = self._kept[review.decision_id]
        if kept.review.status == "decided":
            return
        settled = review.model_copy(
            update={
                "status": "decided",
                "decision": decision,
                "note": note,
                "payload": payload,
                "decided_at": _now(),
            }
        )
        self._kept[review.decision_id] = replace(kept, review=settled)

    def of(self, app_id: str, decision_id: str) -> ReviewDecision:
        """A decision of an app, as it stands.

        Raises:
            ActionNotFound: the app asked for no such decision.
        """
        kept = self._kept.get(decision_id)
        if kept is None or kept.app_id != app_id:
            raise ActionNotFound("This app asked for no such decision")
        return kept.review


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
