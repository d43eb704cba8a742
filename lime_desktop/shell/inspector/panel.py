"""The inspector below a view: its pages, and the engine's own tools for the page."""

from PySide6.QtCore import Signal
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from lime_desktop.developer.simulation import REALITY
from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.inspector.recording_page import RecordingPage
from lime_desktop.shell.inspector.refusals_page import RefusalsPage
from lime_desktop.shell.inspector.simulation_page import SimulationPage
from lime_desktop.shell.inspector.state_page import StatePage
from lime_desktop.shell.inspector.timeline_page import TimelinePage
from lime_desktop.shell.inspector.workflows_page import WorkflowsPage
from lime_desktop.shell.layouts.edges import edge_to_edge
from lime_desktop.shell.widgets.parts import icon_button


class InspectorPanel(QFrame):
    """Looks at one view until it is closed."""

    closed = Signal()

    def __init__(self, inspected: InspectedView) -> None:
        super().__init__()
        self.setObjectName("inspector")
        self._inspected = inspected
        self._texts = inspected.look.texts
        self.setAccessibleName(self._texts("inspector.title"))
        self.timeline = TimelinePage(inspected)
        self.refusals = RefusalsPage(inspected)
        self.state = StatePage(inspected)
        self.simulation = SimulationPage(inspected)
        self.recording = RecordingPage(
            inspected.look.texts, inspected.resources, inspected.registry
        )
        app = inspected.app()
        is_in_its_folder = app.installed is None and bool(app.package.workflows)
        self.workflows = WorkflowsPage(inspected) if is_in_its_folder else None
        """Of an app that lies in a folder and has some; the App Server says whether it may be led."""
        self.tools = QWidget()
        """Where the engine's own tools stand."""
        self._tools: QWebEngineView | None = None
        self._pages = QTabWidget(documentMode=True)
        self._pages.tabBar().setDrawBase(False)
        self._build()

    def turn_to(self, page: QWidget) -> None:
        """Bring a page to the front."""
        self._pages.setCurrentWidget(page)

    def end(self) -> None:
        """Look no more: everything that was changed for the looking is as before."""
        self.state.end()
        self.recording.end()
        if self.workflows is not None:
            self.workflows.end()
        self._inspected.simulated.act(REALITY)
        self._inspected.exchanges.close()
        if self._tools is not None:
            self._inspected.view.page().setDevToolsPage(None)  # pyright: ignore[reportArgumentType] - Qt takes none
            self._tools.page().deleteLater()
            self._tools.deleteLater()
            self._tools = None

    def _turned(self, at: int) -> None:
        shown = self._pages.widget(at)
        if shown is self.state:
            self.state.read()
        elif self.workflows is not None and shown is self.workflows:
            self.workflows.read()
        elif shown is self.tools and self._tools is None:
            self._open_tools()

    def _open_tools(self) -> None:
        """Chromium's tools, in a page of their own: made when first wanted, they take a process."""
        self._tools = QWebEngineView()
        self._tools.setAccessibleName(self._texts("inspector.tools"))
        page = QWebEnginePage(self._tools)
        self._tools.setPage(page)
        self._inspected.view.page().setDevToolsPage(page)
        layout = edge_to_edge(QVBoxLayout(self.tools))
        layout.addWidget(self._tools)

    def _build(self) -> None:
        texts = self._texts
        pages = {
            "timeline": self.timeline,
            "refusals": self.refusals,
            "state": self.state,
            "simulation": self.simulation,
            **({} if self.workflows is None else {"workflows": self.workflows}),
            "recording": self.recording,
            "tools": self.tools,
        }
        for key, page in pages.items():
            self._pages.addTab(page, texts(f"inspector.{key}"))
        self._pages.currentChanged.connect(self._turned)
        closing = icon_button(texts("inspector.close"), self.closed.emit)
        self._inspected.look.icons.put_on(closing, "close")
        corner = QWidget()
        across = QHBoxLayout(corner)
        across.setContentsMargins(0, 2, 8, 2)
        across.addWidget(closing)
        self._pages.setCornerWidget(corner)
        layout = edge_to_edge(QVBoxLayout(self))
        layout.addWidget(self._pages)
