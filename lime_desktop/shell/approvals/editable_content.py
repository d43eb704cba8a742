"""A content as it will be, that can be changed where it stands: shown first, and as fields while it is being edited."""

from collections.abc import Callable

from pydantic import JsonValue
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lime_desktop.host.approvals.shown_values import FieldTitles, Shown
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.approvals.bounded_area import BoundedArea
from lime_desktop.shell.approvals.reviewed_fields import ReviewedFields
from lime_desktop.shell.approvals.shown_parts import ShownContent
from lime_desktop.shell.approvals.value_fields import NotReadable
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import button

Show = Callable[[JsonValue], tuple[Shown, ...]]


_BESIDE_THE_FORM = 440
"""What the rest of a question needs, in pixels."""


class _Form(BoundedArea):
    """The fields while they are edited: as much of them as the window has room for beside the answers."""

    def __init__(self, fields: ReviewedFields) -> None:
        super().__init__(fields)
        # The fields have the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def tallest(self) -> int:
        """As the window stands."""
        return max(self.window().height() - _BESIDE_THE_FORM, super().tallest())


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
        self._form = _Form(self._fields)
        self._form.hide()
        self._layout = edge_to_edge(QVBoxLayout(self))
        self._shown = self._drawn(content)
        self._layout.addWidget(self._shown)
        self._layout.addWidget(self._form)
        self.edit = button(look.texts("asking.edit"), self._turn)

    @property
    def is_changed(self) -> bool:
        """Whether anything differs from what was put to the person."""
        return self._fields.is_changed

    def content(self) -> JsonValue:
        """What the person made of it.

        Raises:
            NotReadable: what was typed is no value of its field, which is brought into sight.
        """
        try:
            return self._fields.content()
        except NotReadable:
            self._show_form(is_editing=True)
            self._form.ensureWidgetVisible(self._fields.focusWidget() or self._fields)
            raise

    def put(self, content: JsonValue) -> None:
        """Show what was made of it before."""
        self._fields.put(content)
        self._draw_again(content)

    def _turn(self) -> None:
        is_editing = self._form.isHidden()
        if not is_editing:
            try:
                self._draw_again(self.content())
            except NotReadable as problem:
                self.unreadable.emit(str(problem))
                return
        self._show_form(is_editing=is_editing)
        if is_editing:
            self._fields.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_form(self, *, is_editing: bool) -> None:
        self._form.setVisible(is_editing)
        self._shown.setVisible(not is_editing)
        words = "asking.edit.done" if is_editing else "asking.edit"
        self.edit.setText(self._look.texts(words))

    def _drawn(self, content: JsonValue) -> ShownContent:
        return ShownContent(self._show(content), self._look)

    def _draw_again(self, content: JsonValue) -> None:
        before, self._shown = self._shown, self._drawn(content)
        self._layout.replaceWidget(before, self._shown)
        before.hide()
        before.deleteLater()
