"""The shell's own icons, in the colours of now: whoever wears one is drawn again when the theme changes."""

from pathlib import Path
from weakref import WeakSet

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QLabel
from shiboken6 import isValid

from lime_desktop.protocol.bridge.snapshot import Theme
from lime_desktop.shell.appearance.style import tinted

_SIDE = 96
"""Drawn large enough for any screen; Qt scales down."""
_SIGN = "lime-sign"
_INK = "lime-ink"


class Icons:
    """Draws icons by name. Puts them on buttons and labels, and redraws those when told of a new theme."""

    def __init__(self, resources: Path, theme: Theme) -> None:
        self._folder = resources / "icons"
        self._theme = theme
        # Not Qt's list of all widgets: touching those of the web engine from here crashes it.
        self._wearers = WeakSet[QAbstractButton | QLabel]()
        self._drawn: dict[tuple[str, str], QPixmap] = {}

    def colour(self, ink: str) -> str:
        """A token's colour as it is now, for whoever draws by itself."""
        return self._theme.tokens[f"--lime-{ink}"]

    def icon(self, name: str, ink: str = "text") -> QIcon:
        """An icon in a token's colour, with its forms for chosen and for disabled."""
        made = QIcon(self._pixmap(name, ink))
        made.addPixmap(self._pixmap(name, "accent-soft-text"), QIcon.Mode.Normal, QIcon.State.On)
        made.addPixmap(self._pixmap(name, "border-strong"), QIcon.Mode.Disabled)
        return made

    def put_on(self, wearer: QAbstractButton, name: str, ink: str = "text", side: int = 18) -> None:
        """Give a button an icon that follows the theme."""
        self._wearers.add(wearer)
        wearer.setProperty(_SIGN, name)
        wearer.setProperty(_INK, ink)
        wearer.setIconSize(QSize(side, side))
        wearer.setIcon(self.icon(name, ink))

    def picture(self, name: str, ink: str = "text-muted", side: int = 20) -> QLabel:
        """An icon as a part of a page. It says nothing that the words beside it do not."""
        made = QLabel()
        made.setFixedSize(side, side)
        self._wearers.add(made)
        made.setProperty(_SIGN, name)
        made.setProperty(_INK, ink)
        self._draw(made)
        return made

    def recolour(self, picture: QLabel, ink: str) -> None:
        """Draw an icon of a page in another token's colour."""
        if picture.property(_INK) != ink:
            picture.setProperty(_INK, ink)
            self._draw(picture)

    def follow(self, theme: Theme) -> None:
        """Draw everything that wears an icon in the colours of another theme."""
        self._theme = theme
        for wearer in filter(isValid, tuple(self._wearers)):
            if isinstance(wearer, QAbstractButton):
                wearer.setIcon(self.icon(wearer.property(_SIGN), wearer.property(_INK)))
            else:
                self._draw(wearer)

    def _draw(self, label: QLabel) -> None:
        pixmap = self._pixmap(label.property(_SIGN), label.property(_INK))
        ratio = label.devicePixelRatioF()
        scaled = pixmap.scaled(
            label.size() * ratio,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
        scaled.setDevicePixelRatio(ratio)
        label.setPixmap(scaled)

    def _pixmap(self, name: str, ink: str) -> QPixmap:
        colour = self.colour(ink)
        if (name, colour) not in self._drawn:
            self._drawn[name, colour] = draw_svg(tinted(self._folder, name, colour).encode())
        return self._drawn[name, colour]


def draw_svg(picture: bytes) -> QPixmap:
    """A picture of our own, drawn large."""
    pixmap = QPixmap(_SIDE, _SIDE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(picture)).render(painter)
    painter.end()
    return pixmap
