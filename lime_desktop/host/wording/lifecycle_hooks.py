"""What a person is told of a lifecycle hook that failed: what it decided, why it failed, and what to do."""

from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.lifecycle_hooks import HookOutcome
from lime_desktop.protocol.errors import LifecycleHookFailed
from lime_desktop.protocol.hook_points import HOLDS_BACK
from lime_desktop.protocol.plain_text import plain_line

_KNOWN = frozenset({"nobody_to_ask", "permission_denied", "timeout", "cancelled"})
"""Failures that have words of their own; of the others the tool's are told."""


def failed_hook_words(failed: HookOutcome, app: str, texts: Texts) -> str:
    """A failure in sentences, for whoever looks at the app."""
    what = texts(f"hook.failed.{failed.point}", app=app)
    why = _why(failed.category or "", failed.message or "", texts)
    if failed.point not in HOLDS_BACK:
        return sentences(texts, what, why, texts("hook.remedy.left"))
    return sentences(texts, what, why, _remedy(failed.category or "", texts))


def hook_advice(error: LifecycleHookFailed, texts: Texts) -> str:
    """The same for whoever just tried to switch an app on or to update it."""
    category = str(error.details.get("reasonCode", ""))
    is_back = bool(error.details.get("isTakenBack"))
    then = texts("hook.taken-back") if is_back else _remedy(category, texts)
    return sentences(texts, _why(category, error.message, texts), then)


def _why(category: str, message: str, texts: Texts) -> str:
    if category in _KNOWN:
        return texts(f"hook.why.{category}")
    return texts("hook.why.else", message=plain_line(message or category))


def _remedy(category: str, texts: Texts) -> str:
    return texts(f"hook.remedy.{category if category in _KNOWN else 'else'}")
