"""A page's call that needs a person's yes: asked once, however often it is made.

The first try puts the question, and may wait a while for the answer. Once it is answered, the same call with the same
arguments goes through, or is told of the no; and whoever subscribed hears that it was.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import replace

from pydantic import JsonValue

from lime_desktop.host.approvals.question import Answer, Question, Reason
from lime_desktop.host.approvals.queue import ApprovalQueue
from lime_desktop.host.approvals.remembered_approvals import GivenApprovals
from lime_desktop.host.approvals.settled import DecidedCall, DecidedCalls, SettledQuestions
from lime_desktop.policy.call import Call
from lime_desktop.policy.decision import Allowed, NeedsApproval
from lime_desktop.policy.facts import Approval
from lime_desktop.policy.question import join_questions
from lime_desktop.protocol.errors import (
    AppError,
    ApprovalDeclined,
    ApprovalRequired,
    KnowledgeNotBound,
    RateLimited,
    ReadinessBlocked,
    SecretRequired,
)

WAIT_S = 12.0
"""How long a call waits for a person: published clients give up after 15 s."""
_MOST_REFUSALS = 500
"""Refusals that wait for the app to hear of them; the oldest goes first."""


class CallApprovals:
    """Asks for the calls of every view."""

    def __init__(
        self,
        queue: ApprovalQueue,
        given: GivenApprovals,
        follow_run: Callable[[str], None] = lambda _: None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._queue = queue
        self._given = given
        self._now_ms = now_ms
        self.follow_run = follow_run
        """Has the questions of an agent's session put to a person as well."""
        self.wait_s = WAIT_S
        self._refused: dict[str, Answer] = {}
        self._declined: dict[str, None] = {}
        """What was answered with no: a press does not stand in for a yes to it any more."""
        self._asked_by: dict[str, set[str]] = {}
        """The questions of each view that asked any."""
        self.decided = DecidedCalls()
        """Says what was answered to which call, for pages that were told to come back."""
        self.settled = SettledQuestions()
        """Says which questions were settled, for whoever waits for their answers."""

    def facts(self, app_id: str) -> tuple[Approval, ...]:
        """The yeses that hold for an app."""
        return self._given.facts(app_id, self._now_ms())

    def was_allowed(self, call: Call, allowed: Allowed) -> None:
        """A call goes through: what was meant for this one call is used up, and the rest is counted."""
        rules = (allowed.rule, *allowed.answered_by)
        self._given.use_up(call, dict.fromkeys(rule.id for rule in rules), self._now_ms())

    def ask(
        self,
        call: Call,
        needed: NeedsApproval,
        arguments: JsonValue,
        also: tuple[Call, NeedsApproval] | None = None,
    ) -> AppError:
        """Put the question, and give what the app is told meanwhile, or the no that was the answer.

        `also` is a call that this one is part of, and that needs a yes too: the one answer is for both.
        """
        wanted = [(call, needed), *((also,) if also else ())]
        if also is not None:
            needed = replace(needed, question=join_questions(needed.question, also[1].question))
        if needed.question.kind == "elicitation":
            return _what_is_missing(call, needed)
        question_id = _question_id(call)
        refused = self._refused.pop(question_id, None)
        if refused is not None:
            return _told_no(refused)
        if not self._queue.is_open(question_id) and not self._queue.has_room(call.app_id):
            return RateLimited("Too many approvals of this app are open")
        question = replace(
            _question(question_id, call, needed, arguments, self._now_ms()),
            can_be_never=self._given.can_refuse_for_good,
        )
        self._asked_by.setdefault(call.session_id or "", set()).add(question_id)
        self._queue.ask(question, lambda answer: self._on_answer(wanted, question_id, answer))
        return ApprovalRequired(
            f"{call.name} needs your approval, which is open in Lime Desktop",
            details={"pending": True, "questionId": question_id},
        )

    def was_declined(self, call: Call) -> bool:
        """Whether the person said no to this very call, in this view."""
        return _question_id(call) in self._declined

    async def answered(self, question_id: str, within_s: float) -> bool:
        """Wait until a question is no longer open; false where it still is."""
        is_closed = asyncio.Event()

        def look() -> None:
            if not self._queue.is_open(question_id):
                is_closed.set()

        leave = self._queue.watch(look)
        look()
        try:
            await asyncio.wait_for(is_closed.wait(), within_s)
        except TimeoutError:
            return False
        finally:
            leave()
        return True

    def withdraw_view(self, view_id: str) -> None:
        """A view is gone, and nobody waits for the answers to what it asked."""
        self._queue.withdraw(self._asked_by.pop(view_id, ()))

    def _on_answer(
        self, wanted: list[tuple[Call, NeedsApproval]], question_id: str, answer: Answer
    ) -> None:
        self.decided.publish(DecidedCall(wanted[0][0].app_id, question_id, answer.is_yes))
        if answer.is_yes:
            for call, needed in wanted:
                self._given.give(call, needed, answer.remember, self._now_ms())
            return
        if answer.is_never:
            self._given.refuse(wanted[0][0])
        self._refused[question_id] = answer
        self._declined[question_id] = None
        for kept in (self._refused, self._declined):
            while len(kept) > _MOST_REFUSALS:
                del kept[next(iter(kept))]


def _question_id(call: Call) -> str:
    """The same for the same call with the same arguments, and telling nothing of either."""
    whole = f"{call.subject}\n{call.arguments_digest}\n{call.session_id}"
    return f"call-{hashlib.sha256(whole.encode()).hexdigest()[:24]}"


def _question(
    question_id: str, call: Call, needed: NeedsApproval, arguments: JsonValue, now_ms: int
) -> Question:
    asked = needed.question
    return Question(
        question_id=question_id,
        app_id=call.app_id,
        origin="call",
        kind=asked.kind,
        action=call.name,
        targets=tuple(target.value for target in call.targets),
        effects=asked.effects,
        risk=asked.risk.level,
        reasons=tuple(Reason(rule.id, rule.text, rule.layer) for rule in asked.reasons),
        leaves_machine=asked.leaves_machine,
        arguments=arguments,
        program=asked.program,
        suggestions=tuple(each.label for each in asked.suggestions),
        if_refused=asked.if_refused,
        remember_scopes=asked.remember_scopes,
        asked_at_ms=now_ms,
    )


def _told_no(answer: Answer) -> AppError:
    details = {"message": answer.message} if answer.message else {}
    said = "You chose never to allow this" if answer.is_never else "You did not allow this"
    return ApprovalDeclined(f"{said}. Nothing was done.", details=details)


def _what_is_missing(call: Call, needed: NeedsApproval) -> AppError:
    kinds = {target.kind for target in call.targets}
    missing: type[AppError] = ReadinessBlocked
    if "secret" in kinds:
        missing = SecretRequired
    elif "knowledge" in kinds:
        missing = KnowledgeNotBound
    return missing(f"{call.name} cannot run yet: {needed.rule.text}")
