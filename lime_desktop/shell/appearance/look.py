"""What nearly every widget needs to show itself, passed on as one: texts in the current language, icons, the theme."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLocale, QObject, Signal

from lime_desktop.host.wording.texts import TextTable, read_texts
from lime_desktop.product import Product
from lime_desktop.shell.appearance.appearance import Appearance
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.appearance.settings_store import SettingsStore


class LiveTexts(QObject):
    """`Texts` that follow the person's choice, or the system's language where they made none."""

    changed = Signal()
    """Every text is another from now on."""

    def __init__(self, folder: Path, settings: SettingsStore, product: Product) -> None:
        super().__init__()
        self._folder = folder
        self._product = product
        self._settings = settings
        self._chosen = settings.current.locale
        self._table = self._read()
        settings.changed.connect(self._follow)

    @property
    def locale(self) -> str:
        """The language of now."""
        return self._table.locale

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key in the language of now."""
        return self._table(key, **values)

    def find_own(self, key: str) -> str | None:
        """What the language of now itself says, without English standing in."""
        return self._table.find_own(key)

    def _follow(self) -> None:
        chosen = self._settings.current.locale
        if chosen != self._chosen:
            self._chosen = chosen
            self._table = self._read()
            self.changed.emit()

    def _read(self) -> TextTable:
        wanted = [self._chosen] if self._chosen else QLocale.system().uiLanguages()
        return read_texts(self._folder, wanted, self._product)


@dataclass(frozen=True, slots=True)
class Look:
    """The words, the shell's own icons, and the theme with the icons of apps."""

    texts: LiveTexts
    icons: Icons
    appearance: Appearance


def make_look(resources: Path, data: Path, settings: SettingsStore, brand: Brand) -> Look:
    """Read the texts and the theme, and follow the person's choices from now on."""
    texts = LiveTexts(resources / "locales", settings, brand.product)
    appearance = Appearance(resources, data, settings, texts, brand)
    return Look(texts, Icons(resources, appearance.theme), appearance)
