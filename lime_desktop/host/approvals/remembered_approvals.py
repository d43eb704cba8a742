"""The yeses that hold: for one call, a task, a session or a workspace. Policy reads them as facts."""

import asyncio
import logging
import uuid
from collections import Counter
from collections.abc import Iterable
from functools import partial

from lime_desktop.background.tasks import BackgroundTasks, close_all
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.permissions import exact_action_of, refused_call
from lime_desktop.host.app_center.records.records import GrantUse, StoredApproval
from lime_desktop.host.user_profile.unsaved_decisions import UnkeptDecisions
from lime_desktop.policy.call import Call
from lime_desktop.policy.decision import NeedsApproval
from lime_desktop.policy.facts import Approval
from lime_desktop.policy.vocabulary import ApprovalScope, RememberScope
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId

_CALL_HOLDS_MS = 10 * 60_000
"""How long a yes to one call waits for the app to make it again."""
_MOST_HELD = 1_000
"""Beyond this the oldest yes that is not kept is let go: the question is then asked again."""
_WRITE_USES_EVERY_S = 2.0
_CLOSE_S = 5.0

_log = logging.getLogger(__name__)


class GivenApprovals:
    """Yeses by app. Those for a workspace are kept for good, the others until the program ends."""

    def __init__(self, unkept: UnkeptDecisions) -> None:
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
        kept = self._center.permits.approvals(app_id) if self._center else ()
        if not kept and not self._held.get(app_id):
            return ()
        held = [each for each in self._held.get(app_id, ()) if each.is_current(now_ms)]
        self._held[app_id] = held
        return (*(each.as_fact() for each in kept), *held)

    def give(
        self, call: Call, needed: NeedsApproval, remember: RememberScope | None, now_ms: int
    ) -> None:
        """Let a yes hold for as long as the person said: for this very call, if nothing else.

        One that is to last holds for the call that it was given to from this moment on, whether or not it can be kept;
        that it cannot is told.
        """
        if remember == "workspace" and self._center and self._center.installed_app(call.app_id):
            self._hold(call, needed, "call", now_ms)
            keeping = self._center.permits.keep_approval(_kept(call, needed, now_ms))
            self._tasks.spawn(keeping, partial(self._unkept.notify, call.app_id, "yes"))
            return
        self._hold(call, needed, remember or "call", now_ms)

    def _hold(self, call: Call, needed: NeedsApproval, scope: ApprovalScope, now_ms: int) -> None:
        held = self._held.setdefault(call.app_id, [])
        held.append(_held(call, needed, scope, now_ms))
        del held[:-_MOST_HELD]

    @property
    def can_refuse_for_good(self) -> bool:
        """Whether there is somewhere to keep a never."""
        return self._center is not None

    def refuse(self, call: Call) -> None:
        """Let a no hold for good, for this call of this app whatever its arguments."""
        if self._center is not None:
            refusing = self._center.permits.refuse(refused_call(call))
            self._tasks.spawn(refusing, partial(self._unkept.notify, call.app_id, "never"))

    def use_up(self, call: Call, answered_by: Iterable[str], now_ms: int) -> None:
        """A call was made: a yes that was for it alone is gone, and the others are counted."""
        held = self._held.get(call.app_id, [])
        held[:] = [each for each in held if not _is_for(each, call)]
        if self._center is None:
            return
        self._last_at_ms = now_ms
        for rule_id in answered_by:
            if not self._uses:
                self._tasks.spawn(self._write_uses_later())
            self._uses[call.app_id, rule_id, call.name] += 1

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
            await self._center.permits.count_uses(uses)
        except BaseException:
            # Counted with the next that are written.
            self._uses.update(counted)
            raise


def _held(call: Call, needed: NeedsApproval, scope: ApprovalScope, now_ms: int) -> Approval:
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


def _kept(call: Call, needed: NeedsApproval, now_ms: int) -> StoredApproval:
    return StoredApproval(
        approval_id=_new_id(),
        app_id=AppId(call.app_id),
        subject=needed.question.subject,
        answers=tuple(sorted(needed.rule_ids)),
        workspace_id=call.workspace_id or "",
        action=exact_action_of(call),
        given_at_ms=now_ms,
    )


def _is_for(approval: Approval, call: Call) -> bool:
    return (
        approval.scope == "call"
        and approval.subject == call.subject
        and approval.scope_id == call.arguments_digest
    )


def _new_id() -> str:
    return uuid.uuid4().hex
