"""The same run as a graph: which work is part of which, live; a press shows what it was given, gave and took, and who allowed it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget

from lime_desktop.host.runs.story_wording import NODE_STEPS, answer_words, node_words, problem_words
from lime_desktop.runtime_views.drawn_graph import DrawnNode, drawn_graph
from lime_desktop.runtime_views.story.steps import Step
from lime_desktop.runtime_views.story.times import seconds_between
from lime_desktop.runtime_views.story.words import duration_words, sentence_of
from lime_desktop.runtime_views.views import GraphNode, SessionViews
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.run_drawer.opened_step import OpenedStep
from lime_desktop.shell.widgets.graph_canvas import BoxWords, GraphCanvas
from lime_desktop.shell.widgets.graph_lines import GraphLine
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import label

_LONG_S = 0.95


class GraphPage(QWidget):
    """The drawing above, what was pressed below it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._views: SessionViews | None = None
        self._steps: dict[str, Step] = {}
        self._nodes: dict[str, DrawnNode] = {}
        self._opened_groups: set[str] = set()
        self._chosen: str | None = None
        self.canvas = GraphCanvas()
        self.canvas.pressed.connect(self._press)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setWidget(self.canvas)
        self.canvas.walked_to.connect(self._area.ensureWidgetVisible)
        self._details = Page(margin=16)
        self._details.hide()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self._area)
        split.addWidget(self._details)
        edge_to_edge(QVBoxLayout(self), 0).addWidget(split)
        self.retranslate()

    @property
    def details(self) -> QWidget:
        """What is shown of the box that was pressed."""
        return self._details

    def clear_run(self) -> None:
        """Another run."""
        self._views, self._chosen = None, None
        self._opened_groups.clear()
        self._details.hide()
        self.canvas.show_nodes((), (), self._words)

    def show_views(self, views: SessionViews) -> None:
        """Bring the drawing to what is known now; what is open stays open."""
        before = self._step_of(self._chosen)
        self._views = views
        self._steps = {each.step_id: each for each in views.story.steps}
        nodes = drawn_graph(views, self._opened_groups)
        self._nodes = {each.key: each for each in nodes}
        lines = [GraphLine(e.parent, e.key) for e in nodes if e.parent is not None]
        self.canvas.show_nodes(nodes, lines, self._words)
        if self._chosen is not None and self._step_of(self._chosen) is not before:
            self._show_details()

    def choose(self, key: str) -> None:
        """Show one piece of work, as if it had been pressed."""
        if key in self._nodes:
            self.canvas.choose(key)
            self._press(key)

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        self.canvas.setAccessibleName(self._look.texts("drawer.graph"))
        if self._views is not None:
            self.show_views(self._views)
            self._show_details()

    def _press(self, key: str) -> None:
        if self._nodes[key].node is None:
            self._opened_groups ^= {key}
            if self._views is not None:
                self.show_views(self._views)
            self.canvas.choose(None)
            return
        self._chosen = key
        self._show_details()

    def _words(self, drawn: DrawnNode) -> BoxWords:
        texts, views = self._look.texts, self._views
        node = drawn.node or drawn.members[-1]
        if drawn.node is None:
            worst = next((e for e in drawn.members if e.status in {"failed", "waiting"}), node)
            is_open = drawn.key in self._opened_groups
            state = texts("drawer.graph.unfolded" if is_open else "drawer.graph.folded")
            title = texts("drawer.graph.tools", count=len(drawn.members))
            return BoxWords(title, f"{texts(f'state.{worst.status}')} · {state}", worst.status)
        took = seconds_between(node.created_at, node.completed_at) if node.completed_at else 0.0
        parts = [texts(f"state.{node.status}")]
        if took >= _LONG_S:
            parts.append(duration_words(took, texts))
        title = node_words(node, views.story, self._steps, texts) if views else ""
        return BoxWords(title, " · ".join(parts), node.status)

    def _step_of(self, key: str | None) -> Step | None:
        node = self._nodes[key].node if key in self._nodes else None
        name = NODE_STEPS.get(node.node_type) if node else None
        return self._steps.get(f"{name}:{key}") if name else None

    def _show_details(self) -> None:
        node = self._nodes[self._chosen].node if self._chosen in self._nodes else None
        if node is None or self._views is None:
            self._details.hide()
            return
        self._details.refill(*self._parts(node, self._views))
        self._details.show()

    def _parts(self, node: GraphNode, views: SessionViews) -> list[QWidget]:
        texts, step = self._look.texts, self._step_of(node.node_id)
        title = problem_words(step, texts) if step and step.state == "failed" else None
        words = title or node_words(node, views.story, self._steps, texts)
        parts: list[QWidget] = [label(words, "strong")]
        if (allowed := self._allowed_by(node, views)) is not None:
            parts.append(label(allowed, "small"))
        turn = views.story.turns.get(node.node_id)
        if turn is not None and (figures := answer_words(turn, texts)):
            parts.append(label(figures, "small"))
        if step is not None:
            parts.append(OpenedStep(texts, step))
        return parts

    def _allowed_by(self, node: GraphNode, views: SessionViews) -> str | None:
        """Who said yes or no to a tool: a person's own answer, or the permissions that let it pass without a question."""
        call = views.tool_calls.get(node.node_id) if node.node_type == "tool" else None
        if call is None:
            return None
        asked = self._steps.get(f"question:{call.permission_action_id}")
        if asked is not None:
            return sentence_of(asked, self._look.texts)
        is_through = call.status == "completed"
        return self._look.texts("drawer.graph.unasked") if is_through else None
