"""Makes a conversation shorter when it no longer fits: the old part is put into words, the rest stays as it is."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.sessions import HistoryMessage

FULL = 0.6
"""The share of the model's window that the past may take before it is made shorter."""
KEPT = 0.3
"""How much of the window the latest messages keep."""
_CHARACTERS_PER_TOKEN = 3

Summarize = Callable[[tuple[HistoryMessage, ...]], Awaitable[str]]
Keep = Callable[[str], Awaitable[str]]
"""Keeps a text and gives its reference."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """The conversation as the engine gets it."""

    history: tuple[HistoryMessage, ...]
    summary: str | None = None
    facts: tuple[ProposedEvent, ...] = ()


async def compact(
    request: TurnRequest, window_tokens: int | None, summarize: Summarize, keep: Keep
) -> Compacted:
    """Leave a conversation that fits as it is; of one that does not, put the old part into a summary."""
    history = request.history
    if window_tokens is None or _tokens(history) <= window_tokens * FULL:
        return Compacted(history)
    old, recent = _split(history, int(window_tokens * KEPT))
    if not old:
        return Compacted(history)
    about = _about(history, old)
    started = ProposedEvent(type="context.compaction.started", payload=about)
    try:
        summary = await summarize(old)
        reference = await keep(summary)
    except AppError as error:
        failed: JsonObject = {**about, "error": error.message, "code": error.code}
        return Compacted(
            history,
            facts=(started, ProposedEvent(type="context.compaction.failed", payload=failed)),
        )
    done = _completed(about, (old, recent), reference, request.context_epoch + 1)
    return Compacted(recent, summary, (started, done))


def _completed(
    about: JsonObject,
    parts: tuple[Sequence[HistoryMessage], Sequence[HistoryMessage]],
    reference: str,
    epoch: int,
) -> ProposedEvent:
    old, recent = parts
    boundary: JsonObject = {
        "contextEpoch": epoch,
        "summaryRef": reference,
        "compactedThroughMessageId": old[-1].message_id,
    }
    if old[-1].turn_id is not None:
        boundary["lastCompactedTurnId"] = old[-1].turn_id
    if recent and recent[0].turn_id is not None:
        boundary["tailStartTurnId"] = recent[0].turn_id
    payload: JsonObject = {
        **about,
        "summaryRef": reference,
        "boundary": boundary,
        "tokensAfter": _tokens(recent),
    }
    return ProposedEvent(type="context.compaction.completed", payload=payload)


def _about(history: Sequence[HistoryMessage], old: Sequence[HistoryMessage]) -> JsonObject:
    turns = list(dict.fromkeys(each.turn_id for each in old if each.turn_id))
    return {
        "trigger": "context_full",
        "affectedTurns": list[JsonValue](turns[:100]),
        "affectedTurnCount": len(turns),
        "tokensBefore": _tokens(history),
    }


def _split(
    history: tuple[HistoryMessage, ...], kept_tokens: int
) -> tuple[tuple[HistoryMessage, ...], tuple[HistoryMessage, ...]]:
    start, left = len(history), kept_tokens
    while start > 0 and _tokens(history[start - 1 : start]) <= left:
        left -= _tokens(history[start - 1 : start])
        start -= 1
    return history[:start], history[start:]


def _tokens(history: Sequence[HistoryMessage]) -> int:
    """An estimate on the safe side, for any script."""
    return sum(len((each.text or "").encode()) for each in history) // _CHARACTERS_PER_TOKEN
