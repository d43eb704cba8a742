"""The state machine of a workflow as a drawing, walked by keys; a press tells what a step is and where it leads."""

import re
from collections.abc import Iterable
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from lime_desktop.app_package.checks.workflows import problems_of
from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.host.appearance.package_face import in_language
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.problems import tell_package_problem
from lime_desktop.protocol.capability_calls.workflow import WorkflowStep
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.readiness.naming import plain_words
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.surfaces.workflow_words import step_tone, step_words
from lime_desktop.shell.widgets.graph_canvas import BoxWords, GraphCanvas
from lime_desktop.shell.widgets.graph_lines import GraphLine
from lime_desktop.shell.widgets.page import put_into
from lime_desktop.shell.widgets.parts import column, label
from lime_desktop.workflow_model.drawing import PlacedState, PlacedWay, draw
from lime_desktop.workflow_model.kinds import KNOWN_STATE_KINDS
from lime_desktop.workflow_model.outline import END

_MOST_PROBLEMS = 8
_ALL_ROOM = 1_000
_NARROW = 560
"""A drawing so wide leaves room beside it."""
_LONGEST_WAY = 24
"""Letters of the words on a line; the whole stands below, for the step that was pressed."""


_LENGTH = re.compile(r"\blength\(([^()]*)\)")
_PATH = re.compile(r"\$(?:\.\w+)+")


