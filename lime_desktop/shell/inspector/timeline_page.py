"""What crossed the bridge: a filter, a table, and the chosen row in full, to be sent again with an edit."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from lime_desktop.developer.inspection.exchanges import Exchange
from lime_desktop.developer.inspection.export import to_har
from lime_desktop.shell.dialogs.file_dialogs import choose_target
from lime_desktop.shell.inspector.exchange_details import ExchangeDetails
from lime_desktop.shell.inspector.exchange_table import COLUMNS, ExchangeTable
from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.widgets.parts import button, row

_WIDTHS = {"time": 112, "message": 200, "decision": 84, "outcome": 150, "duration": 84, "rule": 190}
_LINE = 26


class TimelinePage(QWidget):
    """Follows a view's messages while it is open."""

    def __init__(self, inspected: InspectedView) -> None:
        super().__init__()
        self._inspected = inspected
        self._texts = inspected.look.texts
        self._table = ExchangeTable(self._texts, inspected.exchanges.rows)
        self._list = QTableView()
        self._filter = QLineEdit()
        self.details = ExchangeDetails(self._texts, self._send)
        """The chosen row in full."""
        self._build()
        inspected.exchanges.watch(self._put)

    @property
    def rows(self) -> tuple[Exchange, ...]:
        """What is shown."""
        return self._table.rows

    def show_row(self, at: int) -> None:
        """Turn to a line of the table."""
        self._list.selectionModel().setCurrentIndex(
            self._table.index(at, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect
            | QItemSelectionModel.SelectionFlag.Rows,
        )

    def export(self, path: str) -> None:
        """Write what is shown to a file."""
        app_id = self._inspected.session.app_id
        Path(path).write_text(to_har(app_id, self._table.rows), encoding="utf-8")

    def _put(self, changed: Exchange) -> None:
        bar = self._list.verticalScrollBar()
        is_at_end = bar.value() >= bar.maximum()
        self._table.put(changed)
        shown = self.details.shown
        if shown is not None and shown.number == changed.number:
            self.details.show_exchange(changed)
        if is_at_end:
            self._list.scrollToBottom()

    def _send(self, text: str) -> None:
        """Take an edited message as if the page had sent it: the same checks, the same policy."""
        self._inspected.session.receive(text)

    def _choose(self) -> None:
        self.details.show_exchange(self._table.row_at(self._list.currentIndex().row()))

    def _clear(self) -> None:
        self._inspected.exchanges.clear()
        self._table.replace(())
        self.details.show_exchange(None)

    def _ask_where(self) -> None:
        name = f"{self._inspected.session.app_id}.har"
        title = self._texts("inspector.export.title")
        choose_target(self.window(), title, name, partial(self.export))

    def _build(self) -> None:
        texts = self._texts
        self._filter.setPlaceholderText(texts("inspector.filter.hint"))
        self._filter.setAccessibleName(texts("inspector.filter"))
        self._filter.setClearButtonEnabled(False)
        self._filter.textChanged.connect(self._table.filter)
        self._dress_list()
        halves = QSplitter(Qt.Orientation.Horizontal)
        halves.setChildrenCollapsible(False)
        halves.addWidget(self._list)
        halves.addWidget(self.details)
        halves.setStretchFactor(0, 3)
        halves.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 8, 12, 12)
        layout.setSpacing(8)
        clear = button(texts("inspector.clear"), self._clear)
        export = button(texts("inspector.export"), self._ask_where)
        layout.addWidget(row(self._filter, clear, export, stretch_at=0))
        layout.addWidget(halves, 1)

    def _dress_list(self) -> None:
        shown = self._list
        shown.setModel(self._table)
        shown.setAccessibleName(self._texts("inspector.timeline"))
        shown.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        shown.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        shown.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        shown.setTabKeyNavigation(False)
        shown.setShowGrid(False)
        shown.setWordWrap(False)
        shown.verticalHeader().hide()
        scale = self._inspected.look.appearance.text_scale
        shown.verticalHeader().setDefaultSectionSize(round(_LINE * scale))
        head = shown.horizontalHeader()
        head.setAccessibleName(self._texts("inspector.columns"))
        head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(True)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for at, column in enumerate(COLUMNS):
            if column in _WIDTHS:
                shown.setColumnWidth(at, round(_WIDTHS[column] * scale))
        shown.selectionModel().currentRowChanged.connect(self._choose)
