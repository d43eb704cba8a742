"""What a person is told of a lifecycle hook that failed: what it decided, why it failed, and what to do."""

from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.lifecycle_hooks import HookOutcome
from lime_desktop.protocol.hook_points import HOLDS_BACK
from lime_desktop.protocol.plain_text import plain_line

_KNOWN = frozenset({"nobody_to_ask", "permission_denied", "timeout", "cancelled"})
"""Failures that have words of their own; of the others the tool's are told."""


def failed_hook_words(
    failed: HookOutcome, app: str, texts: Texts, *, is_updated: bool = False
) -> str:
    """A failure in sentences. `is_updated` says that the app would have been updated, and is as it was before."""
    what = texts("hook.failed.update" if is_updated else f"hook.failed.{failed.point}", app=app)
    return sentences(texts, what, _why(failed, texts), _remedy(failed, texts))


def _why(failed: HookOutcome, texts: Texts) -> str:
    if failed.category in _KNOWN:
        return texts(f"hook.why.{failed.category}")
    return texts("hook.why.else", message=plain_line(failed.message or failed.category or ""))


def _remedy(failed: HookOutcome, texts: Texts) -> str:
    if failed.point not in HOLDS_BACK:
        return texts("hook.remedy.left")
    return texts(
        f"hook.remedy.{failed.category if failed.category in _KNOWN else 'else'}",
    )
