"""What the desktop process asks of its windows. The shell implements it; tests may too."""

from typing import Literal, Protocol

ToastLevel = Literal["info", "success", "warning", "error"]


class ShellPort(Protocol):
    """The few things only a window can do for an app."""

    def show_toast(self, message: str, level: ToastLevel) -> None:
        """Show a short notice under the app's name."""
        ...

    def open_route(self, route: str) -> None:
        """Bring the app's view to another of its routes."""
        ...

    def open_entry(self, entry_key: str) -> None:
        """Open another entry of the same app."""
        ...

    def offer_link(self, url: str) -> None:
        """Ask the person whether to open a page in their browser; never waits for the answer."""
        ...
