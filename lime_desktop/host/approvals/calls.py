"""A page's call that needs a person's yes: asked once, however often it is made.

The first try puts the question, and may wait a while for the answer. Once it is answered, the same call with the same
arguments goes through, or is told of the no; and whoever subscribed hears that it was. A yes holds for one call, a
task, a session or a workspace: policy reads those that hold as facts.
"""

import asyncio
import hashlib
import logging
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from pydantic import JsonValue

from lime_desktop.background.observers import Observers
from lime_desktop.background.tasks import BackgroundTasks, close_all
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.permissions import exact_action_of, refused_call
from lime_desktop.host.app_center.records.records import GrantUse, StoredApproval
from lime_desktop.host.approvals.question import Answer, Question, Reason
from lime_desktop.host.approvals.queue import ApprovalQueue
from lime_desktop.host.user_profile.unsaved_decisions import UnsavedDecisions
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import Allowed, NeedsApproval
from lime_desktop.policy.facts import Approval
from lime_desktop.policy.personal_rules import calls_like
from lime_desktop.policy.question import join_questions
from lime_desktop.policy.vocabulary import ApprovalScope, RememberScope
from lime_desktop.protocol.errors import (
    AppError,
    ApprovalDeclined,
    ApprovalRequired,
    KnowledgeNotBound,
    RateLimited,
    ReadinessBlocked,
    SecretRequired,
)
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)


_CALL_HOLDS_MS = 10 * 60_000
"""How long a yes to one call waits for the app to make it again."""
_MOST_HELD = 1_000
"""Beyond this the oldest yes that is not kept is let go: the question is then asked again."""
_WRITE_USES_EVERY_S = 2.0
_CLOSE_S = 5.0
WAIT_S = 12.0
"""How long a call waits for a person: published clients give up after 15 s."""
HUSH_S = 30.0
"""How long a no answers the same call made again: a page that refreshes must not ask what was just answered."""
_MOST_REFUSALS = 500
"""Refusals that wait for the app to hear of them, or answer it still; the oldest goes first."""


