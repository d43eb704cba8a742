"""One permission on an app's page: whether it is allowed, and the button that changes that."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QElapsedTimer
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from lime_desktop.app_package.manifest.permissions import Permission
from lime_desktop.host.app_center.review.asked_permissions import in_words
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.actions import doing_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.notices.notices import OfferUndo
from lime_desktop.shell.widgets.focus import begin_here
from lime_desktop.shell.widgets.page import keep_place
from lime_desktop.shell.widgets.parts import button, column, label, name_button, pill, row


def permission_row(
    texts: Texts,
    registry: AppRegistry,
    app: RegisteredApp,
    permission: Permission,
    offer_undo: OfferUndo,
) -> QWidget:
    """The row; it stays under the pointer and the keyboard when its button is pressed."""
    made = _row(texts, registry, app, permission, offer_undo)
    keep_place(made, f"permission {permission.key}")
    return made


def refused_rows(texts: Texts, registry: AppRegistry, app: RegisteredApp) -> Iterator[QWidget]:
    """What the person never allows, beside the permissions that it may rest on; each with the way back."""
    for each in registry.refusals(app.app_id):
        if each.permission is None:
            name = texts("settings.grants.refused", action=doing_words(each.action, texts))
            again = button(
                texts("settings.grants.ask-again"),
                partial(registry.forget_refusal, each.refusal_id),
            )
            name_button(again, texts, name)
            never = pill(texts("settings.grants.never.pill"), "danger")
            yield row(label(name), never, again, stretch_at=0)


def _row(
    texts: Texts,
    registry: AppRegistry,
    app: RegisteredApp,
    permission: Permission,
    offer_undo: OfferUndo,
) -> QWidget:
    reason = permission.reason_i18n.get(texts.locale) or permission.reason
    name = in_words(permission).words(texts)
    words = column(label(name), label(reason or "", "small"), spacing=0)

    def give() -> None:
        registry.grant(app.app_id, permission.key)

    last = QElapsedTimer()

    def take() -> None:
        # The row is drawn anew once it is recorded; the second half of a double click comes before that.
        if last.isValid() and not last.hasExpired(QApplication.doubleClickInterval()):
            return
        last.start()
        registry.revoke(app.app_id, permission.key)
        offer_undo(texts("page.permission.revoked", permission=name), give)

    def named(pressed: QPushButton) -> QPushButton:
        name_button(pressed, texts, name)
        return pressed

    if permission.key in app.granted:
        take_back = named(button(texts("page.permission.revoke"), take))
        begin_here(take_back, rank=0)
        return row(words, pill(texts("page.permission.granted"), "ok"), take_back, stretch_at=0)
    refusals = registry.refusals(app.app_id)
    refused = next((each for each in refusals if each.permission == permission.key), None)
    if refused is not None:
        ask_again = button(
            texts("settings.grants.ask-again"), lambda: registry.forget_refusal(refused.refusal_id)
        )
        never = pill(texts("settings.grants.never.pill"), "danger")
        return row(words, never, named(ask_again), stretch_at=0)
    key = "page.permission.allow" if app.installed is None else "page.permission.allow.kept"
    return row(words, named(button(texts(key), give)), stretch_at=0)
