"""What was open at the last end, open again: at once, or as soon as it is known whether it may be.

Whether an app can start may hang on what the App Server alone knows (its data's shape, its secrets), and that is said
seconds after the window is there. Until then such a tab is neither opened nor forgotten.
"""

from collections.abc import Callable, Iterable

from lime_desktop.host.shelf import Shelf
from lime_desktop.host.window_state import OpenEntry
from lime_desktop.shell.window_memory import WindowMemory

OpenAgain = Callable[[OpenEntry], None]


class Reopening:
    """Opens what was open, each entry once."""

    def __init__(
        self,
        shelf: Shelf,
        memory: WindowMemory,
        open_in_front: OpenAgain,
        open_behind: OpenAgain,
        in_sight: Callable[[], object],
    ) -> None:
        self._shelf = shelf
        self._memory = memory
        self._open_in_front = open_in_front
        self._open_behind = open_behind
        self._in_sight = in_sight
        self._left: object = None
        """What the person was left with; while they look at that, they have gone nowhere themselves."""
        self._waiting: tuple[OpenEntry, ...] = ()
        self._unknown: tuple[OpenEntry, ...] = ()

    def begin(self, *, is_whole: bool) -> None:
        """Open what can be opened now. Where not all apps are known, what was open of others is for the next start."""
        kept = self._memory.entries()
        # The one that was in front comes again at the end: it is turned to, not opened twice.
        for entry in (*kept, *(each for each in kept if each.is_current)):
            if self._can_open(entry):
                self._open_in_front(entry)
        unknown = (each for each in kept if self._shelf.app(each.app_id) is None)
        self._unknown = () if is_whole else tuple(unknown)
        self._wait_for(each for each in kept if self._may_yet_open(each))
        self._left = self._in_sight()
        if self._waiting:
            self._shelf.watch(self._open_rest)

    def _open_rest(self) -> None:
        waiting, is_where_it_was = self._waiting, self._in_sight() == self._left
        self._wait_for(each for each in waiting if self._may_yet_open(each))
        for entry in waiting:
            if self._can_open(entry):
                is_in_front = entry.is_current and is_where_it_was
                (self._open_in_front if is_in_front else self._open_behind)(entry)

    def _wait_for(self, entries: Iterable[OpenEntry]) -> None:
        self._waiting = tuple(entries)
        self._memory.has_restored((*self._waiting, *self._unknown))

    def _can_open(self, entry: OpenEntry) -> bool:
        app = self._shelf.app(entry.app_id)
        return app is not None and app.can_open(entry.entry_key)

    def _may_yet_open(self, entry: OpenEntry) -> bool:
        is_known = self._shelf.app(entry.app_id) is not None
        is_judged = self._can_open(entry) or self._shelf.knows_setup(entry.app_id)
        return is_known and not is_judged
