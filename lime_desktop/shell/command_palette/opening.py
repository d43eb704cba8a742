"""Brings the palette up, filled with what there is at that moment."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.command_palette.dialog import CommandPalette
from lime_desktop.shell.command_palette.offers import Offer, web_offer
from lime_desktop.shell.dialogs.questions import ask_about_search


class PaletteOpening:
    """Makes a palette each time: it is up for seconds, and what it offers changes meanwhile."""

    def __init__(
        self,
        parent: QWidget,
        look: Look,
        registry: AppRegistry,
        list_offers: Callable[[], list[Offer]],
    ) -> None:
        self._parent = parent
        self._look = look
        self._registry = registry
        self._list_offers = list_offers

    def show(self) -> None:
        """Offer everything that can be opened or done."""
        self._make().come_up()

    def look_up(self, words: str) -> None:
        """Offer what these words find here, and at the end to search the web for them."""
        ask = partial(ask_about_search, self._parent, self._look.texts)
        self._make().look_up(words, web_offer(self._look, words, ask))

    def _make(self) -> CommandPalette:
        made = CommandPalette(self._look, self._list_offers, self._parent)

        def renew() -> None:
            made.renew(is_whole=self._registry.center is not None)

        renew()
        # Opened before the apps are known, it shows each as it comes.
        made.closed.connect(self._registry.watch(renew))
        return made
