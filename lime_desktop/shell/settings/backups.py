"""Copy everything that is kept, by one button; say how old the newest copy is."""

import asyncio

from PySide6.QtWidgets import QFrame

from lime_desktop.database.backups import Backup, find_backups, make_backup
from lime_desktop.host.wording.joining import listed
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.settings.section import SectionContext, group
from lime_desktop.shell.widgets.amounts import size_in_words, time_in_words
from lime_desktop.shell.widgets.parts import button, label, row


def moment_of(backup: Backup, texts: Texts) -> str:
    """When a backup was made, as the person writes it."""
    return time_in_words(backup.made_at_ms, texts)


class BackupCard:
    """The newest backup, and the button that makes another."""

    def __init__(self, context: SectionContext) -> None:
        self._context = context
        self._texts = context.look.texts
        self._data = context.services.folders.data
        self._newest = label("", "muted")
        self._make = button(self._texts("backup.make"), self._begin)
        self.card: QFrame = group(
            self._texts("backup.title"),
            row(self._newest, self._make, stretch_at=0),
            about=self._texts("backup.about"),
        )
        self._show()

    def _show(self) -> None:
        made = next((each for each in find_backups(self._data) if each.reason == "asked"), None)
        texts = self._texts
        words = texts("backup.newest", moment=moment_of(made, texts)) if made else None
        self._newest.setText(words or texts("backup.none"))

    def _begin(self) -> None:
        self._make.setEnabled(False)
        self._newest.setText(self._texts("backup.making"))
        self._context.work.start(self._copy())

    async def _copy(self) -> None:
        try:
            made = await asyncio.to_thread(make_backup, self._data)
        finally:
            self._make.setEnabled(True)
            self._show()
        size = size_in_words(made.backup.size_bytes, self._texts)
        if made.unreadable:
            names = listed(self._texts, (place for place, _ in made.unreadable))
            self._context.say(self._texts("backup.partly", size=size, names=names), "warning")
        else:
            self._context.say(self._texts("backup.done", size=size), "success")
