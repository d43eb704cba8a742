"""Going back to a checkpoint of a run: which one, what would change, what stays as it is, then the deed and its undo."""

from collections.abc import Iterable

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.runs.checkpoints import (
    change_lines,
    effect_lines,
    preview_rollback,
    roll_back,
)
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.calls.checkpoints import CheckpointOutline, PreviewRollbackResult
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.runtime_views.story.times import time_of_day
from lime_desktop.shell.dialogs.sheet import Sheet
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import button, combo_box, label, line, row
from lime_desktop.shell.widgets.work import Failed, Work

_SIZE = QSize(560, 520)


class CheckpointSheet(Sheet):
    """Opened from the drawer of a run. Nothing is changed before it was shown what."""

    def __init__(
        self,
        texts: Texts,
        call: CallServer,
        session_id: str,
        window: QWidget,
        failed: Failed,
    ) -> None:
        super().__init__(window, texts("checkpoint.title"), _SIZE)
        self._texts = texts
        self._call = call
        self._session_id = session_id
        self._work = Work(self, failed)
        self._undo: str | None = None
        self.choice = combo_box()
        self.choice.setAccessibleName(texts("checkpoint.choose"))
        self.choice.activated.connect(self._preview)
        self._told = Page(margin=8)
        self._told.setAccessibleName(texts("checkpoint.preview"))
        self.deed = button("", self._act, "primary")
        self._closing = button(texts("checkpoint.close"), self.close_sheet)
        self._build()

    def come_up(self, points: Iterable[CheckpointOutline]) -> None:
        """Open with the newest point chosen."""
        for point in points:
            said = plain_name(point.label or "") or self._texts("checkpoint.unnamed")
            self.choice.addItem(f"{time_of_day(point.created_at)} · {said}", point.checkpoint_id)
        self.open(self.choice)
        self._preview()

    def _preview(self) -> None:
        self._undo = None
        self.deed.setText(self._texts("checkpoint.restore"))
        self.deed.setEnabled(False)
        self._work.start(self._show_preview(self.choice.currentData()))

    async def _show_preview(self, checkpoint_id: str) -> None:
        preview = await preview_rollback(self._call, self._session_id, checkpoint_id)
        if checkpoint_id == self.choice.currentData():
            self._told.refill(*self._lines(preview))
            self.deed.setEnabled(preview.change_count > 0)

    def _lines(self, preview: PreviewRollbackResult) -> list[QWidget]:
        texts = self._texts
        shown: list[QWidget] = [label(each) for each in change_lines(preview, texts)]
        effects = [label(each) for each in effect_lines(preview)]
        if effects:
            shown += [line(), label(texts("checkpoint.outside"), "overline"), *effects]
        return shown

    def _act(self) -> None:
        self.deed.setEnabled(False)
        self._work.start(self._bring_back(self._undo or self.choice.currentData()))

    async def _bring_back(self, checkpoint_id: str) -> None:
        is_undo = self._undo is not None
        done = await roll_back(self._call, self._session_id, checkpoint_id)
        key = "checkpoint.undone" if is_undo else "checkpoint.done"
        self._told.refill(label(self._texts(key, count=done.change_count)))
        self._undo = None if is_undo else done.undo_checkpoint_id
        self.deed.setText(self._texts("checkpoint.undo" if self._undo else "checkpoint.restore"))
        self.deed.setEnabled(self._undo is not None)
        (self.deed if self._undo else self._closing).setFocus()

    def _build(self) -> None:
        self.column.setContentsMargins(20, 16, 20, 12)
        self.column.setSpacing(8)
        self.column.addWidget(label(self._texts("checkpoint.title"), "heading"))
        self.column.addWidget(label(self._texts("checkpoint.about"), "small"))
        self.column.addWidget(self.choice)
        self.column.addWidget(self._told, 1)
        self.column.addWidget(row(QWidget(), self._closing, self.deed, stretch_at=0))
