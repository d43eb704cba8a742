"""What a person can do to an app's page, whoever shows it. Imports nothing of the web engine, which is loaded late."""

from typing import Protocol


class PageCommands(Protocol):
    """The page in front, for the window's keys, the palette and its menu."""

    def go(self, by: int) -> None:
        """Go back (-1) or forward (1) in the app's own history."""
        ...

    def reload(self) -> None:
        """Load the app anew; asks first where something would be lost."""
        ...

    def find(self) -> None:
        """Look for words in the page."""
        ...

    def find_again(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) place."""
        ...

    def zoom_by(self, steps: int) -> None:
        """Show the page larger or smaller; with nothing, at its own size."""
        ...

    def print_page(self) -> None:
        """Let the person print the page, or keep it as a PDF."""
        ...
