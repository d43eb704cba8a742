"""The rows of a bridge as a table: what is filtered out is not there, and the newest comes last."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from lime_desktop.developer.inspection.exchanges import Exchange, matches
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.widgets.parts import plain_tip

_Index = QModelIndex | QPersistentModelIndex
COLUMNS = ("time", "message", "decision", "outcome", "duration", "rule", "evidence")
_NOWHERE = QModelIndex()


class ExchangeTable(QAbstractTableModel):
    """Shows the rows that a filter lets through."""

    def __init__(self, texts: Texts, rows: Iterable[Exchange] = ()) -> None:
        super().__init__()
        self._texts = texts
        self._wanted = ""
        self._all: dict[int, Exchange] = {row.number: row for row in rows}
        self._shown: list[int] = list(self._all)

    def filter(self, wanted: str) -> None:
        """Show only what matches from now on."""
        self.beginResetModel()
        self._wanted = wanted
        self._shown = [row.number for row in self._all.values() if matches(row, wanted)]
        self.endResetModel()

    def replace(self, rows: Iterable[Exchange]) -> None:
        """Show these rows instead."""
        self._all = {row.number: row for row in rows}
        self.filter(self._wanted)

    def put(self, row: Exchange) -> None:
        """Show a row that is new or has changed."""
        is_known = row.number in self._all
        self._all[row.number] = row
        if not matches(row, self._wanted):
            return
        if is_known and row.number in self._shown:
            at = self._shown.index(row.number)
            self.dataChanged.emit(self.index(at, 0), self.index(at, len(COLUMNS) - 1))
            return
        at = len(self._shown)
        self.beginInsertRows(_NOWHERE, at, at)
        self._shown.append(row.number)
        self.endInsertRows()

    def row_at(self, at: int) -> Exchange | None:
        """The row in a line of the table."""
        return self._all[self._shown[at]] if 0 <= at < len(self._shown) else None

    @property
    def rows(self) -> tuple[Exchange, ...]:
        """What is shown, from top to bottom."""
        return tuple(self._all[number] for number in self._shown)

    def rowCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 - Qt calls this
        """How many lines there are."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:  # noqa: N802 - Qt calls this
        """How many facts each line has."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(  # noqa: N802 - Qt calls this
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The names of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._texts(f"inspector.column.{COLUMNS[section]}")
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One fact of one line."""
        row = self.row_at(index.row())
        if row is None:
            return None
        column = COLUMNS[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(row, column)
        if role == Qt.ItemDataRole.ToolTipRole and column == "rule" and row.rule:
            return plain_tip(row.rule.text)
        return None

    def _words(self, row: Exchange, column: str) -> str:
        if column == "decision":
            return self._texts(f"inspector.decision.{row.decision}") if row.decision else ""
        return _WORDS[column](row)


_WORDS: Mapping[str, Callable[[Exchange], str]] = {
    "time": lambda row: row.at.astimezone().strftime("%H:%M:%S.%f")[:-3],
    "message": lambda row: f"{'→' if row.direction == 'from-app' else '←'} {plain_line(row.name)}",
    "rule": lambda row: row.rule.id if row.rule else "",
    "outcome": lambda row: row.outcome or "",
    "duration": lambda row: "" if row.duration_ms is None else f"{row.duration_ms:.1f} ms",
    "evidence": lambda row: row.evidence_id or "",
}
