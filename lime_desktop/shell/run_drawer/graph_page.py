"""The same run as a tree: which work is part of which, for whoever wants it."""

from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem

from lime_desktop.host.runs.story_wording import node_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.runtime_views.views import SessionViews
from lime_desktop.shell.widgets.parts import plain_tip


class GraphPage(QTreeWidget):
    """One line for each piece of work, below what it belongs to."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._items: dict[str, QTreeWidgetItem] = {}
        self.setColumnCount(2)
        self.setUniformRowHeights(True)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, self.header().ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, self.header().ResizeMode.ResizeToContents)
        self.retranslate()

    def clear_run(self) -> None:
        """Another run."""
        self.clear()
        self._items = {}

    def show_views(self, views: SessionViews) -> None:
        """Bring the tree to what is known now; what is open stays open."""
        texts = self._texts
        for node in views.graph:
            item = self._items.get(node.node_id)
            if item is None:
                item = QTreeWidgetItem()
                self._items[node.node_id] = item
                parent = self._items.get(node.parent_id or "")
                if parent is None:
                    self.addTopLevelItem(item)
                else:
                    parent.addChild(item)
                item.setExpanded(True)
            item.setText(0, node_words(node, views.story, texts))
            item.setToolTip(0, plain_tip(item.text(0)))
            item.setText(1, texts(f"state.{node.status}"))

    def retranslate(self) -> None:
        """Say everything in the language of now."""
        texts = self._texts
        self.setHeaderLabels([texts("drawer.graph.what"), texts("drawer.graph.state")])
        self.setAccessibleName(texts("drawer.graph"))
