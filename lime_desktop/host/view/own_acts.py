"""What a person did by pressing in an app's page, and how it is taken back for them.

Policy calls it their own act where it stays here and the host can undo it; a handler of such a call hands over how.
"""

from collections.abc import Callable, Coroutine, Mapping
from contextvars import ContextVar
from typing import Any

Undo = Callable[[], Coroutine[Any, Any, None]]
"""Takes one act back; raises an expected error where somebody went on from it."""
OfferUndo = Callable[[Undo], None]

_TEXTS: Mapping[str, str] = {
    "lime.settings.set": "undo.act.setting",
    "lime.storage.delete": "undo.act.deletion",
    "lime.storage.tableDelete": "undo.act.deletion",
    "lime.artifacts.create": "undo.act.document",
}


def undo_text_of(action: str) -> str:
    """The key of the sentence that says what was done, by the name of its call."""
    return _TEXTS.get(action, "undo.act.change")


offer_undo_of_call: ContextVar[OfferUndo | None] = ContextVar("offer_undo_of_call", default=None)
"""Offers the person to take back what is being done; None where nobody pressed for it, so that nobody expects it."""
