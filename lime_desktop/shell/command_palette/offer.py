"""One thing that the palette offers."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QIcon


@dataclass(frozen=True, slots=True)
class Offer:
    """A name to find it by, what kind of thing it is, and what choosing it does."""

    name: str
    kind: str
    """Shown at the right, such as the app's name or a key."""
    icon: QIcon
    run: Callable[[], object]
    also: tuple[str, ...] = ()
    """Other words that find it: the app's name, its triggers."""

    def names(self) -> tuple[str, ...]:
        """Every way to find it, the best first."""
        return (self.name, f"{self.kind} {self.name}", *self.also)
