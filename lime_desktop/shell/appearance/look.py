"""What nearly every widget needs to show itself, passed on as one."""

from dataclasses import dataclass

from lime_desktop.shell.appearance.appearance import Appearance
from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.appearance.live_texts import LiveTexts


@dataclass(frozen=True, slots=True)
class Look:
    """The words, the shell's own icons, and the theme with the icons of apps."""

    texts: LiveTexts
    icons: Icons
    appearance: Appearance
