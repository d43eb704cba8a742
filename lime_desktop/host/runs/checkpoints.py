"""Going back to a checkpoint of a run: asked of the App Server, and put into words for the person who decides."""

from collections.abc import Iterator

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.checkpoints import (
    LIST_CHECKPOINTS,
    PREVIEW_ROLLBACK,
    ROLL_BACK,
    CheckpointOutline,
    ListCheckpointsParams,
    PreviewRollbackParams,
    PreviewRollbackResult,
    RollbackChange,
    RollBackParams,
    RollBackResult,
)
from lime_desktop.protocol.ids import SessionId
from lime_desktop.protocol.plain_text import plain_name

_TIMEOUT_S = 60.0
_SHOWN_CHANGES = 12
_SHOWN_EFFECTS = 12


async def list_checkpoints(call: CallServer, session_id: str) -> tuple[CheckpointOutline, ...]:
    """The points that can be gone back to, the newest first."""
    asked = ListCheckpointsParams(session_id=SessionId(session_id))
    found = await call(LIST_CHECKPOINTS, asked, timeout_s=_TIMEOUT_S)
    return tuple(reversed(found.checkpoints))


async def preview_rollback(
    call: CallServer, session_id: str, checkpoint_id: str
) -> PreviewRollbackResult:
    """What would change."""
    asked = PreviewRollbackParams(session_id=SessionId(session_id), checkpoint_id=checkpoint_id)
    return await call(PREVIEW_ROLLBACK, asked, timeout_s=_TIMEOUT_S)


async def roll_back(call: CallServer, session_id: str, checkpoint_id: str) -> RollBackResult:
    """Bring it back."""
    asked = RollBackParams(session_id=SessionId(session_id), checkpoint_id=checkpoint_id)
    return await call(ROLL_BACK, asked, timeout_s=_TIMEOUT_S)


def change_lines(preview: PreviewRollbackResult, texts: Texts) -> Iterator[str]:
    """What would change, a line each; the first few by name."""
    if not preview.change_count:
        yield texts("checkpoint.unchanged")
        return
    for change in preview.changes[:_SHOWN_CHANGES]:
        yield _change_line(change, texts)
    left = preview.change_count - min(len(preview.changes), _SHOWN_CHANGES)
    if left:
        yield texts("checkpoint.more", count=left)


def _change_line(change: RollbackChange, texts: Texts) -> str:
    name = plain_name(change.name)
    if change.scope == "workflowState":
        state = plain_name(change.state or "")
        return texts(f"checkpoint.workflow.{change.kind}", name=name, state=state)
    scope = texts(f"checkpoint.scope.{change.scope}")
    return texts(f"checkpoint.{change.kind}", scope=scope, name=name)


def effect_lines(preview: PreviewRollbackResult) -> Iterator[str]:
    """What was done elsewhere since, by the names of the tools."""
    for effect in preview.outside_effects[-_SHOWN_EFFECTS:]:
        yield plain_name(effect.title or effect.tool_name)
