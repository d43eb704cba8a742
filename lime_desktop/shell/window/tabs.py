"""What keys do to the open entries and to the page in front. Knows the tabs, and no key."""

from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.surfaces.surface import PageCommands
from lime_desktop.shell.window.entries.entry_opening import EntryOpening
from lime_desktop.shell.window.page_stack import PageStack


class TabCommands:
    """Acts on the entry in front, and on nothing while another page is there."""

    def __init__(
        self,
        pages: PageStack,
        opening: EntryOpening,
        settings: SettingsStore,
        notices: Notices,
        texts: Texts,
    ) -> None:
        self._pages = pages
        self._opening = opening
        self._settings = settings
        self._notices = notices
        self._texts = texts
        self.workspace = pages.workspace
        """The open entries."""

    @property
    def page(self) -> PageCommands | None:
        """What can be done to the page in front, if an app's page is there."""
        entry = self._pages.entry
        return None if entry is None else entry.page

    def close(self) -> None:
        """Close the entry in front."""
        if (entry := self._pages.entry) is not None:
            self.workspace.close_by_hand(entry)

    def step(self, by: int) -> None:
        """Turn to the next tab or the one before."""
        if self.workspace.surfaces:
            self._pages.turn_to(self.workspace)
            self.workspace.step(by)

    def show(self, at: int) -> None:
        """Turn to the tab with this number; -1 is the last."""
        if at < len(self.workspace.tabs):
            self._pages.turn_to(self.workspace)
            self.workspace.show_at(at)

    def reopen(self) -> None:
        """Open again what was closed last, as far as it may still be opened."""
        self._opening.reopen_closed()

    def can_reopen(self) -> bool:
        """Whether a tab was closed."""
        return self.workspace.has_closed

    def toggle_inspector(self) -> None:
        """Look into the app in front, or stop looking."""
        if (entry := self._pages.entry) is not None:
            entry.toggle_inspector()

    def has_inspector(self) -> bool:
        """Whether this person may look into apps."""
        return self._settings.current.has_developer_tools

    def say_no_inspector(self) -> None:
        """Say where the inspector is enabled, to whoever pressed its key."""
        self._notices.hint(self._texts("inspector.off"), "developer")

    def forget_runs(self) -> None:
        """No entry has its run shown any more."""
        for surface in self.workspace.surfaces:
            surface.forget_run()
