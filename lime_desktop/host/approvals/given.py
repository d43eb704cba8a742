"""The yeses that hold: for one call, a task, a session or a workspace. Policy reads them as facts."""

import itertools
from collections.abc import Callable
from typing import Protocol

from lime_desktop.policy.call import Call
from lime_desktop.policy.decision import NeedsApproval
from lime_desktop.policy.facts import Approval
from lime_desktop.policy.vocabulary import ApprovalScope, RememberScope

_CALL_HOLDS_MS = 10 * 60_000
"""How long a yes to one call waits for the app to make it again."""
_MOST_HELD = 1_000
"""Beyond this the oldest yes that is not kept is let go: the question is then asked again."""


class KeptApprovals(Protocol):
    """Where the yeses for a workspace outlive the program."""

    def approvals(self, app_id: str) -> tuple[Approval, ...]:
        """Those of one app."""
        ...

    def keep_approval(self, app_id: str, approval: Approval) -> None:
        """Keep one; done when it is done."""
        ...


class GivenApprovals:
    """Yeses by app. Those for a workspace are kept for good, the others until the program ends."""

    def __init__(self, kept: KeptApprovals, new_id: Callable[[], str] | None = None) -> None:
        self._kept = kept
        self._held: dict[str, list[Approval]] = {}
        numbers = itertools.count(1)
        self._new_id = new_id or (lambda: f"held-{next(numbers)}")

    def facts(self, app_id: str, now_ms: int) -> tuple[Approval, ...]:
        """What policy may go by."""
        held = [each for each in self._held.get(app_id, ()) if each.is_current(now_ms)]
        self._held[app_id] = held
        return (*self._kept.approvals(app_id), *held)

    def give(
        self, call: Call, needed: NeedsApproval, remember: RememberScope | None, now_ms: int
    ) -> None:
        """Let a yes hold for as long as the person said: for this very call, if nothing else."""
        scope: ApprovalScope = remember or "call"
        approval = Approval(
            id=self._new_id(),
            subject=needed.question.subject,
            answers=frozenset(rule.id for rule in needed.question.reasons),
            scope=scope,
            scope_id=_scope_id(call, scope),
            expires_at_ms=now_ms + _CALL_HOLDS_MS if scope == "call" else None,
        )
        if scope == "workspace":
            self._kept.keep_approval(call.app_id, approval)
            return
        held = self._held.setdefault(call.app_id, [])
        held.append(approval)
        del held[:-_MOST_HELD]

    def use_up(self, call: Call) -> None:
        """Let go of a yes that was for one call, now that the call was made."""
        held = self._held.get(call.app_id, [])
        held[:] = [
            each
            for each in held
            if not (each.scope == "call" and each.scope_id == call.arguments_digest)
            or each.subject != call.subject
        ]

    def forget(self, app_id: str) -> None:
        """Take back everything that is held for an app."""
        self._held.pop(app_id, None)


def _scope_id(call: Call, scope: ApprovalScope) -> str:
    ids = {
        "call": call.arguments_digest,
        "task": call.task_id,
        "session": call.session_id,
        "workspace": call.workspace_id,
    }
    return ids[scope] or ""
