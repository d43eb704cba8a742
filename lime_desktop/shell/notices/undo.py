"""What a person removed or had an app do, while a notice offers to undo it."""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from lime_desktop.host.view.shell_port import Undo
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppError, Conflict, StorageConflict
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.widgets.work import Work

Remove = Callable[[], Coroutine[Any, Any, None]]


class Removals:
    """Removals that can be undone for ten seconds, each under a key of the caller's choosing.

    What is removed is gone from sight at once, and for good when the time is over. For what cannot be made again, such as
    a provider with its key. What can be made again is removed at once, and undone by making it again. What takes a right
    away is never put off.
    """

    def __init__(self, owner: QWidget, notices: Notices) -> None:
        self._notices = notices
        self._work = Work(owner, notices.problem)
        self._pending: dict[str, Remove] = {}

    def is_removed(self, key: str) -> bool:
        """Whether something is no longer to be shown."""
        return key in self._pending

    def watch(self) -> Callable[[str], bool]:
        """Give what tells, of a list that is asked for now and read later, what is not to be shown of it.

        A removal may be carried out between the two: such a list still names what is gone, and nothing waits any more.
        """
        before = frozenset(self._pending)
        return lambda key: key in before or key in self._pending

    def remove(
        self, key: str, words: str, remove: Remove, listing: QWidget, show: Callable[[], object]
    ) -> None:
        """Take something out of sight, and remove it unless that is undone; `show` fills its list anew each time."""
        self._pending[key] = remove

        def show_if_there() -> None:
            if isValid(listing):  # by then the person may have turned to another page
                show()

        def undo() -> None:
            self._pending.pop(key, None)
            show_if_there()

        def carry_out() -> None:
            if key in self._pending:
                self._work.start(self._carry_out(key, show_if_there))

        self._notices.offer_undo(words, undo, carry_out)
        show_if_there()

    async def finish(self) -> None:
        """The program ends: what was to be removed is removed now, as far as that is possible."""
        pending, self._pending = self._pending, {}
        for remove in pending.values():
            try:
                await remove()
            except AppError:
                continue  # it is there at the next start, and can be removed again

    async def _carry_out(self, key: str, show: Callable[[], None]) -> None:
        try:
            await self._pending[key]()
        finally:
            # Where that failed, it is told, and the thing is seen again.
            self._pending.pop(key, None)
            show()


class Undoing:
    """Takes back what a person had an app do. One for the window: an act can be taken back after its tab was closed."""

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
