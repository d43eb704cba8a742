"""How the shell looks: one style sheet made from the same tokens that apps get."""

from collections.abc import Mapping
from string import Template

from PySide6.QtGui import QColor, QPalette

from lime_desktop.protocol.bridge.snapshot import Theme

_SHEET = Template("""
* { font-family: $font_family; font-size: $font_size; }
QWidget { color: $text; background: transparent; }
QMainWindow, QDialog, QWidget#page, QScrollArea, QScrollArea > QWidget > QWidget { background: $bg; }
QLabel[role="title"] { font-size: $font_size_title; font-weight: 600; }
QLabel[role="heading"] { font-size: $font_size_large; font-weight: 600; }
QLabel[role="muted"] { color: $text_muted; }
QLabel[role="small"] { color: $text_muted; font-size: $font_size_small; }
QLabel[role="mono"] { font-family: $font_family_mono; font-size: $font_size_small; color: $text_muted; }

QFrame#rail { background: $surface_sunken; border: 0; border-right: 1px solid $border; }
QFrame#bar { background: $surface; border: 0; border-bottom: 1px solid $border; }
QFrame[role="card"] { background: $surface; border: 1px solid $border; border-radius: $radius; }
QFrame[role="card"]:hover { border-color: $border_strong; }

QPushButton, QToolButton {
  background: $surface; color: $text; border: 1px solid $border_strong; border-radius: $radius;
  padding: 6px 14px; min-height: 20px;
}
QPushButton:hover, QToolButton:hover { background: $surface_hover; }
QPushButton:focus, QToolButton:focus, QLineEdit:focus, QComboBox:focus, QListView:focus, QTreeView:focus,
QTextEdit:focus, QPlainTextEdit:focus, QCheckBox:focus { border: 2px solid $focus; }
QPushButton:disabled, QToolButton:disabled { color: $text_muted; border-color: $border; }
QPushButton[role="primary"] { background: $accent; color: $accent_text; border-color: $accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accent_hover; }
QPushButton[role="primary"]:focus { border: 2px solid $focus; }
QPushButton[role="primary"]:disabled {
  background: $surface_sunken; color: $text_muted; border-color: $border; font-weight: 400;
}
QPushButton[role="danger"] { color: $danger; border-color: $danger; }
QPushButton[role="link"] { border: 0; background: transparent; color: $accent; padding: 2px 4px; text-align: left; }
QPushButton[role="link"]:focus { border: 2px solid $focus; border-radius: $radius_small; }

QToolButton[role="rail"] { border: 0; background: transparent; border-radius: $radius; padding: 8px; }
QToolButton[role="rail"]:hover { background: $surface_hover; }
QToolButton[role="rail"]:checked { background: $accent_soft; color: $accent_soft_text; }
QToolButton[role="rail"]:focus { border: 2px solid $focus; }

QLabel[role="pill"] { border-radius: 9px; padding: 2px 9px; font-size: $font_size_small; font-weight: 600; }
QLabel[tone="ok"] { background: $success_soft; color: $success; }
QLabel[tone="warning"] { background: $warning_soft; color: $warning; }
QLabel[tone="danger"] { background: $danger_soft; color: $danger; }
QLabel[tone="info"] { background: $info_soft; color: $info; }
QLabel[tone="plain"] { background: $surface_sunken; color: $text_muted; }
QFrame[role="banner"] { border: 0; border-radius: $radius; }
QFrame[role="banner"][tone="warning"] { background: $warning_soft; }
QFrame[role="banner"][tone="danger"] { background: $danger_soft; }
QFrame[role="banner"][tone="info"] { background: $info_soft; }

QLineEdit, QComboBox, QTextEdit, QPlainTextEdit, QSpinBox {
  background: $surface; border: 1px solid $border_strong; border-radius: $radius; padding: 6px 10px;
  selection-background-color: $accent; selection-color: $accent_text;
}
QComboBox QAbstractItemView, QMenu, QListView, QTreeView {
  background: $surface; border: 1px solid $border; selection-background-color: $accent_soft;
  selection-color: $accent_soft_text; outline: 0;
}
QListView::item { padding: 6px 10px; border-radius: $radius_small; }
QListView::item:selected { background: $accent_soft; color: $accent_soft_text; }
QMenu::item { padding: 6px 22px; }
QMenu::item:selected { background: $accent_soft; color: $accent_soft_text; }
QCheckBox, QRadioButton { spacing: 8px; padding: 2px; }
QCheckBox::indicator {
  width: 16px; height: 16px; border: 1px solid $border_strong; border-radius: $radius_small; background: $surface;
}
QCheckBox::indicator:checked { background: $accent; border: 4px solid $surface; outline: 1px solid $border_strong; }

QTabWidget::pane { border: 0; }
QTabBar { background: $surface_sunken; }
QTabBar::tab { background: transparent; color: $text_muted; padding: 8px 16px; border: 0; }
QTabBar::tab:selected { background: $bg; color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:hover { color: $text; }

QProgressBar { background: $surface_sunken; border: 0; border-radius: 3px; max-height: 6px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QToolTip { background: $surface; color: $text; border: 1px solid $border_strong; padding: 4px 8px; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 2px; }
QScrollBar::handle { background: $border_strong; border-radius: 4px; min-height: 30px; min-width: 30px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
""")


def style_sheet(theme: Theme) -> str:
    """The style sheet of the whole shell."""
    return _SHEET.substitute(_names(theme.tokens))


def palette(theme: Theme) -> QPalette:
    """Colours for what a style sheet does not reach, such as links and placeholders."""
    colours = _names(theme.tokens)
    made = QPalette()
    for role, name in {
        QPalette.ColorRole.Window: "bg",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.PlaceholderText: "text_muted",
        QPalette.ColorRole.Button: "surface",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "accent_text",
        QPalette.ColorRole.Link: "accent",
    }.items():
        made.setColor(role, QColor(colours[name]))
    return made


def _names(tokens: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix("--lime-").replace("-", "_"): value for name, value in tokens.items()}
