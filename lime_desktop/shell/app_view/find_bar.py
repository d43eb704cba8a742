"""Looks for words in a page: a field over its corner that says how many there are and which one is shown."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWebEngineCore import QWebEngineFindTextResult, QWebEnginePage
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget

from lime_desktop.shell.app_view.page_place import PagePlace
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.notices.floating import FloatingCard
from lime_desktop.shell.widgets.parts import icon_button, name_control

_FIELD_WIDTH = 200
_MOST_CHARACTERS = 1_000


class FindBar(FloatingCard):
    """Enter goes on, Shift+Enter back, Escape ends it."""

    left = Signal()
    """The person is done here, and wants the keyboard back in the page."""

    def __init__(self, view: QWidget, page: QWebEnginePage, look: Look) -> None:
        super().__init__(view)
        self._engine = page
        self._look = look
        self._place = PagePlace(page)
        self._field = QLineEdit(maxLength=_MOST_CHARACTERS)
        self._field.setMinimumWidth(_FIELD_WIDTH)
        self._count = QLabel()
        self._count.setProperty("role", "small")
        self._buttons = {
            "command.find.previous": self._button("chevron-up", -1),
            "command.find.next": self._button("chevron-down", 1),
            "find.close": icon_button("", self.leave),
        }
        look.icons.put_on(self._buttons["find.close"], "close")
        for part in (self._field, self._count, *self._buttons.values()):
            self.row.addWidget(part)
        self._field.textChanged.connect(self._find)
        page.findTextFinished.connect(self._tell)

    def begin(self) -> None:
        """Come up with the keyboard; what was looked for last is still there, and typing replaces it."""
        texts = self._look.texts
        if self.isHidden():
            self._place.keep()
        self.setAccessibleName(texts("command.find"))
        self._field.setPlaceholderText(texts("find.hint"))
        self._field.setAccessibleName(texts("find.hint"))
        for key, each in self._buttons.items():
            name_control(each, texts(key))
        self.come_up()
        self._field.selectAll()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._find(self._field.text())

    def step(self, by: int) -> None:
        """Go to the next place or the one before; with nothing looked for yet, begin."""
        if self.isHidden() or not self._field.text():
            self.begin()
        elif by > 0:
            self._engine.findText(self._field.text())
        else:
            self._engine.findText(self._field.text(), QWebEnginePage.FindFlag.FindBackward)

    def leave(self) -> None:
        """End the search: nothing stays marked in the page."""
        if not self.isHidden():
            # First of all: of a field that is hidden with the keyboard Qt passes it on as Tab does, which in a page means
            # its first field.
            self.left.emit()
            self.hide()
            self._engine.findText("")
            self._place.go_back()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt calls this
        """Go on by Enter, leave by Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and self._field.hasFocus():
            is_back = Qt.KeyboardModifier.ShiftModifier in event.modifiers()
            self.step(-1 if is_back else 1)
        else:
            super().keyPressEvent(event)

    def _button(self, sign: str, by: int) -> QToolButton:
        made = icon_button("", lambda: self.step(by))
        self._look.icons.put_on(made, sign)
        return made

    def _find(self, words: str) -> None:
        if not self.isHidden():
            self._engine.findText(words)
        if not words:
            self._say("")

    def _tell(self, result: QWebEngineFindTextResult) -> None:
        if not self._field.text() or self.isHidden():
            return
        texts, count = self._look.texts, result.numberOfMatches()
        if count:
            self._say(texts("find.count", at=result.activeMatch(), all=count))
        else:
            self._say(texts("find.none"))

    def _say(self, words: str) -> None:
        self._count.setText(words)
        self.stand()
