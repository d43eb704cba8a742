"""What people agreed to for longer than one call of an agent's tool: for its task, its session or its workspace.

A file for each app, written whole, so that a restart does not ask again. One that cannot be read is as good as none:
then people are asked again. A yes holds when it is written, and no more as soon as it is taken back, written or not.
"""

import asyncio
import json
import logging
import secrets
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.runtime_core.identities import now
from lime_desktop.durable_files.failures import MESSAGES, kind_of_failure
from lime_desktop.durable_files.writing import sync, write_durably
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
from lime_desktop.protocol.errors import DataReadOnly
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)

MOST_KEPT = 200
"""Of one app; the oldest goes first, and is asked about again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedApproval:
    """A yes, and when it was given."""

    approval: Approval
    given_at: str
    exactly: str = ""
    """What it was said to, where it holds for that alone."""


_FORM = TypeAdapter(tuple[RememberedApproval, ...])


class RememberedApprovals:
    """The yeses of every app's people; without a folder they last as long as the process."""

    name = "approvals"

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._by_app: dict[str, tuple[RememberedApproval, ...]] = {}
        self._taken_back: set[str] = set()
        """Ids of yeses that could not be removed from the disk: used no more, and listed to be tried again."""
        self._writing = asyncio.Lock()

    def of(self, app_id: str) -> tuple[Approval, ...]:
        """The app's approvals that hold, once they were recalled."""
        return tuple(each.approval for each in self._holding(self._by_app.get(app_id, ())))

    async def recall(self, app_id: str) -> tuple[RememberedApproval, ...]:
        """Read what an earlier process kept."""
        if self._folder is not None and app_id not in self._by_app:
            found = await asyncio.to_thread(_read, self._path(self._folder, app_id))
            self._by_app.setdefault(app_id, found)
        return self._by_app.get(app_id, ())

    async def add(self, request: TurnRequest, needed: NeedsApproval, scope: RememberScope) -> None:
        """Remember a yes to a question. It holds once it is on disk.

        Raises:
            AppError: it could not be written, and is not remembered.
        """
        ids = {
            "task": request.whole_task_id,
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
        kept = RememberedApproval(
            approval=approval, given_at=now(), exactly=needed.question.exactly
        )
        async with self._writing:
            before = self._holding(await self.recall(request.app_id))
            await self._put(request.app_id, (*before, kept)[-MOST_KEPT:])

    async def list(self, params: ListApprovalsParams, context: CallContext) -> ListApprovalsResult:
        """What people agreed to for an app's agents, for them to read."""
        del context
        kept = await self.recall(params.app_id)
        return ListApprovalsResult(approvals=tuple(map(_shown, kept)))

    async def forget(
        self, params: ForgetApprovalParams, context: CallContext
    ) -> ForgetApprovalResult:
        """Take a yes back: it counts no more, in a turn that runs as well.

        Raises:
            AppError: that could not be written. The yes is not used all the same, but may be there after a restart.
        """
        del context
        kept = await self.recall(params.app_id)
        was_held = any(each.approval.id == params.approval_id for each in kept)
        if was_held:
            await self._take_back(params.app_id, {params.approval_id})
        return ForgetApprovalResult(was_held=was_held)

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
        await self._take_back(app_id, {each.approval.id for each in await self.recall(app_id)})

    async def _take_back(self, app_id: str, approval_ids: set[str]) -> None:
        # First of all, and whatever becomes of the file: nobody who took a yes back is to see it used.
        self._taken_back |= approval_ids
        async with self._writing:
            await self._put(app_id, self._holding(await self.recall(app_id)))

    def _holding(self, kept: tuple[RememberedApproval, ...]) -> tuple[RememberedApproval, ...]:
        return tuple(each for each in kept if each.approval.id not in self._taken_back)

    async def _put(self, app_id: str, kept: tuple[RememberedApproval, ...]) -> None:
        """Write, and only then believe it."""
        if self._folder is not None:
            try:
                await asyncio.to_thread(_write, self._path(self._folder, app_id), kept)
            except OSError as error:
                kind = kind_of_failure(error) or DataReadOnly
                _log.warning("approvals were not written: %s", error.strerror)
                raise kind(MESSAGES[kind]) from error
        # What came in meanwhile to be taken back is taken back by whoever waits to write next.
        gone = {each.approval.id for each in self._by_app.get(app_id, ())}
        self._taken_back -= gone - {each.approval.id for each in kept}
        self._by_app[app_id] = kept

    @staticmethod
    def _path(folder: Path, app_id: str) -> Path:
        return folder / stored_name(app_id, ".json")


def _shown(kept: RememberedApproval) -> AgentApproval:
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


def _read(path: Path) -> tuple[RememberedApproval, ...]:
    try:
        return _FORM.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return ()


def _write(path: Path, approvals: tuple[RememberedApproval, ...]) -> None:
    if approvals:
        write_durably(path, _FORM.dump_json(approvals), is_private=True)
        return
    try:
        path.unlink()
    except FileNotFoundError:
        return
    # Else a power cut could bring back what was taken back.
    sync(path.parent)
