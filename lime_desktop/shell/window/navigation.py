"""What the window's pages and commands may have it do. The window offers it; neither has to know the window."""

from typing import Protocol

from PySide6.QtWidgets import QMenu

from lime_desktop.protocol.runtime.sessions import AgentSession


class Navigation(Protocol):
    """Where a page leads."""

    def show_home(self) -> None:
        """Show the apps."""
        ...

    def show_details(self, app_id: str) -> None:
        """Show one app in full."""
        ...

    def show_overlays(self, app_id: str) -> None:
        """Show the settings that apply to one app."""
        ...

    def show_settings(self, section: str = "") -> None:
        """Show the choices, at a section if one is named."""
        ...

    def show_run(self, session_id: str) -> None:
        """Show what a task did and does."""
        ...

    def show_questions(self, name: str = "") -> None:
        """Show what waits for the person's word: this question, or what a session or a run of this name asks."""
        ...

    def open_app(self, app_id: str) -> None:
        """Open an app at the entry it starts with."""
        ...

    def open_entry(self, app_id: str, entry_key: str, *, beside: bool = False) -> None:
        """Open an entry, or turn to it where it is open."""
        ...

    def open_session(self, session: AgentSession) -> None:
        """Go on with a conversation where it is held."""
        ...

    def open_workflow_run(self, app_id: str, entry_key: str, run_id: str) -> None:
        """Show a run on the page of its workflow."""
        ...

    def close_app(self, app_id: str) -> None:
        """Shut every view of an app."""
        ...

    def app_menu(self, app_id: str, menu: QMenu) -> None:
        """Put what can be done with an app into a menu."""
        ...

    def install_named(self, app_id: str) -> None:
        """Review an app that a source offers by its id."""
        ...

    def show_permissions(self, app_id: str) -> None:
        """Show one app at what it may do."""
        ...

    def take_off_list(self, app_id: str) -> None:
        """Forget a package that was opened where it lies."""
        ...

    def end_welcome(self) -> None:
        """The person has been welcomed."""
        ...

    def open_center(self) -> None:
        """Try again to open what is installed."""
        ...


class Commands(Protocol):
    """What a key does, whatever page is shown."""

    def show_palette(self) -> None:
        """Offer everything that can be opened or done."""
        ...

    def show_home(self) -> None:
        """Show the apps."""
        ...

    def show_settings(self, section: str = "") -> None:
        """Show the choices."""
        ...

    def show_questions(self) -> None:
        """Show what waits for the person's word."""
        ...

    def show_shortcuts(self) -> None:
        """List every key."""
        ...

    def show_welcome(self) -> None:
        """Show what greets a person at the first start."""
        ...

    def toggle_drawer(self) -> None:
        """Show the latest run, or put the drawer away."""
        ...

    def ask_to_leave(self) -> None:
        """End unless the person would lose something and wants to keep it."""
        ...


class WindowActions(Navigation, Commands, Protocol):
    """All that a part of the window may have it do."""

    def show_entries(self) -> None:
        """Bring the open entries to the front."""
        ...

    def review_shipped(self) -> None:
        """Review what came with the product of one app."""
        ...

    def look_up(self, words: str) -> None:
        """Offer what these words find here, and to search the web for them."""
        ...
