"""The first start: what this is, which model answers, apps to begin with, in which language and look."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.supervisor import Running, ServerState
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.pages.model_choices import ModelChoices
from lime_desktop.shell.settings.general import LANGUAGES, THEMES
from lime_desktop.shell.widgets.focus import begin_here
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    icon_label,
    label,
    name_button,
    pill,
    row,
)

_MOST_OFFERS = 8
"""Who wants more looks under Apps, where one can search."""


@dataclass(frozen=True, slots=True)
class WelcomeLinks:
    """Where the welcome leads."""

    install: Callable[[Offer], None]
    open_app: Callable[[str], None]
    show_settings: Callable[[str], None]
    begin: Callable[[], None]
    problem: Callable[[AppError], None]


class WelcomePage(Page):
    """Greets once; the palette brings it back. Every choice on it is in force at once and can be changed later."""

    def __init__(
        self,
        look: Look,
        settings: SettingsStore,
        brand: Brand,
        registry: AppRegistry,
        call: CallServer,
        links: WelcomeLinks,
    ) -> None:
        super().__init__()
        self._look = look
        self._settings = settings
        self._brand = brand
        self._registry = registry
        self._links = links
        self._models = ModelChoices(look, call)
        self._models.failed.connect(links.problem)
        self._models.settings_wanted.connect(links.show_settings)
        registry.watch(self.once_seen(self.show_again))
        look.texts.changed.connect(self._retranslate)
        self.show_again()

    def show_again(self) -> None:
        """Show the welcome as things stand."""
        self.refill(self._head(), self._languages(), self._models, self._samples(), self._themes())

    def follow_server(self, state: ServerState) -> None:
        """Once there is an App Server, find out which model answers, and which could."""
        if isinstance(state, Running):
            # Not at every start: only who is to choose needs to know what there is.
            self.once_seen(self._models.look)()

    def _retranslate(self) -> None:
        self._models.retranslate()
        self._models.look()
        self.show_again()

    def _head(self) -> QWidget:
        texts, name = self._look.texts, self._brand.branding.product_name
        logo = icon_label(self._look.appearance.logo(), 56)
        words = column(
            label(texts("welcome.title", product=name), "display"),
            label(texts("welcome.text"), "muted"),
            spacing=4,
        )
        return row(logo, words, stretch_at=1)

    def _samples(self) -> QWidget:
        texts, center = self._look.texts, self._registry.center
        offers = center.catalog.offers[:_MOST_OFFERS] if center else ()
        about = "welcome.samples.about" if offers else "welcome.samples.reading"
        takes_more = center is None or center.rules.takes_packages
        return card(
            label(texts("welcome.samples"), "heading"),
            label(texts(about), "muted"),
            *map(self._sample, offers),
            *([label(texts("welcome.samples.more"), "small")] if takes_more else []),
        )

    def _sample(self, offer: Offer) -> QWidget:
        texts = self._look.texts
        title, tagline = offer.title_in(texts.locale), offer.tagline_in(texts.locale)
        icon = self._look.appearance.icon(offer.icon, title)
        words = column(label(title, "strong"), label(tagline, "small"), spacing=0)
        return row(icon_label(icon, 36), words, *self._ways_in(offer, title), stretch_at=1)

    def _ways_in(self, offer: Offer, title: str) -> Iterator[QWidget]:
        texts = self._look.texts
        if self._registry.app(offer.app_id) is None:
            way = button(texts("welcome.look"), partial(self._links.install, offer))
        else:
            yield pill(texts("welcome.installed"), "ok")
            way = button(texts("welcome.open"), partial(self._links.open_app, offer.app_id))
        name_button(way, texts, title)
        yield way

    def _languages(self) -> QWidget:
        locale = self._look.texts.locale
        choices = [
            self._choice(name, is_chosen=key == locale, choose=partial(self._change, locale=key))
            for key, name in LANGUAGES.items()
        ]
        # Without a box and first: whoever cannot read the rest finds their language by its own name. Beside it the way on,
        # which nobody has to scroll for.
        begin = button(self._look.texts("welcome.begin"), self._links.begin, "primary")
        return row(self._one_of(flow(*choices), choices), begin, stretch_at=0)

    def _themes(self) -> QWidget:
        texts, mode = self._look.texts, self._settings.current.theme_mode
        choices = [
            self._choice(
                texts(f"settings.theme.{each}"),
                is_chosen=each == mode,
                choose=partial(self._change, theme_mode=each),
            )
            for each in THEMES
        ]
        heading = label(texts("settings.theme"), "heading")
        return self._one_of(card(heading, flow(*choices)), choices)

    def _one_of(self, holder: QWidget, choices: list[QPushButton]) -> QWidget:
        group = QButtonGroup(holder)
        for each in choices:
            group.addButton(each)
        return holder

    def _choice(self, words: str, choose: Callable[[], object], *, is_chosen: bool) -> QPushButton:
        made = button(words, choose, "choice")
        made.setCheckable(True)
        made.setChecked(is_chosen)
        if is_chosen:
            begin_here(made)
        return made

    def _change(self, **choice: object) -> None:
        self._settings.change(**choice)
        self.show_again()
