"""What is wrong, over the app: drawn by the shell, with file and line, and gone as soon as it is put right."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QProcess, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.developer.editor import editor_command, file_in
from lime_desktop.developer.events import place_of
from lime_desktop.host.wording.problems import tell_package_problem
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.page import put_into
from lime_desktop.shell.widgets.parts import Tone, button, column, label, pill, row

_TONES: dict[Severity, Tone] = {
    Severity.ERROR: "danger",
    Severity.WARNING: "warning",
    Severity.NOTE: "info",
}
_MARGIN = 16
_MOST_OF_THE_VIEW = 0.7
_SHOWN = 20
_INSET = 56
"""What the frame and a scroll bar take of the width."""
_HEAD = 84
"""What the heading and the frame take of the height."""


class ProblemsOverlay(QFrame):
    """Lies at the lower end of a widget while there are errors, unless the developer put it away."""

    def __init__(self, texts: Texts, over: QWidget, package: Path) -> None:
        super().__init__(over)
        self._texts = texts
        self._package = package
        self._problems: tuple[Problem, ...] = ()
        self.setProperty("role", "sheet")
        self.setAccessibleName(texts("dev.problems"))
        self._over = over
        self._list = QScrollArea(widgetResizable=True)
        self._list.setFrameShape(QFrame.Shape.NoFrame)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._heading = label("", "heading")
        copy = button(texts("dev.problems.copy"), self._copy)
        away = button(texts("dev.problems.hide"), self.hide)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 14, 20, 14)
        layout.addWidget(row(self._heading, copy, away, stretch_at=0))
        layout.addWidget(self._list, 1)
        over.installEventFilter(self)
        self.hide()

    def show_problems(self, problems: Iterable[Problem]) -> None:
        """Show these instead of the ones before; without an error among them, nothing."""
        wanted = tuple(sorted(problems, key=lambda each: list(Severity).index(each.severity)))
        if wanted == self._problems:
            return
        self._problems = wanted
        errors = sum(each.severity is Severity.ERROR for each in wanted)
        if not errors:
            self.hide()
            return
        self._heading.setText(self._texts("dev.problems.count", count=errors))
        put_into(self._list, _stack(map(self._row, wanted[:_SHOWN])))
        self._lie()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt calls this
        """Stay at the lower end of what it lies over."""
        if event.type() == QEvent.Type.Resize:
            self._lie()
        return super().eventFilter(watched, event)

    def _row(self, problem: Problem) -> QWidget:
        told = tell_package_problem(problem, self._texts)
        parts = [label(told.what)]
        if told.exactly:
            parts.append(label(told.exactly, "small"))
        if place := place_of(problem):
            parts.append(label(place, "mono"))
        if told.fix:
            parts.append(label(told.fix, "small"))
        words = column(*parts, spacing=2)
        code = pill(problem.code, _TONES[problem.severity])
        file = file_in(self._package, problem.file or "")
        tools = [self._opener(file, problem.line)] if file else []
        made = row(code, words, *tools, stretch_at=1)
        if (layout := made.layout()) is not None:
            for each in (code, *tools):
                layout.setAlignment(each, Qt.AlignmentFlag.AlignTop)
        return made

    def _opener(self, file: Path, line: int | None) -> QWidget:
        made = button(self._texts("dev.problems.open"), lambda: open_in_editor(file, line), "quiet")
        made.setAccessibleDescription(f"{file.name}:{line or 1}")
        return made

    def _lie(self) -> None:
        over = self._over
        width = over.width() - 2 * _MARGIN
        inner = self._list.widget()
        wanted = inner.heightForWidth(width - _INSET) + _HEAD if inner else _HEAD
        height = min(wanted, int(over.height() * _MOST_OF_THE_VIEW))
        self.setGeometry(_MARGIN, over.height() - height - _MARGIN, width, height)

    def _copy(self) -> None:
        lines = [
            f"{place_of(each) or each.code}: {each.severity}: {each.message}"
            for each in self._problems
        ]
        QGuiApplication.clipboard().setText("\n".join(lines))


def open_in_editor(file: Path, line: int | None) -> None:
    """Show a place in the developer's editor, or the file in whatever the desktop opens such files with."""
    command = editor_command(file, line)
    if command is None or not QProcess.startDetached(command[0], list(command[1:]))[0]:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))


def _stack(rows: Iterable[QWidget]) -> QWidget:
    """Rows one below the other, each as high as its words."""
    made = QWidget()
    layout = edge_to_edge(QVBoxLayout(made), 12)
    for each in rows:
        layout.addWidget(each)
    layout.addStretch(1)
    return made
