"""How the shell looks: the style sheet in `resources/theme`, filled with the same tokens that apps get."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from string import Template

from PySide6.QtGui import QColor, QPalette

from lime_desktop.protocol.bridge.snapshot import Theme

_PICTURES = {
    "chevron-down": "text_muted",
    "chevron-up": "text",
    "chevron-left": "text",
    "chevron-right": "text",
    "plus": "text",
    "list": "text",
    "grid": "text",
    "check": "accent_text",
}
"""Icons that the sheet draws itself, and the token that colours each."""


class ShellStyle:
    """Makes the style sheet for a theme. Qt reads the pictures of a sheet only from files, so it keeps a few."""

    def __init__(self, resources: Path, pictures: Path) -> None:
        self._sheet = Template((resources / "theme/shell.qss").read_text(encoding="utf-8"))
        self._icons = resources / "icons"
        self._pictures = pictures

    def sheet(self, theme: Theme) -> str:
        """The style sheet of the whole shell."""
        names = _names(theme.tokens)
        pictures = {
            f"picture_{icon.replace('-', '_')}": self._picture(icon, names[token])
            for icon, token in _PICTURES.items()
        }
        return self._sheet.substitute(names, **pictures)

    def _picture(self, icon: str, colour: str) -> str:
        path = self._pictures / f"{icon}-{colour.removeprefix('#')}.svg"
        if not path.exists():
            # Without room for it a control lacks its mark; that must not keep the window from opening.
            with suppress(OSError):
                self._pictures.mkdir(parents=True, exist_ok=True)
                path.write_text(tinted(self._icons, icon, colour), encoding="utf-8")
        return path.as_posix()


def tinted(folder: Path, icon: str, colour: str) -> str:
    """One of our icons in a colour, as SVG."""
    return (folder / f"{icon}.svg").read_text(encoding="utf-8").replace("currentColor", colour)


def palette(theme: Theme) -> QPalette:
    """Colours for what a style sheet does not reach, such as links and placeholders."""
    colours = _names(theme.tokens)
    made = QPalette()
    for role, name in {
        QPalette.ColorRole.Window: "bg",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "surface_sunken",
        QPalette.ColorRole.Mid: "border_strong",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.PlaceholderText: "text_muted",
        QPalette.ColorRole.Button: "surface",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "accent_text",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.ToolTipBase: "surface",
        QPalette.ColorRole.ToolTipText: "text",
    }.items():
        made.setColor(role, QColor(colours[name]))
    return made


def _names(tokens: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix("--lime-").replace("-", "_"): value for name, value in tokens.items()}
