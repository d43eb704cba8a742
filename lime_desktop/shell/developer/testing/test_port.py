"""What the tests in a view and the window say to each other. See `resources/view/page_tests.js`."""

import json
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, Signal, Slot

from lime_desktop.shell.app_view.view import AppView


class _Port(QObject):
    wanted = Signal(str)
    answered = Signal(str)
    has_told = Signal(str)

    @Slot(str)
    def told(self, text: str) -> None:
        """The tests, or their runner, say something."""
        self.has_told.emit(text)


class TestPort(QObject):
    """Joins one view before its page is loaded."""

    __test__ = False

    is_here = Signal()
    """The runner is in the page, and can be asked."""
    listed = Signal(list)
    ended = Signal(str)
    """The running test ended, with a problem or with an empty text."""
    forgotten = Signal()
    """The page has nothing left of what it kept by itself."""
    command = Signal(int, str, dict)
    """A test wants something of the window: its number, which, and with what."""

    def __init__(self, view: AppView, resources: Path) -> None:
        super().__init__(view)
        self._port = _Port(self)
        self._port.has_told.connect(self._on_message)
        script = (resources / "view/page_tests.js").read_text(encoding="utf-8")
        view.extend("testing", self._port, script)

    def list_tests(self, files: tuple[str, ...]) -> None:
        """Ask which tests there are; `listed` answers."""
        self._port.wanted.emit(json.dumps({"files": files}))

    def run_test(self, file: str, index: int) -> None:
        """Run a test; `ended` answers."""
        self._port.wanted.emit(json.dumps({"file": file, "index": index}))

    def forget(self) -> None:
        """Have the page forget what it kept by itself; `forgotten` answers."""
        self._port.wanted.emit("{}")

    def answer(self, number: int, value: object = None, problem: str = "") -> None:
        """Tell a test what came of its command."""
        self._port.answered.emit(json.dumps({"id": number, "value": value, "problem": problem}))

    def _on_message(self, text: str) -> None:
        # Any page may say anything here, but it is the developer's own.
        said = cast("dict[str, Any]", json.loads(text))
        match said.get("kind"):
            case "here":
                self.is_here.emit()
            case "listed":
                self.listed.emit(said["files"])
            case "forgotten":
                self.forgotten.emit()
            case "ended":
                self.ended.emit(str(said["problem"]))
            case "command":
                self.command.emit(said["id"], said["command"], said["given"])
            case _:
                pass
