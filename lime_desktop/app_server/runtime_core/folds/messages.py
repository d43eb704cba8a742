"""HistoryMessage: the conversation as it is shown. A final text replaces its deltas, never follows them."""

from lime_desktop.app_server.runtime_core.folds.fold import Fold
from lime_desktop.protocol.ids import TurnId
from lime_desktop.protocol.runtime.events import RuntimeEvent
from lime_desktop.protocol.runtime.payload_fields import text
from lime_desktop.protocol.runtime.payload_rules import INLINE_OUTPUT_CHARACTERS
from lime_desktop.protocol.runtime.sessions import HistoryMessage


def fold_message(message: HistoryMessage | None, event: RuntimeEvent) -> HistoryMessage | None:
    """Fold one event into its message."""
    match event.type:
        case "turn.submitted":
            return _said_by_user(event)
        case "queue.changed":
            return _said_anew(message, event)
        case "model.delta":
            return _longer(message or _opened(event), text(event, "delta", "text") or "")
        case "model.completed":
            return _finished(message or _opened(event), event)
        case "model.failed":
            return message.model_copy(update={"final": True}) if message else None
        case _:
            return message


def message_key(event: RuntimeEvent) -> str | None:
    """The message an event belongs to; RuntimeCore named it when the round began."""
    if event.type == "turn.submitted":
        return f"user:{event.turn_id}"
    if event.type == "queue.changed":
        edited = text(event, "editedTurnId")
        return f"user:{edited}" if edited else None
    return text(event, "messageId")


def _said_by_user(event: RuntimeEvent) -> HistoryMessage:
    return HistoryMessage(
        message_id=f"user:{event.turn_id}",
        role="user",
        turn_id=event.turn_id,
        text=text(event, "text"),
        content_ref=text(event, "textRef"),
        event_id=event.event_id,
        replaces_turn_id=TurnId(replaced) if (replaced := text(event, "replacesTurnId")) else None,
    )


def _said_anew(message: HistoryMessage | None, event: RuntimeEvent) -> HistoryMessage | None:
    update = {"text": text(event, "text"), "content_ref": text(event, "textRef")}
    return message.model_copy(update=update) if message else None


def _opened(event: RuntimeEvent) -> HistoryMessage:
    return HistoryMessage(
        message_id=text(event, "messageId") or "",
        role="assistant",
        turn_id=event.turn_id,
        text="",
        final=False,
        event_id=event.event_id,
    )


def _longer(message: HistoryMessage, delta: str) -> HistoryMessage:
    whole = (message.text or "") + delta
    kept = whole[:INLINE_OUTPUT_CHARACTERS]
    update: dict[str, object] = {"text": kept}
    if len(kept) < len(whole):
        update["textTruncated"] = True
    return message.model_copy(update=update)


def _finished(message: HistoryMessage, event: RuntimeEvent) -> HistoryMessage:
    final = text(event, "text")
    update: dict[str, object] = {"final": True, "event_id": event.event_id}
    if final is not None:
        update |= {"text": final, "content_ref": text(event, "textRef")}
    return message.model_copy(update=update)


FOLDS = (
    Fold(
        "message",
        HistoryMessage,
        ("turn.submitted", "queue.changed", "model.delta", "model.completed", "model.failed"),
        message_key,
        fold_message,
    ),
)
