"""The palette as a person uses it: type, walk with the arrows, press Enter. Escape leaves everything as it was."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from lime_desktop.host.wording.fuzzy_match import best
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.appearance.icons import Icons
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.command_palette.offers import Offer
from lime_desktop.shell.dialogs.sheet import Sheet
from lime_desktop.shell.widgets.parts import label, line

_SIZE = QSize(640, 480)
_ROW = 40
_SHOWN = 60
ListOffers = Callable[[], Sequence[Offer]]
KEYS = "Ctrl+K"
"""Opens it, and closes it again."""
_WALKING = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}


class _Rows(QListWidget):
    """What was found, in whole rows: one that is cut at the edge reads as if nothing came after it."""

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt calls this
        """Leave the room of half a row empty."""
        super().resizeEvent(event)
        self.setViewportMargins(0, 0, 0, self.contentsRect().height() % _ROW)


class CommandPalette(Sheet):
    """Filters the offers by what is typed; the keyboard stays in the line."""

    def __init__(self, look: Look, list_offers: ListOffers, window: QWidget) -> None:
        super().__init__(window, look.texts("palette.title"), _SIZE)
        self._look = look
        self._list_offers = list_offers
        self._offers = list_offers()
        self._found: list[Offer] = []
        self._last: tuple[str, Offer] | None = None
        """What stands at the end while these words are looked for."""
        self._line = QLineEdit()
        self._list = _Rows()
        self._nothing: QLabel = label("", "muted")
        self._is_whole = True
        self._build()
        self._line.textChanged.connect(self._filter)
        self._line.installEventFilter(self)
        self._list.itemClicked.connect(self._choose)
        self._list.itemActivated.connect(self._choose)
        self._filter("")

    def renew(self, *, is_whole: bool) -> None:
        """Offer what there is by now; the row that was chosen stays so. Not whole: what is missing is not denied."""
        self._is_whole = is_whole
        self._offers = self._list_offers()
        chosen = self._list.currentItem().text() if self._list.currentItem() else None
        self._filter(self._line.text())
        same = (at for at in range(self._list.count()) if self._list.item(at).text() == chosen)
        self._list.setCurrentRow(next(same, 0))

    def come_up(self) -> None:
        """Open, with nothing looked for yet."""
        self.open(self._line)

    def look_up(self, words: str, otherwise: Offer) -> None:
        """Open with these words looked for, and `otherwise` after all that fits; typing replaces them."""
        query = plain_line(words)
        self._last = (query, otherwise)
        self._line.setText(query)
        self._line.selectAll()
        self.open(self._line)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Let the arrows walk the list while the keyboard stays in the line."""
        is_typed = watched is self._line and event.type() is QEvent.Type.KeyPress
        if is_typed and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if QKeySequence(event.keyCombination()) == QKeySequence(KEYS):
                self.close_sheet()
                return True
            if key in _WALKING:
                self._walk(key)
                return True
            if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._choose()
                return True
        return super().eventFilter(watched, event)

    def _walk(self, key: Qt.Key) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8}
        count = self._list.count()
        if count:
            step = steps.get(key, 8)
            goal = self._list.currentRow() + step
            self._list.setCurrentRow(
                goal % count if abs(step) == 1 else max(0, min(count - 1, goal))
            )

    def _filter(self, query: str) -> None:
        self._found = best(query, self._offers, Offer.names, _SHOWN)
        if self._last is not None and query == self._last[0]:
            self._found.append(self._last[1])
        self._list.clear()
        for offer in self._found:
            name = plain_line(offer.name)
            item = QListWidgetItem(offer.icon, name)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {offer.kind}")
            item.setSizeHint(QSize(0, _ROW))
            self._list.addItem(item)
            self._list.setItemWidget(item, _kind_label(offer.kind))
        self._list.setCurrentRow(0)
        self._list.setVisible(bool(self._found))
        nothing = "palette.nothing" if self._is_whole else "palette.unread"
        self._nothing.setText(self._look.texts(nothing))
        self._nothing.setVisible(not self._found)

    def _choose(self) -> None:
        row = self._list.currentRow()
        # Where one click activates, the list says both.
        if 0 <= row < len(self._found) and not self.isHidden():
            chosen = self._found[row]
            self.close_sheet()
            chosen.run()

    def _build(self) -> None:
        texts = self._look.texts
        self._line.setProperty("role", "palette")
        self._line.setPlaceholderText(texts("palette.hint"))
        self._line.setAccessibleName(texts("palette.title"))
        self._line.setAccessibleDescription(texts("palette.help"))
        self._list.setProperty("role", "palette")
        self._list.setAccessibleName(texts("palette.results"))
        self._list.setIconSize(QSize(20, 20))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._nothing.setMargin(16)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        keys = label(texts("palette.help"), "small")
        keys.setContentsMargins(12, 4, 12, 0)
        results = (line(), self._list, self._nothing, line(), keys)
        for part in (_searching(self._look.icons, self._line), *results):
            # The room is for what was found, or for the word that nothing was: the field never moves.
            self.column.addWidget(part, 1 if part in {self._list, self._nothing} else 0)


def _searching(icons: Icons, field: QLineEdit) -> QWidget:
    made = QWidget()
    layout = QHBoxLayout(made)
    layout.setContentsMargins(12, 0, 4, 0)
    layout.addWidget(icons.picture("search"))
    layout.addWidget(field, 1)
    return made


def _kind_label(kind: str) -> QLabel:
    made = label(kind, "small")
    made.setWordWrap(False)
    made.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    made.setContentsMargins(0, 0, 12, 0)
    # The words belong to the row: a click on them is a click on it.
    made.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    # A list gives the keyboard to the widget of its current row wherever that would take it, and words that can be
    # selected would: each letter after the first went there instead of into the line.
    made.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
    made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return made