class ApprovalStore:
    """Yeses by app. Those for a workspace are kept for good, the others until the program ends."""

    def __init__(self, unkept: UnsavedDecisions) -> None:
        self._unkept = unkept
        self._center: AppCenter | None = None
        self._held: dict[str, list[Approval]] = {}
        self._uses: Counter[tuple[str, str, str]] = Counter()
        self._last_at_ms = 0
        self._tasks = BackgroundTasks(_log, AppError)

    def follow(self, center: AppCenter) -> None:
        """Keep what is to last in the app center."""
        self._center = center

    async def close(self) -> None:
        """Write down what is not written yet."""
        await close_all(partial(self._tasks.finish, _CLOSE_S), self._write_uses)

    def facts(self, app_id: str, now_ms: int) -> tuple[Approval, ...]:
        """What policy may go by."""
        kept = self._center.permissions.approvals(app_id) if self._center else ()
        if not kept and not self._held.get(app_id):
            return ()
        held = [each for each in self._held.get(app_id, ()) if each.is_current(now_ms)]
        self._held[app_id] = held
        return (*(each.as_fact() for each in kept), *held)

    def give(
        self,
        call: PolicyCall,
        needed: NeedsApproval,
        remember: RememberScope | None,
        now_ms: int,
        *,
        times: int = 1,
    ) -> None:
        """Let a yes hold for as long as the person said: for this very call, if nothing else, made so many times.

        One that is to last holds for the call that it was given to from this moment on, whether or not it can be kept;
        that it cannot is told.
        """
        if remember == "workspace" and self._center and self._center.installed_app(call.app_id):
            self._hold(call, needed, "call", now_ms, times)
            keeping = self._center.permissions.keep_approval(_kept(call, needed, now_ms))
            self._tasks.spawn(keeping, partial(self._unkept.notify, call.app_id, "yes"))
            return
        self._hold(call, needed, remember or "call", now_ms, 1 if remember else times)

    def _hold(
        self, call: PolicyCall, needed: NeedsApproval, scope: ApprovalScope, now_ms: int, times: int
    ) -> None:
        held = self._held.setdefault(call.app_id, [])
        held += [_held(call, needed, scope, now_ms) for _ in range(times)]
        del held[:-_MOST_HELD]

    @property
    def can_refuse_for_good(self) -> bool:
        """Whether there is somewhere to keep a never."""
        return self._center is not None

    def refuse(self, call: PolicyCall) -> None:
        """Let a no hold for good, for this call of this app whatever its arguments."""
        if self._center is not None:
            refusing = self._center.permissions.refuse(refused_call(call))
            self._tasks.spawn(refusing, partial(self._unkept.notify, call.app_id, "never"))

    def use_up(self, call: PolicyCall, answered_by: Iterable[str], now_ms: int) -> None:
        """A call was made: a yes that was for it alone is gone, and the others are counted.

        What was allowed several times over is used up once.
        """
        held = self._held.get(call.app_id, [])
        used = {each.answers: each.id for each in reversed(held) if _is_for(each, call)}.values()
        held[:] = [each for each in held if each.id not in used]
        if self._center is None:
            return
        self._last_at_ms = now_ms
        for rule_id in self._counted(call.app_id, answered_by):
            if not self._uses:
                self._tasks.spawn(self._write_uses_later())
            self._uses[call.app_id, rule_id, call.name] += 1

    def _counted(self, app_id: str, answered_by: Iterable[str]) -> Iterator[str]:
        """By which rules a call is counted: by each kept yes, and once by whatever else let it pass, so that counts add up."""
        kept = self._center.permissions.approvals(app_id) if self._center else ()
        names = {f"approval.{each.approval_id}" for each in kept}
        others: list[str] = []
        for rule_id in answered_by:
            if rule_id in names:
                yield rule_id
            else:
                others.append(rule_id)
        yield from others[:1]

    async def _write_uses_later(self) -> None:
        await asyncio.sleep(_WRITE_USES_EVERY_S)
        await self._write_uses()

    async def _write_uses(self) -> None:
        uses = [
            GrantUse(
                app_id=AppId(app_id),
                rule_id=rule_id,
                action=action,
                count=count,
                last_at_ms=self._last_at_ms,
            )
            for (app_id, rule_id, action), count in self._uses.items()
        ]
        counted = Counter(self._uses)
        self._uses.clear()
        if not uses or self._center is None:
            return
        try:
            await self._center.permissions.count_uses(uses)
        except BaseException:
            # Counted with the next that are written.
            self._uses.update(counted)
            raise


def _held(call: PolicyCall, needed: NeedsApproval, scope: ApprovalScope, now_ms: int) -> Approval:
    scope_ids = {
        "call": call.arguments_digest,
        "task": call.task_id,
        "session": call.session_id,
        "workspace": call.workspace_id,
    }
    return Approval(
        id=_new_id(),
        subject=needed.question.subject,
        answers=needed.rule_ids,
        scope=scope,
        scope_id=scope_ids[scope] or "",
        expires_at_ms=now_ms + _CALL_HOLDS_MS if scope == "call" else None,
    )


def _kept(call: PolicyCall, needed: NeedsApproval, now_ms: int) -> StoredApproval:
    return StoredApproval(
        approval_id=_new_id(),
        app_id=AppId(call.app_id),
        subject=needed.question.subject,
        answers=tuple(sorted(needed.rule_ids)),
        workspace_id=call.workspace_id or "",
        action=exact_action_of(call),
        given_at_ms=now_ms,
    )


def _is_for(approval: Approval, call: PolicyCall) -> bool:
    return (
        approval.scope == "call"
        and approval.subject == call.subject
        and approval.scope_id == call.arguments_digest
    )


def _new_id() -> str:
    return uuid.uuid4().hex


@dataclass(frozen=True, slots=True)
class DecidedCall:
    """A person's answer to a call of an app's page."""

    app_id: str
    question_id: str
    is_allowed: bool


