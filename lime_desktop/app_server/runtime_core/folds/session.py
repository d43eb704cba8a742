"""SessionShell: what a session is called and whom it belongs to, as its own events say."""

from lime_desktop.app_server.runtime_core.folds.fold import Fold, mapping, number, once
from lime_desktop.protocol.ids import AppId, SessionId, ThreadId, Timestamp
from lime_desktop.protocol.runtime.events import OpenWireModel, RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.sessions import BusinessObjectRef


class Checkpoint(OpenWireModel):
    """A point in the session that somebody may come back to, and what it covers."""

    checkpoint_id: str
    sequence: int
    label: str | None = None
    scopes: tuple[str, ...] = ()
    created_at: Timestamp


class SessionShell(OpenWireModel):
    """The outline of a session without its status."""

    session_id: SessionId
    thread_id: ThreadId
    app_id: AppId
    workspace_id: str | None = None
    business_object_ref: BusinessObjectRef | None = None
    title: str | None = None
    locale: str | None = None
    created_at: Timestamp
    forked_from: SessionId | None = None
    forked_through: int | None = None
    """The last event of the source that belongs to this session's conversation too."""
    inherited_messages: int | None = None
    """How many messages that makes."""


def fold_session(shell: SessionShell | None, event: RuntimeEvent) -> SessionShell | None:
    """Fold one event into the shell."""
    if event.type == "session.created":
        return SessionShell.model_validate(
            {
                "sessionId": event.session_id,
                "threadId": event.thread_id,
                "appId": text(event, "appId") or "",
                "workspaceId": text(event, "workspaceId"),
                "businessObjectRef": mapping(event, "businessObjectRef"),
                "title": text(event, "title"),
                "locale": text(event, "locale"),
                "createdAt": event.timestamp,
                "forkedFrom": text(event, "forkedFrom"),
                "forkedThrough": number(event, "forkedThrough"),
                "inheritedMessages": number(event, "inheritedMessages"),
            }
        )
    title = text(event, "title")
    return shell.model_copy(update={"title": title}) if shell and title else shell


def fold_checkpoint(_before: Checkpoint | None, event: RuntimeEvent) -> Checkpoint:
    """Every checkpoint is its own record."""
    scopes = event.payload.get("scopes")
    return Checkpoint(
        checkpoint_id=text(event, "checkpointId") or event.event_id,
        sequence=event.sequence,
        label=text(event, "label"),
        scopes=tuple(map(str, scopes)) if isinstance(scopes, list) else (),
        created_at=event.timestamp,
    )


FOLDS = (
    Fold("session", SessionShell, ("session.",), once, fold_session),
    Fold(
        "checkpoint",
        Checkpoint,
        ("checkpoint.created",),
        lambda event: text(event, "checkpointId"),
        fold_checkpoint,
    ),
)
