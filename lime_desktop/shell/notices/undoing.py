"""Takes back what a person had an app do, while it is offered, and says what came of that."""

from PySide6.QtWidgets import QWidget

from lime_desktop.host.view.shell_port import Undo
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import Conflict, StorageConflict
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.widgets.work import Work


class Undoing:
    """One for the window: an act can be taken back after its tab was closed."""

    def __init__(self, owner: QWidget, notices: Notices, texts: Texts) -> None:
        self._notices = notices
        self._texts = texts
        self._work = Work(owner, notices.problem)

    def offer(self, words: str, undo: Undo) -> None:
        """Offer it for as long as everything else that can be undone."""
        self._notices.offer_undo(words, lambda: self._work.start(self._take_back(undo)))

    async def _take_back(self, undo: Undo) -> None:
        try:
            await undo()
        except (Conflict, StorageConflict):
            self._notices.toast(self._texts("undo.act.late"), "warning")
        else:
            self._notices.toast(self._texts("undo.act.done"), "success")