@dataclass(slots=True)
class _OpenCall:
    """What an open question is about, and who waits for its answer."""

    call: PolicyCall
    waiting: int = 0
    """How many identical calls wait for it now."""
    times: int = 1
    """How many it stands for: one that was told to come back is still to be made."""
    told_of_no: list[Callable[[Answer], None]] = field(default_factory=list)
    """Who writes a no down, one for each of them."""


@dataclass(frozen=True, slots=True)
class _Refused:
    """A no, and how many identical calls have not heard of it yet. For a while it is the answer to every other as well."""

    answer: Answer
    times: int
    until_ms: int = 0


class CallApprovals:
    """Asks for the calls of every view."""

    def __init__(
        self,
        queue: ApprovalQueue,
        given: ApprovalStore,
        follow_run: Callable[[str], None] = lambda _: None,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._queue = queue
        self._given = given
        self._now_ms = now_ms
        self.follow_run = follow_run
        """Has the questions of an agent's session put to a person as well."""
        self.wait_s = WAIT_S
        self.hush_s = HUSH_S
        self._refused: dict[str, _Refused] = {}
        self._declined: dict[str, None] = {}
        """What was answered with no: a press does not stand in for a yes to it any more."""
        self._open: dict[str, _OpenCall] = {}
        self._asked_by: dict[str, set[str]] = {}
        """The questions of each view that asked any."""
        self.decided = Observers[DecidedCall]()
        """Says what was answered to which call, for pages that were told to come back."""
        self.settled = Observers[str]()
        """Says which questions were settled, for whoever waits for their answers; those are read where they are kept."""

    def facts(self, app_id: str) -> tuple[Approval, ...]:
        """The yeses that hold for an app."""
        return self._given.facts(app_id, self._now_ms())

    def was_allowed(self, call: PolicyCall, allowed: Allowed) -> None:
        """A call goes through: what was meant for this one call is used up, and the rest is counted."""
        rules = (allowed.rule, *allowed.answered_by)
        self._given.use_up(call, dict.fromkeys(rule.id for rule in rules), self._now_ms())

    def ask(
        self,
        call: PolicyCall,
        needed: NeedsApproval,
        arguments: JsonValue,
        also: tuple[PolicyCall, NeedsApproval] | None = None,
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
        if (no := self._no_to(question_id)) is not None:
            return _told_no(no)
        if not self._queue.is_open(question_id) and not self._queue.has_room(call.app_id):
            return RateLimited("Too many approvals of this app are open")
        question = replace(
            _question(question_id, call, needed, arguments, self._now_ms()),
            can_be_never=self._given.can_refuse_for_good,
        )
        self._asked_by.setdefault(call.session_id or "", set()).add(question_id)
        self._open.setdefault(question_id, _OpenCall(call))
        self._queue.ask(question, lambda answer: self._on_answer(wanted, question_id, answer))
        return ApprovalRequired(
            f"{call.name} needs your approval, which is open in Lime Desktop",
            details={"pending": True, "questionId": question_id},
        )

    def _no_to(self, question_id: str) -> Answer | None:
        """The no that answers a call, if one still does."""
        refused = self._refused.get(question_id)
        if refused is None:
            return None
        if refused.times:
            self._refused[question_id] = replace(refused, times=refused.times - 1)
        elif self._now_ms() >= refused.until_ms:
            del self._refused[question_id]
            return None
        return refused.answer

    def heed_press(self, call: PolicyCall, take_press: Callable[[], bool]) -> None:
        """Let the person be asked again about this very call where they press for it: a no that still answers it is over."""
        refused = self._refused.get(_question_id(call))
        is_heard = refused is not None and not refused.times
        if is_heard and take_press():
            del self._refused[_question_id(call)]

    def was_declined(self, call: PolicyCall) -> bool:
        """Whether the person said no to this very call, in this view."""
        return _question_id(call) in self._declined

    async def answered(self, question_id: str, within_s: float) -> bool:
        """Wait until a question is no longer open; false where it still is."""
        is_closed = asyncio.Event()

        def look() -> None:
            if not self._queue.is_open(question_id):
                is_closed.set()

        leave = self._queue.watch(look)
        asked = self._open.get(question_id)
        if asked is not None:
            self._count(question_id, asked, asked.waiting + 1)
        look()
        try:
            await asyncio.wait_for(is_closed.wait(), within_s)
        except TimeoutError:
            return False
        finally:
            leave()
            if asked is not None:
                asked.waiting -= 1
        return True

    def _count(self, question_id: str, asked: _OpenCall, waiting: int) -> None:
        """Let the question stand for every identical call that waits for it, or has waited beside the others."""
        asked.waiting = waiting
        asked.times = max(asked.times, waiting)
        self._queue.stand_for(question_id, asked.times)

    def tell_of_no(self, question_id: str, tell: Callable[[Answer], None]) -> None:
        """Have a no told the moment it is said, whether or not the app ever asks what came of its call."""
        asked = self._open.get(question_id)
        if asked is not None:
            asked.told_of_no.append(tell)
            # A call that is made again stands for the one that it was before.
            del asked.told_of_no[: -max(asked.times, asked.waiting + 1)]

    def withdraw_view(self, view_id: str) -> None:
        """A view is gone, and nobody waits for the answers to what it asked."""
        asked = self._asked_by.pop(view_id, set())
        for question_id in asked:
            self._open.pop(question_id, None)
        self._queue.withdraw(asked)

    def _on_answer(
        self, wanted: list[tuple[PolicyCall, NeedsApproval]], question_id: str, answer: Answer
    ) -> None:
        asked = self._open.pop(question_id)
        # What is to last decides them all: the next would be asked about before it is written down.
        is_for_all = answer.is_for_all or answer.is_never or answer.remember is not None
        # Who may not see it now may not see it twice: a page reads the same as often as it draws itself.
        is_for_all = is_for_all or (not answer.is_yes and wanted[0][0].access == "read")
        times = asked.times if is_for_all else 1
        self.decided.notify(DecidedCall(wanted[0][0].app_id, question_id, answer.is_yes))
        if answer.is_yes:
            for call, needed in wanted:
                self._given.give(call, needed, answer.remember, self._now_ms(), times=times)
            return
        if answer.is_never:
            self._given.refuse(wanted[0][0])
        # Others that wait beside it are answered on their own.
        hush_s = self.hush_s if times >= asked.times else 0
        until_ms = self._now_ms() + round(hush_s * 1_000)
        self._refused[question_id] = _Refused(answer, times, until_ms)
        self._declined[question_id] = None
        for kept in (self._refused, self._declined):
            while len(kept) > _MOST_REFUSALS:
                del kept[next(iter(kept))]
        # Last: what a person decided holds, whatever becomes of the record.
        for tell in asked.told_of_no[:times]:
            tell(answer)
        if answer.is_never:
            self._decline_alike(wanted[0][0])

    def _decline_alike(self, refused: PolicyCall) -> None:
        """A never is for every call of the kind: a yes to another that is open would be refused by it, and lost."""
        meant = calls_like(refused)
        alike = [each for each, asked in self._open.items() if calls_like(asked.call) == meant]
        self._queue.answer(alike, Answer(is_yes=False, is_for_all=True))


def _question_id(call: PolicyCall) -> str:
    """The same for the same call with the same arguments, and telling nothing of either."""
    whole = f"{call.subject}\n{call.arguments_digest}\n{call.session_id}"
    return f"call-{hashlib.sha256(whole.encode()).hexdigest()[:24]}"


def _question(
    question_id: str, call: PolicyCall, needed: NeedsApproval, arguments: JsonValue, now_ms: int
) -> Question:
    asked = needed.question
    return Question(
        question_id=question_id,
        app_id=call.app_id,
        origin="call",
        kind=asked.kind,
        action=call.name,
        operation=call.operation,
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


def _what_is_missing(call: PolicyCall, needed: NeedsApproval) -> AppError:
    kinds = {target.kind for target in call.targets}
    missing: type[AppError] = ReadinessBlocked
    if "secret" in kinds:
        missing = SecretRequired
    elif "knowledge" in kinds:
        missing = KnowledgeNotBound
    return missing(f"{call.name} cannot run yet: {needed.rule.text}")
