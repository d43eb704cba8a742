"""What people agreed to for longer than one call of an agent's tool: for its task, its session or its workspace.

A file for each app, written whole, so that a restart does not ask again. One that cannot be read is as good as none:
then people are asked again.
"""

import asyncio
import json
import logging
import secrets
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from lime_desktop.app_server.app_data.holders import HeldAmount
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.backend import TurnRequest
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.durable_files.writing import write_durably
from lime_desktop.file_names import stored_name
from lime_desktop.policy.decision import NeedsApproval
from lime_desktop.policy.facts import Approval
from lime_desktop.policy.vocabulary import RememberScope
from lime_desktop.protocol.calls.approvals import (
    AgentApproval,
    ForgetApprovalParams,
    ForgetApprovalResult,
    ListApprovalsParams,
    ListApprovalsResult,
)
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)

MOST_KEPT = 200
"""Of one app; the oldest goes first, and is asked about again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptApproval:
    """A yes, and when it was given."""

    approval: Approval
    given_at: str
    exactly: str = ""
    """What it was said to, where it holds for that alone."""


_FORM = TypeAdapter(tuple[KeptApproval, ...])


class KeptApprovals:
    """The yeses of every app's people; without a folder they last as long as the process."""

    name = "approvals"

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._by_app: dict[str, tuple[KeptApproval, ...]] = {}

    def of(self, app_id: str) -> tuple[Approval, ...]:
        """The app's approvals, once they were recalled."""
        return tuple(each.approval for each in self._by_app.get(app_id, ()))

    async def recall(self, app_id: str) -> tuple[KeptApproval, ...]:
        """Read what an earlier process kept."""
        if self._folder is not None and app_id not in self._by_app:
            found = await asyncio.to_thread(_read, self._path(self._folder, app_id))
            self._by_app.setdefault(app_id, found)
        return self._by_app.get(app_id, ())

    async def add(self, request: TurnRequest, needed: NeedsApproval, scope: RememberScope) -> None:
        """Remember a yes to a question. It holds now; on disk it is when this returns."""
        ids = {
            "task": request.task_id,
            "session": request.session_id,
            "workspace": request.workspace_id,
        }
        approval = Approval(
            id=secrets.token_hex(8),
            subject=needed.question.subject,
            answers=needed.rule_ids,
            scope=scope,
            scope_id=ids[scope] or "",
        )
        kept = KeptApproval(approval=approval, given_at=now(), exactly=needed.question.exactly)
        await self._put(request.app_id, (*await self.recall(request.app_id), kept)[-MOST_KEPT:])

    async def list(self, params: ListApprovalsParams, context: CallContext) -> ListApprovalsResult:
        """What people agreed to for an app's agents, for them to read."""
        del context
        kept = await self.recall(params.app_id)
        return ListApprovalsResult(approvals=tuple(map(_shown, kept)))

    async def forget(
        self, params: ForgetApprovalParams, context: CallContext
    ) -> ForgetApprovalResult:
        """Take a yes back: it counts no more, in a turn that runs as well."""
        del context
        kept = await self.recall(params.app_id)
        left = tuple(each for each in kept if each.approval.id != params.approval_id)
        if left != kept:
            await self._put(params.app_id, left)
        return ForgetApprovalResult(was_held=left != kept)

    # A part of the app's data: it goes with the app, and is in no copy, as an older yes is not given again by itself.

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the yeses."""
        return HeldAmount(len(await self.recall(app_id)), 0)

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing: approvals are in no copy."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: they are as they were."""

    async def remove(self, app_id: AppId) -> None:
        """Take all of them back."""
        await self._put(app_id, ())

    async def _put(self, app_id: str, kept: tuple[KeptApproval, ...]) -> None:
        self._by_app[app_id] = kept
        if self._folder is not None:
            await asyncio.to_thread(_write, self._path(self._folder, app_id), kept)

    @staticmethod
    def _path(folder: Path, app_id: str) -> Path:
        return folder / stored_name(app_id, ".json")


def _shown(kept: KeptApproval) -> AgentApproval:
    _, capability, method, *_, targets = json.loads(kept.approval.subject)
    return AgentApproval.model_validate(
        {
            "approval_id": kept.approval.id,
            "call": f"{capability}.{method}",
            "targets": tuple(value for _, value in targets),
            "exactly": kept.exactly,
            "scope": kept.approval.scope,
            "given_at": kept.given_at,
        }
    )


def _read(path: Path) -> tuple[KeptApproval, ...]:
    try:
        return _FORM.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return ()


def _write(path: Path, approvals: tuple[KeptApproval, ...]) -> None:
    if not approvals:
        path.unlink(missing_ok=True)
        return
    try:
        write_durably(path, _FORM.dump_json(approvals), is_private=True)
    except OSError as error:
        # The yes holds all the same, for as long as this process does.
        _log.warning("a yes was not kept: %s", error.strerror)
