"""What is on screen at once: the product's name in the right colours and language, while everything else is loaded.

Imports Qt and the few modules of ours that it draws with. Everything else of the program is loaded behind it.
"""

import json
import os
import time
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPaintEvent,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from lime_desktop.host.wording.texts import read_texts
from lime_desktop.shell.widgets.on_screen import USUAL, put_on_screen
from lime_desktop.shell.widgets.resource_folders import Folders

_RAIL = 72
_LOGO = 72
_LONGEST_S = 1.0
"""A system that has not shown it by then may never: another desktop is in front, say."""
_LOOK_S = 0.002
_STROKES = "500,200,1000,138,1667,138,2333,0"
"""Half of what FreeType adds by itself: pairs of a stroke's width and what it gains, in thousandths of the letter's size."""


class FirstFrame(QWidget):
    """Stands where the window will stand, with its rail and its ground; says what is coming."""

    def __init__(self, folders: Folders) -> None:
        super().__init__()
        settings = _read_object(folders.settings_file)
        state = _read_object(folders.settings_file.with_name("window.json"))
        self._colours = _colours(folders.resources, settings)
        self._logo = (folders.resources / "icons/lime-desktop.svg").read_bytes()
        self._icon = QPixmap() if folders.icon_file is None else QPixmap(str(folders.icon_file))
        self._rail = 0 if folders.product.is_of_one_app else _RAIL
        chosen = settings.get("locale") or QGuiApplication.inputMethod().locale().bcp47Name()
        texts = read_texts(folders.resources / "locales", [str(chosen)], folders.product)
        self._words = texts("progress.first")
        brand = _read_object(folders.resources / "branding/brand.json")
        own = folders.product
        self.setWindowTitle(
            own.window_title if own.is_branded else str(brand.get("productName", ""))
        )
        if not self._icon.isNull():
            self.setWindowIcon(QIcon(self._icon))
        self.setAccessibleName(self._words)
        self.resize(USUAL)
        if geometry := state.get("geometry"):
            self.restoreGeometry(QByteArray.fromBase64(str(geometry).encode()))
        put_on_screen(self)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt calls this
        """Draw the rail, the logo and the one line."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(self._colours["bg"]))
        painter.fillRect(0, 0, self._rail, self.height(), QColor(self._colours["surface-sunken"]))
        left = self._rail + (self.width() - self._rail - _LOGO) / 2
        top = self.height() / 2 - _LOGO
        self._draw_logo(painter, QRectF(left, top, _LOGO, _LOGO))
        painter.setPen(QColor(self._colours["text-muted"]))
        below = QRectF(self._rail, top + _LOGO + 24, self.width() - self._rail, 40)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, self._words)
        painter.end()

    def _draw_logo(self, painter: QPainter, place: QRectF) -> None:
        if self._icon.isNull():
            QSvgRenderer(QByteArray(self._logo)).render(painter, place)
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(place, self._icon, QRectF(self._icon.rect()))


def take_place_of(application: QApplication, first: FirstFrame, window: QWidget) -> None:
    """Let the window stand where the first frame stands now: the person may have moved, sized or maximized that."""
    # What they did while everything was loaded has not been heard yet.
    application.processEvents()
    window.restoreGeometry(first.saveGeometry())
    put_on_screen(window)


def _colours(resources: Path, settings: dict[str, Any]) -> dict[str, str]:
    schemes = _read_object(resources / "theme/tokens.json")["schemes"]
    mode = settings.get("themeMode", "system")
    system_is_dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
    is_dark = system_is_dark if mode == "system" else mode == "dark"
    kind = "lime-contrast" if settings.get("isHighContrast") else "lime"
    return schemes[f"{kind}-{'dark' if is_dark else 'light'}"]["colors"]


def _read_object(path: Path) -> dict[str, Any]:
    """A file that is missing or broken says nothing here; whoever owns it deals with it later."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def show_painted(application: QApplication, window: QWidget, longest_s: float = _LONGEST_S) -> None:
    """Show a window, and come back when it is drawn: what keeps the program busy before that keeps it black."""
    window.show()
    give_up_at = time.monotonic() + longest_s
    while time.monotonic() < give_up_at:
        application.processEvents()
        handle = window.windowHandle()
        if handle is not None and handle.isExposed():  # pyright: ignore[reportUnnecessaryComparison] - none before it is made
            break
        time.sleep(_LOOK_S)
    application.processEvents()


def lighten_strokes() -> None:
    """Halve what Qt adds to the strokes of fonts such as those of most Linux systems for Chinese.

    Qt makes them darker so that they hold on white; light letters on dark ground came out bold by it. FreeType reads this
    once, with the first font. Somebody's own setting stays.
    """
    os.environ.setdefault("FREETYPE_PROPERTIES", f"cff:darkening-parameters={_STROKES}")


def apply_fonts(application: QApplication, resources: Path) -> None:
    """Load the fonts that come with the program, so that words have the same widths on every machine.

    Call it before the first widget: each keeps the font it found.
    """
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
