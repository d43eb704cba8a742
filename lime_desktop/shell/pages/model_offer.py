"""The way to a model, wherever the window says that none answers."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtWidgets import QPushButton, QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.models.model_status import ModelGap, ModelStatus, needs_model, wants_model
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.appearance.settings_store import SettingsStore
from lime_desktop.shell.widgets.parts import (
    button,
    column,
    icon_button,
    label,
    rows_card,
    wide_row,
)


def set_up_model(texts: Texts, show_settings: Callable[[str], None], gap: ModelGap) -> QPushButton:
    """A button that leads to where the gap is closed."""
    return button(texts("model.set-up"), partial(show_settings, gap.section))


class ModelOffer:
    """One row on Home while apps want a model and none answers, until the person puts it away."""

    def __init__(
        self,
        look: Look,
        settings: SettingsStore,
        registry: AppRegistry,
        models: ModelStatus,
        show_settings: Callable[[str], None],
    ) -> None:
        self._look = look
        self._settings = settings
        self._registry = registry
        self._models = models
        self._show_settings = show_settings

    def shows(self) -> ModelGap | None:
        """What there is to say, to be compared."""
        if self._settings.current.is_model_offer_closed:
            return None
        if not any(wants_model(app.package.manifest) for app in self._registry.apps):
            return None
        return self._models.gap(self._look.texts)

    def parts(self, closed: Callable[[], object]) -> Iterator[QWidget]:
        """The row, if there is something to say; `closed` is called once the person has put it away."""
        gap = self.shows()
        if gap is None:
            return
        texts = self._look.texts

        def close() -> None:
            self._settings.defer(is_model_offer_closed=True)
            closed()

        is_needed = any(needs_model(app.package.manifest) for app in self._registry.apps)
        title = label(texts("home.model" if is_needed else "home.model.optional"), "strong")
        words = column(title, label(gap.words, "small"), spacing=0)
        away = icon_button(texts("home.model.close"), close)
        self._look.icons.put_on(away, "close", "text-muted", 14)
        yield rows_card(
            wide_row(
                self._look.icons.picture("model", side=24),
                words,
                set_up_model(self._look.texts, self._show_settings, gap),
                away,
            )
        )
