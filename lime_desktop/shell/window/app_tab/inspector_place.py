"""The inspector below an app's page: opened, put away, and one at a time."""

from collections.abc import Callable

from PySide6.QtWidgets import QSplitter

from lime_desktop.shell.inspector.inspected import InspectedView
from lime_desktop.shell.inspector.panel import InspectorPanel

_PAGE_SHARE = 340
_INSPECTOR_SHARE = 400


class InspectorPlace:
    """Where it stands while it is open; `inspected` is asked at each opening for what it looks into."""

    def __init__(self, around: QSplitter, inspected: Callable[[], InspectedView]) -> None:
        self._around = around
        self._inspected = inspected
        self.panel: InspectorPanel | None = None

    def toggle(self) -> None:
        """Open it below the page, or put it away."""
        if self.panel is not None:
            self.close()
            return
        self.panel = InspectorPanel(self._inspected())
        self.panel.closed.connect(self.close)
        self._around.addWidget(self.panel)
        self._around.setSizes([_PAGE_SHARE, _INSPECTOR_SHARE])

    def close(self) -> None:
        """Put it away, if it is open."""
        if self.panel is not None:
            self.panel.end()
            self.panel.hide()
            self.panel.deleteLater()
            self.panel = None
