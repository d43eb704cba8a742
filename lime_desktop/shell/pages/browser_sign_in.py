"""A person signs in with their browser: it is opened, or they are told at once that none could be, and they may stop waiting."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from lime_desktop.shell.appearance.look import LiveTexts
from lime_desktop.shell.dialogs.questions import ask_about_link, shown_address
from lime_desktop.shell.notices.notice_card import NoticeCard
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.widgets.parts import button

_T = TypeVar("_T")


class BrowserSignIn:
    """Leads there, and says meanwhile what is waited for."""

    def __init__(self, texts: LiveTexts, notices: Notices, window: QWidget) -> None:
        self._texts = texts
        self._notices = notices
        self._window = window

    async def wait(
        self, app_title: str, url: str, coming_back: Coroutine[Any, Any, _T]
    ) -> _T | None:
        """Have the address opened once the person agrees, and give what they came back with; None if they gave it up."""
        waiting = asyncio.ensure_future(coming_back)
        name = f"sign-in {url}"

        def open_it() -> None:
            is_open = QDesktopServices.openUrl(QUrl(url))
            self._notices.stand(name, self._told(app_title, url, waiting, is_open=is_open))

        ask_about_link(
            self._window, self._texts, app_title, url, open_it=open_it, left=waiting.cancel
        )
        try:
            await asyncio.wait({waiting})
            return None if waiting.cancelled() else waiting.result()
        finally:
            # Whoever waited here may be gone: nobody else would take it back.
            waiting.cancel()
            self._notices.stand(name, None)

    def _told(
        self, app_title: str, url: str, waiting: asyncio.Future[Any], *, is_open: bool
    ) -> NoticeCard:
        texts = self._texts
        words = texts("sign-in.waiting", app=app_title) if is_open else texts("link.no-browser")
        # A browser may be asked to open and show nothing: the address helps then, too.
        copy = button(texts("link.copy"), lambda: QGuiApplication.clipboard().setText(url))
        give_up = button(texts("action.cancel"), waiting.cancel)
        notice = self._notices.note(words, "info" if is_open else "warning", copy, give_up)
        if not is_open:
            notice.add_below(shown_address(url))
        return notice
