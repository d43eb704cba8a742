"""What was open at the last end, open again: every tab in its place, whether it can be shown yet or not.

An app that is not known, because the installed apps could not be read, is kept for when they can be.
"""

from collections.abc import Callable

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.settings import OpenEntry
from lime_desktop.shell.window.memory import WindowMemory

OpenAgain = Callable[[OpenEntry], None]


class Reopening:
    """Opens what was open, each entry once."""

    def __init__(
        self, registry: AppRegistry, memory: WindowMemory, open_again: OpenAgain, turn_to: OpenAgain
    ) -> None:
        self._registry = registry
        self._memory = memory
        self._open_again = open_again
        self._turn_to = turn_to
        self.is_under_way = False
        """Whether tabs come back just now: the person has turned to none of them."""

    def begin(self, *, is_whole: bool) -> None:
        """Open what was open. Where not all apps are known, what was open of others is for the next start."""
        self.is_under_way = True
        try:
            self._begin(is_whole=is_whole)
        finally:
            self.is_under_way = False

    def _begin(self, *, is_whole: bool) -> None:
        kept = self._memory.entries()
        known = [each for each in kept if self._is_known(each)]
        for entry in known:
            self._open_again(entry)
        unknown = tuple(each for each in kept if self._registry.app(each.app_id) is None)
        self._memory.has_restored(() if is_whole else unknown)
        current = next((each for each in known if each.is_current), None)
        if current is not None or known:
            self._turn_to(current or known[0])

    def _is_known(self, entry: OpenEntry) -> bool:
        app = self._registry.app(entry.app_id)
        return app is not None and app.projection.entry(entry.entry_key) is not None
