"""The story of a run in one column: what failed, what waits, then every step in its order. Keeps a row for each step."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.host.runs.story_wording import problem_words, way_out
from lime_desktop.runtime_views.story.attention import problems_of, waiting_of
from lime_desktop.runtime_views.story.fold import Story
from lime_desktop.runtime_views.story.steps import Step
from lime_desktop.runtime_views.story.words import sentence_of
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.run_drawer.step_row import StepRow
from lime_desktop.shell.widgets.parts import Tone, button, label, row

_AT_ONCE = 150
"""Rows that are drawn; earlier ones when they are wanted."""
_MOST_PROBLEMS = 5


class StepsPage(QScrollArea):
    """Rows, the newest at the end."""

    document_wanted = Signal(str)
    settings_wanted = Signal(str)
    questions_wanted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("page")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._look = look
        self._story = Story()
        self._rows: dict[str, StepRow] = {}
        self._told: tuple[Step, ...] = ()
        self._banners: list[QFrame] = []
        self._shown = _AT_ONCE
        self._wants_all = False
        self._build()

    @property
    def rows(self) -> tuple[StepRow, ...]:
        """What is shown, from the top."""
        return tuple(self._rows.values())

    def clear(self) -> None:
        """Another run."""
        self._drop(tuple(self._rows))
        self._shown, self._wants_all = _AT_ONCE, False
        self.show_story(Story())

    def show_story(self, story: Story) -> None:
        """Bring the column to what is known now."""
        self._story = story
        steps = story.steps if self._wants_all else story.loud()
        shown = steps[-self._shown :]
        self._drop(tuple(self._rows.keys() - {step.step_id for step in shown}))
        for place, step in enumerate(shown):
            self._show_step(place, step)
        self._tell(story)
        texts = self._look.texts
        self._earlier.setVisible(len(steps) > len(shown))
        quiet = len(story.steps) - len(story.loud())
        words = texts("drawer.less") if self._wants_all else texts("drawer.all", count=quiet)
        self._all.setText(words)
        self._all.setVisible(quiet > 0)

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        self._drop(tuple(self._rows))
        self._told = ()
        self._earlier.setText(self._look.texts("drawer.earlier"))
        self.show_story(self._story)

    def _show_step(self, place: int, step: Step) -> None:
        row = self._rows.get(step.step_id)
        if row is not None:
            row.show_step(step)
            return
        row = StepRow(self._look, step, self.document_wanted.emit)
        row.head.beside_wanted.connect(partial(self._focus_beside, row))
        self._rows[step.step_id] = row
        self._column.insertWidget(place, row)
        if place < len(self._rows) - 1:
            self._rows = dict(
                sorted(self._rows.items(), key=lambda each: self._column.indexOf(each[1]))
            )

    def _focus_beside(self, row: StepRow, way: int) -> None:
        rows = list(self._rows.values())
        at = rows.index(row) + way
        if 0 <= at < len(rows):
            rows[at].head.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(rows[at].head)

    def _drop(self, names: tuple[str, ...]) -> None:
        for name in names:
            row = self._rows.pop(name)
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()

    def _tell(self, story: Story) -> None:
        """What needs the person stands above the story, red before yellow."""
        problems, waiting = problems_of(story)[-_MOST_PROBLEMS:], waiting_of(story)
        if (*problems, *waiting) == self._told:
            return
        self._told = (*problems, *waiting)
        for old in self._banners:
            self._needs.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._banners = [*map(self._problem, problems), *map(self._waiting, waiting)]
        for each in self._banners:
            self._needs.addWidget(each)
        self._above.setVisible(bool(self._told))

    def _problem(self, step: Step) -> QFrame:
        texts = self._look.texts
        section = way_out(step.trouble) if step.trouble else None
        ways: list[QWidget] = []
        if section is not None:
            opening = partial(self.settings_wanted.emit, section)
            ways.append(button(texts("problem.settings"), opening))
        return _needing(problem_words(step, texts), "danger", ways)

    def _waiting(self, step: Step) -> QFrame:
        look = button(self._look.texts("asking.look"), self.questions_wanted.emit)
        return _needing(sentence_of(step, self._look.texts), "warning", [look])

    def _show_all(self) -> None:
        self._wants_all = not self._wants_all
        self.show_story(self._story)

    def _show_earlier(self) -> None:
        self._shown += _AT_ONCE
        self.show_story(self._story)

    def _build(self) -> None:
        self._above = QWidget()
        self._needs = QVBoxLayout(self._above)
        self._needs.setContentsMargins(0, 0, 0, 8)
        self._above.hide()
        rows = QWidget()
        self._column = edge_to_edge(QVBoxLayout(rows), 0)
        self._earlier = button("", self._show_earlier, "link")
        self._all = button("", self._show_all, "link")
        holder = QWidget()
        layout = QVBoxLayout(holder)
        layout.setContentsMargins(8, 8, 8, 16)
        layout.setSpacing(4)
        for part in (self._above, self._earlier, rows, self._all):
            layout.addWidget(part)
        layout.addStretch(1)
        self.setWidget(holder)


def _needing(words: str, tone: Tone, ways: list[QWidget]) -> QFrame:
    """What needs the person, with the ways out below: the drawer is narrow."""
    made = QFrame()
    made.setProperty("role", "banner")
    made.setProperty("tone", tone)
    layout = QVBoxLayout(made)
    layout.setContentsMargins(12, 8, 12, 8)
    layout.addWidget(label(words))
    if ways:
        layout.addWidget(row(*ways))
    return made
