"""How an app stands, in a word and a colour."""

from PySide6.QtWidgets import QLabel

from lime_desktop.host.shelf import Shelf, ShelfApp
from lime_desktop.host.texts import Texts
from lime_desktop.readiness.flow_chart import Status
from lime_desktop.shell.parts import Tone, pill

_TONES: dict[Status, Tone] = {
    Status.READY: "ok",
    Status.READY_DEGRADED: "warning",
    Status.NEEDS_SETUP: "warning",
    Status.BLOCKED: "danger",
    Status.FAILED: "danger",
    Status.UNKNOWN: "plain",
}


def standing_pill(texts: Texts, shelf: Shelf, app: ShelfApp) -> QLabel:
    """How an app stands; what hangs on the App Server's word is not called missing before that is heard."""
    status = app.readiness.status
    if status is Status.NEEDS_SETUP and shelf.is_checking(app.app_id):
        return pill(texts("status.checking"), "plain")
    return status_pill(texts, status)


def status_pill(texts: Texts, status: Status) -> QLabel:
    """How an app or an entry stands."""
    return pill(texts(f"status.{status}"), _TONES[status])


def trust_pill(texts: Texts, app: ShelfApp) -> QLabel:
    """What is known of who made an app: checked as it was installed; where it merely lies, only claimed."""
    if app.trust == "mismatched":
        return pill(texts("trust.mismatched"), "danger")
    if app.installed is not None:
        return pill(texts(f"review.verdict.{app.installed.verdict}"), "plain")
    return pill(texts(f"trust.{app.trust}"), "plain")
