"""After an app went: what went, what stayed, and that a search found nothing more."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame

from lime_desktop.host.app_center.records.removal import Receipt, Thing
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.widgets.amounts import thing_in_words, time_in_words
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import banner, button, card, label, row


class ReceiptPage(Page):
    """One receipt."""

    def __init__(
        self, texts: Texts, receipt: Receipt, title: str, left: Callable[[], None]
    ) -> None:
        """`title` is what the app was called in the person's language while it was here."""
        super().__init__()
        self._texts = texts
        key = "receipt.title" if receipt.kind.removes_code else "receipt.title.disable"
        number = texts(
            "receipt.number", id=receipt.receipt_id, when=time_in_words(receipt.at_ms, texts)
        )
        self.refill(
            label(texts(key, app=title), "title"),
            *self._proof(receipt),
            self._things(texts("receipt.went"), receipt.removed),
            self._things(texts("receipt.stayed"), receipt.kept),
            label(number, "small"),
            row(button(texts("receipt.done"), left, "primary")),
        )

    def _proof(self, receipt: Receipt) -> list[QFrame]:
        texts = self._texts
        shown: list[QFrame] = []
        if receipt.residue:
            left = listed(texts, receipt.residue)
            shown.append(banner(texts("receipt.residue", what=left), "danger"))
        elif receipt.kind.removes_code:
            key = "receipt.clean" if receipt.kind.deletes_data else "receipt.clean.kept"
            shown.append(banner(texts(key), "info"))
        if receipt.export is not None:
            path, digest = receipt.export.path, receipt.export.sha256
            shown.append(banner(texts("receipt.export", path=path, hash=digest), "info"))
        return shown

    def _things(self, title: str, things: tuple[Thing, ...]) -> QFrame:
        texts = self._texts
        lines = [label(thing_in_words(thing, texts)) for thing in things]
        nothing = label(texts("uninstall.nothing"), "muted")
        return card(label(title, "heading"), *(lines or [nothing]))
