"""What nearly every widget needs to show itself, passed on as one."""

from dataclasses import dataclass
from pathlib import Path

from lime_desktop.shell.appearance.appearance import Appearance
from lime_desktop.shell.appearance.brand import Brand
from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.appearance.live_texts import LiveTexts
from lime_desktop.shell.appearance.settings_store import SettingsStore


@dataclass(frozen=True, slots=True)
class Look:
    """The words, the shell's own icons, and the theme with the icons of apps."""

    texts: LiveTexts
    icons: Icons
    appearance: Appearance


def make_look(resources: Path, data: Path, settings: SettingsStore, brand: Brand) -> Look:
    """Read the texts and the theme, and follow the person's choices from now on."""
    texts = LiveTexts(resources / "locales", settings)
    appearance = Appearance(resources, data, settings, texts, brand)
    return Look(texts, Icons(resources, appearance.theme), appearance)
