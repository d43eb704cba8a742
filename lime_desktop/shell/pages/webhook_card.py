"""Who may send an app messages, on its page: a switch for each, the address while it is on, and how much waits."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.webhooks import (
    LIST_WEBHOOKS,
    ListWebhooksParams,
    SwitchWebhookParams,
    WebhookStatus,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.pages.given_card import Change
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    name_button,
    no_mnemonic,
    row,
)


@dataclass(frozen=True, slots=True)
class WebhookLinks:
    """What the card does when it is pressed."""

    call: CallServer
    switch: Callable[[RegisteredApp, SwitchWebhookParams], Change]
    say: Callable[[str, str], None]


class WebhookCards:
    """The card of whichever app is shown, by what was last read of it."""

    def __init__(self, texts: Texts, links: WebhookLinks) -> None:
        self._texts = texts
        self._links = links
        self._webhooks: dict[str, tuple[WebhookStatus, ...]] = {}

    async def look(self, app: RegisteredApp) -> bool:
        """Read how an app's receivers stand, and tell whether that is news; without an App Server nobody knows."""
        if not has_webhooks(app):
            return False
        try:
            asked = ListWebhooksParams(app_id=AppId(app.app_id))
            found = (await self._links.call(LIST_WEBHOOKS, asked)).webhooks
        except AppError:
            return False
        is_news = found != self._webhooks.get(app.app_id, ())
        self._webhooks[app.app_id] = found
        return is_news

    def parts(self, app: RegisteredApp, start: Callable[[Change], None]) -> Iterator[QWidget]:
        """The card, where there is anything to show; what it does is begun by `start`."""
        found = self._webhooks.get(app.app_id, ()) if has_webhooks(app) else ()
        if found:
            heading = label(self._texts("webhooks.title"), "heading")
            about = label(self._texts("webhooks.about"), "muted")
            made = card(heading, about, *(self._webhook(app, each, start) for each in found))
            made.setObjectName("webhooks")
            yield made

    def _webhook(
        self, app: RegisteredApp, webhook: WebhookStatus, start: Callable[[Change], None]
    ) -> QWidget:
        texts, name = self._texts, plain_name(webhook.provider)
        words = column(label(name), *self._lines(webhook), spacing=0)
        parts: list[QWidget] = [words]
        if webhook.url is not None:
            copy = button(texts("webhooks.copy"), lambda: self._copy(webhook.url or ""))
            name_button(copy, texts, name)
            parts.append(copy)
        switch = QCheckBox(no_mnemonic(texts("webhooks.receive")))
        switch.setAccessibleName(f"{texts('webhooks.receive')}: {name}")
        switch.setChecked(webhook.is_on)

        def turn(is_on: bool) -> None:  # noqa: FBT001 - Qt's own signal
            # It shows what holds: should this fail, nothing has changed.
            switch.setChecked(webhook.is_on)
            asked = SwitchWebhookParams(
                app_id=AppId(app.app_id), connector_id=webhook.connector_id, is_on=is_on
            )
            start(self._links.switch(app, asked))

        switch.clicked.connect(turn)
        return row(*parts, switch, stretch_at=0)

    def _lines(self, webhook: WebhookStatus) -> Iterator[QWidget]:
        """What is known of it, as far as it says anything."""
        texts = self._texts
        if webhook.lacks_secret:
            yield label(texts("webhooks.secret"), "small")
        elif webhook.is_on:
            key = "webhooks.signed" if webhook.is_signed else "webhooks.unsigned"
            yield label(texts(key), "small")
        if webhook.is_on and webhook.url is None:
            yield label(texts("webhooks.unheard"), "small")
        told = [
            texts(f"webhooks.{key}", count=count)
            for key, count in (("waiting", webhook.queued), ("refused", webhook.refused))
            if count
        ]
        if told:
            yield label(sentences(texts, *told), "small")

    def _copy(self, address: str) -> None:
        # Not on screen: whoever sees it could send.
        QGuiApplication.clipboard().setText(address)
        self._links.say(self._texts("webhooks.copied"), "success")


def has_webhooks(app: RegisteredApp) -> bool:
    """Whether the manifest names any."""
    return any(
        each.adapter is not None and each.adapter.kind == "webhook"
        for each in app.package.manifest.integrations
    )
