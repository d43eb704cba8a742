"""The fonts that come with the program, so that its words have the same shapes and widths on every machine.

Imports Qt and the standard library only: the first frame is drawn with them.
"""

import json
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication


def apply_fonts(application: QApplication, resources: Path) -> None:
    """Load our fonts and make them the application's. Call it before the first widget: each keeps the font it found."""
    for file in sorted((resources / "fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))
    font = QFont(font_families(resources))
    # Hinted across, letters keep whole pixels, and how wide a word is hangs on the machine's settings.
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    application.setFont(font)


def font_families(resources: Path) -> list[str]:
    """The families of the theme, in the order in which a letter is looked for."""
    tokens = json.loads((resources / "theme/tokens.json").read_text(encoding="utf-8"))
    return [name.strip(" '") for name in tokens["shared"]["font-family"].split(",")]