class WorkflowPicture(QWidget):
    """The drawing, what was pressed below it, and what keeps the workflow from being executable.

    With the steps of a run it is filled in: each state says how it went when the run last came through it.
    """

    def __init__(
        self,
        look: Look,
        app: RegisteredApp,
        workflow: WorkflowFile,
        steps: Iterable[WorkflowStep] | None = None,
    ) -> None:
        super().__init__()
        self._came_through = None if steps is None else {each.state: each for each in steps}
        self._look = look
        self._app = app
        self._workflow = workflow
        self._picture = draw(workflow.described.outline)
        self.canvas = GraphCanvas(leads_down=True)
        self.canvas.setAccessibleName(look.texts("workflow.picture"))
        self.canvas.pressed.connect(self._tell)
        self.chosen: str | None = None
        """The step that was pressed last."""
        self._show()
        area = _wide(self.canvas)
        self.canvas.walked_to.connect(area.ensureWidgetVisible)
        self._is_narrow = self.canvas.minimumWidth() <= _NARROW
        if self._is_narrow:
            # Less where there is less room: fixed, it made the whole page wider than the window beside the questions.
            area.setMaximumWidth(self.canvas.minimumWidth())
        self._details: QWidget = column()
        self._beside = edge_to_edge(QHBoxLayout() if self._is_narrow else QVBoxLayout(), 8)
        # As wide as it is wherever that fits: what is told of a step has the rest.
        self._beside.addWidget(area, _ALL_ROOM)
        self._beside.addWidget(self._details, 1, Qt.AlignmentFlag.AlignTop)
        whole = edge_to_edge(QVBoxLayout(self), 8)
        whole.addLayout(self._beside)
        for words, role in self._verdict() if steps is None else ():
            whole.addWidget(label(words, role))

    @property
    def details(self) -> QWidget:
        """What is told of the step that was pressed."""
        return self._details

    def choose(self, key: str | None) -> None:
        """Tell of a step as if it had been pressed."""
        if key is not None and key in self.canvas.boxes:
            self.canvas.choose(key)
            self._tell(key)

    def _show(self) -> None:
        keys = {each.key for each in self._picture.states}
        lines: dict[tuple[str, str, bool], list[str]] = {}
        for each in self._picture.ways:
            if each.way.target in keys:
                at = (each.way.source, each.way.target, each.is_back)
                lines.setdefault(at, []).append(self._way_words(each))
        comma = self._look.texts("list.comma")
        drawn = [
            GraphLine(source, target, is_back, _short(comma.join(filter(None, words))))
            for (source, target, is_back), words in lines.items()
        ]
        self.canvas.show_nodes(self._picture.states, drawn, self._box_words)

    def _box_words(self, placed: PlacedState) -> BoxWords:
        is_bare = placed.key == END and END not in self._workflow.described.outline.keys
        kind = self._look.texts("workflow.over") if is_bare else self._kind_words(placed.state.kind)
        if self._came_through is not None:
            step = self._came_through.get(placed.key)
            if step is None:
                return BoxWords(self._title(placed.key), kind, "ahead")
            words = step_words(step, self._look.texts)
            return BoxWords(self._title(placed.key), words, step_tone(step))
        tone = "plain" if placed.is_reached else "waiting"
        return BoxWords(self._title(placed.key), kind, tone)

    def _title(self, key: str) -> str:
        if key == END and key not in self._workflow.described.outline.keys:
            return self._look.texts("workflow.kind.end")
        return self._app.step_title(self._workflow.key, key, self._look.texts.locale)

    def _kind_words(self, kind: str) -> str:
        known = kind if kind in KNOWN_STATE_KINDS else "unknown"
        return self._look.texts(f"workflow.kind.{known}")

    def _way_words(self, placed: PlacedWay) -> str:
        if placed.way.kind == "next":
            return ""
        texts = self._look.texts
        titles = dict(placed.way.titles)
        if title := in_language(titles, texts.locale) or titles.get(""):
            return plain_line(title)
        return texts(f"workflow.way.{placed.way.kind}", when=condition_words(placed.way.when))

    def _tell(self, key: str) -> None:
        texts = self._look.texts
        self.chosen = key
        [placed] = [each for each in self._picture.states if each.key == key]
        parts = [
            label(self._title(key), "strong"),
            label(self._kind_words(placed.state.kind), "small"),
        ]
        if placed.state.description:
            parts.append(label(placed.state.description))
        if not placed.is_reached:
            parts.append(label(texts("workflow.unreached"), "small"))
        parts += [label(self._leads(each)) for each in self._picture.ways_from(key)]
        before, self._details = self._details, column(*parts, spacing=2)
        if self._is_narrow:
            # Beside the box that was pressed: below a long drawing nobody would see it.
            self._details.setContentsMargins(0, self.canvas.boxes[key].y(), 0, 0)
        self._beside.replaceWidget(before, self._details)
        before.hide()
        before.deleteLater()

    def _leads(self, placed: PlacedWay) -> str:
        texts = self._look.texts
        way = self._way_words(placed) or texts("workflow.way.next")
        if placed.is_back:
            way = texts("workflow.way.back", way=way)
        state = placed.way.target if placed.is_lost else self._title(placed.way.target)
        state = texts("workflow.lost", state=state) if placed.is_lost else state
        return texts("workflow.leads", way=way, state=state)

    def _verdict(self) -> list[tuple[str, str]]:
        texts = self._look.texts
        if self._workflow.described.definition is not None:
            return [(texts("workflow.complete"), "muted")]
        problems = list(problems_of(self._workflow))
        told = [tell_package_problem(each, texts) for each in islice(problems, _MOST_PROBLEMS)]
        lines = [(texts("workflow.described"), "muted")]
        lines += [(f"{each.where}  {each.what}", "small") for each in told]
        more = len(problems) - len(told)
        return [*lines, (texts("workflow.more", count=more), "small")] if more else lines


def condition_words(when: str) -> str:
    """What a condition looks at, by the last names of its paths: `$.states.check.output.passed` is *passed*."""
    bare = _LENGTH.sub(r"\1", when)
    return _PATH.sub(lambda found: plain_words(found[0].rpartition(".")[2]).lower(), bare)


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST_WAY else f"{words[: _LONGEST_WAY - 1]}…"


def _wide(canvas: GraphCanvas) -> QScrollArea:
    """The drawing as high as it is; what is wider than the page is reached by scrolling."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    put_into(area, canvas)
    area.setFixedHeight(canvas.minimumHeight() + area.horizontalScrollBar().sizeHint().height())
    return area
