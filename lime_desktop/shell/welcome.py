"""The first start: what this is, in which language and look, who will answer, and apps to begin with."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from lime_desktop.host.app_center.catalog.offers import Offer
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.supervisor import Running, ServerState
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams, ListModelsResult
from lime_desktop.protocol.errors import AppError
from lime_desktop.shell.flow import flow
from lime_desktop.shell.pages.page import Page
from lime_desktop.shell.parts import app_icon, button, card, column, icon_label, label, row
from lime_desktop.shell.settings.general import LANGUAGES, THEMES
from lime_desktop.shell.surroundings import Surroundings
from lime_desktop.shell.work import Work

_TIMEOUT_S = 30.0


class WelcomePage(Page):
    """Greets once; F1 brings it back. Every choice on it is in force at once and can be changed later."""

    def __init__(
        self,
        around: Surroundings,
        call: CallServer,
        install: Callable[[Offer], None],
        begin: Callable[[], None],
    ) -> None:
        super().__init__()
        self._around = around
        self._call = call
        self._install = install
        self._begin = begin
        self._models: ListModelsResult | None = None
        self._work = Work(self, self._stay_unknown)
        around.shelf.watch(self.show_again)
        around.language_changed.connect(self.show_again)
        self.show_again()

    def show_again(self) -> None:
        """Show the welcome as things stand."""
        texts = self._around.texts
        start = button(texts("welcome.begin"), self._begin, "primary")
        self.refill(
            self._head(),
            self._languages(),
            self._themes(),
            self._answering(),
            self._samples(),
            row(start),
        )

    def follow_server(self, state: ServerState) -> None:
        """Once there is an App Server, find out who will answer."""
        if isinstance(state, Running):
            self._work.start(self._find_models())

    async def _find_models(self) -> None:
        self._models = await self._call(LIST_MODELS, ListModelsParams(), timeout_s=_TIMEOUT_S)
        self.show_again()

    def _stay_unknown(self, _error: AppError) -> None:
        """The card says that it is not known yet; the server's return asks again."""

    def _head(self) -> QWidget:
        texts, name = self._around.texts, self._around.branding.product_name
        logo = icon_label(self._around.logo(), 56)
        words = column(
            label(texts("welcome.title", product=name), "display"),
            label(texts("welcome.text"), "muted"),
            spacing=4,
        )
        return row(logo, words, stretch_at=1)

    def _languages(self) -> QWidget:
        locale = self._around.texts.locale
        choices = [
            self._choice(name, is_chosen=key == locale, choose=partial(self._change, locale=key))
            for key, name in LANGUAGES.items()
        ]
        return self._chosen_one("settings.language", choices)

    def _themes(self) -> QWidget:
        texts, mode = self._around.texts, self._around.settings.theme_mode
        choices = [
            self._choice(
                texts(f"settings.theme.{each}"),
                is_chosen=each == mode,
                choose=partial(self._change, theme_mode=each),
            )
            for each in THEMES
        ]
        return self._chosen_one("settings.theme", choices)

    def _chosen_one(self, key: str, choices: list[QPushButton]) -> QWidget:
        made = card(label(self._around.texts(key), "heading"), flow(*choices))
        group = QButtonGroup(made)
        for each in choices:
            group.addButton(each)
        return made

    def _choice(self, words: str, choose: Callable[[], object], *, is_chosen: bool) -> QPushButton:
        made = button(words, choose, "choice")
        made.setCheckable(True)
        made.setChecked(is_chosen)
        return made

    def _change(self, **choice: object) -> None:
        self._around.change(**choice)
        self.show_again()

    def _answering(self) -> QWidget:
        texts = self._around.texts
        sign = self._around.signs.picture("model", side=24)
        head = row(sign, label(texts("welcome.engine"), "heading"), stretch_at=1)
        return card(head, *(label(words, "muted") for words in self._engine_words()))

    def _engine_words(self) -> Iterator[str]:
        texts = self._around.texts
        if self._models is None:
            yield texts("welcome.engine.unknown")
            return
        model = self._models.default_model
        if model is None:
            yield texts("welcome.engine.none")
        else:
            where = "local" if model.is_local else "remote"
            yield texts(f"welcome.engine.{where}", model=model.title)
            if model.note:
                yield model.note
        yield texts("welcome.engine.better")

    def _samples(self) -> QWidget:
        texts, center = self._around.texts, self._around.center
        rows = [self._sample(offer) for offer in (center.catalog.offers if center else ())]
        return card(
            label(texts("welcome.samples"), "heading"),
            label(texts("welcome.samples.about"), "muted"),
            *rows,
        )

    def _sample(self, offer: Offer) -> QWidget:
        texts, tokens = self._around.texts, self._around.theme.tokens
        look = button(texts("welcome.look"), partial(self._install, offer))
        title, tagline = offer.title_in(texts.locale), offer.tagline_in(texts.locale)
        look.setAccessibleName(f"{look.text()}: {title}")
        words = column(label(title, "strong"), label(tagline, "small"), spacing=0)
        icon = app_icon(None, title, tokens["--lime-accent"], tokens["--lime-accent-text"])
        return row(icon_label(icon, 36), words, look, stretch_at=1)
