"""A content as it will be, that can be changed where it stands: shown first, and as fields while it is being edited."""

from collections.abc import Callable

from pydantic import JsonValue
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.host.approvals.shown_values import FieldTitles, Shown
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.approvals.reviewed_fields import NotReadable, ReviewedFields
from lime_desktop.shell.approvals.shown_parts import ShownContent
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import button

Show = Callable[[JsonValue], tuple[Shown, ...]]


class EditableContent(QWidget):
    """One content and the button that turns between both ways to see it."""

    changed = Signal()
    unreadable = Signal(str)
    """What was typed is not what a field holds; says which."""

    def __init__(
        self,
        content: JsonValue,
        show: Show,
        look: Look,
        titles: FieldTitles | None = None,
    ) -> None:
        super().__init__()
        self._look = look
        self._show = show
        self._fields = ReviewedFields(content, titles or FieldTitles(look.texts))
        self._fields.changed.connect(self.changed)
        self._fields.hide()
        self._layout = edge_to_edge(QVBoxLayout(self))
        self._shown = self._drawn(content)
        self._layout.addWidget(self._shown)
        self._layout.addWidget(self._fields)
        self.edit = button(look.texts("asking.edit"), self._turn)

    @property
    def is_changed(self) -> bool:
        """Whether anything differs from what was put to the person."""
        return self._fields.is_changed

    def content(self) -> JsonValue:
        """What the person made of it.

        Raises:
            NotReadable: a value that is no text was changed into something else than JSON.
        """
        return self._fields.content()

    def put(self, content: JsonValue) -> None:
        """Show what was made of it before."""
        self._fields.put(content)
        self._draw_again(content)

    def _turn(self) -> None:
        is_editing = self._fields.isHidden()
        if not is_editing:
            try:
                self._draw_again(self._fields.content())
            except NotReadable as problem:
                self.unreadable.emit(str(problem))
                return
        self._fields.setVisible(is_editing)
        self._shown.setVisible(not is_editing)
        words = "asking.edit.done" if is_editing else "asking.edit"
        self.edit.setText(self._look.texts(words))
        if is_editing:
            self._fields.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drawn(self, content: JsonValue) -> ShownContent:
        return ShownContent(self._show(content), self._look)

    def _draw_again(self, content: JsonValue) -> None:
        before, self._shown = self._shown, self._drawn(content)
        self._layout.replaceWidget(before, self._shown)
        before.hide()
        before.deleteLater()
