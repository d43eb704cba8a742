"""What apps say of where they stand on Home: the shelves to choose among, and the cards that lead into them."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from PySide6.QtWidgets import QPushButton, QWidget

from lime_desktop.host.apps.home_cards import HomeCard, home_cards
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.widgets.parts import ShortLabel, button, section_heading
from lime_desktop.shell.widgets.tiles import Grid, Tile

_FEWEST_APPS = 6
"""Fewer are seen at once: to choose among shelves would be more work than to look."""
_MOST_SHELVES = 12
_MOST_CARDS = 6


class CategoryChoice:
    """The categories that installed apps name; the person shows one of them alone, or all apps."""

    def __init__(self, texts: Texts, changed: Callable[[], None]) -> None:
        self._texts = texts
        self._changed = changed
        self._chosen: str | None = None

    def shows(self, app: RegisteredApp) -> bool:
        """Whether an app stands on the shelf that was chosen."""
        return self._chosen is None or app.category(self._texts.locale) == self._chosen

    @property
    def is_chosen(self) -> bool:
        """Whether one shelf is shown alone."""
        return self._chosen is not None

    def look(self, apps: Iterable[RegisteredApp]) -> list[str]:
        """The shelves to choose among; one that is there no more is let go of."""
        found = [app.category(self._texts.locale) for app in apps]
        shelves = sorted({each for each in found if each}, key=str.casefold)[:_MOST_SHELVES]
        offered = shelves if len(found) >= _FEWEST_APPS and len(shelves) > 1 else []
        if self._chosen not in offered:
            self._chosen = None
        return offered

    def parts(self, apps: Iterable[RegisteredApp]) -> Iterator[QWidget]:
        """A button for each, and one for all."""
        shelves = self.look(apps)
        if shelves:
            every = self._button(self._texts("home.category.all"), None)
            made = flow(every, *(self._button(each, each) for each in shelves))
            made.setAccessibleName(self._texts("home.category"))
            yield made

    def _button(self, words: str, shelf: str | None) -> QPushButton:
        made = button(words, partial(self._choose, shelf), "chip")
        made.setCheckable(True)
        made.setChecked(shelf == self._chosen)
        return made

    def _choose(self, shelf: str | None) -> None:
        self._chosen = shelf
        self._changed()


class HomeCards:
    """The cards of all apps, each with the name of the app that it leads into."""

    def __init__(
        self, look: Look, registry: AppRegistry, open_entry: Callable[[str, str], None]
    ) -> None:
        self._look = look
        self._registry = registry
        self._open_entry = open_entry

    def shows(self) -> tuple[HomeCard, ...]:
        """What is shown now."""
        return home_cards(self._registry.apps, self._look.texts.locale)[:_MOST_CARDS]

    def parts(self, query: str) -> Iterator[QWidget]:
        """The cards under their heading; who searches looks for something else."""
        cards = () if query else self.shows()
        if cards:
            yield section_heading(self._look.texts("home.shortcuts"))
            yield Grid(*map(self._tile, cards))

    def _tile(self, card: HomeCard) -> Tile:
        app = card.app
        whose = ShortLabel(app.title(self._look.texts.locale), "small", keeps=20)
        open_entry = partial(self._open_entry, app.app_id, card.entry_key)
        icon = self._look.appearance.icon_of(app)
        return Tile(icon, card.title, card.text, open_entry, whose)
