"""What the person removes: gone from sight at once, and for good when the ten seconds are over in which it can be undone.

For what cannot be made again once it is gone, such as a provider with its key. What can be made again is removed at once,
and undone by making it again. What takes a right away is never put off.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.widgets.work import Work

Remove = Callable[[], Coroutine[Any, Any, None]]


class Removals:
    """Knows what is on its way out, by a key of the caller's choosing."""

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
