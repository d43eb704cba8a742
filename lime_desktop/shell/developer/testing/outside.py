"""A developer's own program that tests the open app from outside, over the debugging port."""

import asyncio
import json
import os
import time
from typing import Any
from urllib.request import urlopen

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QUrl
from PySide6.QtNetwork import QHostAddress
from PySide6.QtWebSockets import QWebSocket, QWebSocketServer

from lime_desktop.developer.testing.outcomes import TestOutcome

_WAIT_S = 10.0
_NOT_OFFERED = frozenset(
    {
        "Browser.setDownloadBehavior",
        "Browser.grantPermissions",
        "Browser.resetPermissions",
        "Browser.setWindowBounds",
    }
)
"""Commands that the host decides alone: the tool hears that they were heard, and nothing changes."""
_PAGES, _BROWSER = "LIME_CDP_URL", "LIME_CDP_BROWSER_URL"
"""Where a program finds the pages, and where it finds what it takes for a whole browser."""


class DebuggingDoor(QObject):
    """A way in for tools that drive a whole browser, such as Playwright. Listens on this machine, while the test runs.

    The engine's own debugging port refuses commands about a browser as a whole, and such tools give up at the first
    refusal. This passes everything on, and answers for the engine where it has nothing to do.
    """

    def __init__(self) -> None:
        super().__init__()
        self._browser_url = ""
        self._server = QWebSocketServer("", QWebSocketServer.SslMode.NonSecureMode, self)
        self._server.newConnection.connect(self._admit)
        self._passages: list[_Passage] = []

    async def open(self, engine_url: str) -> str:
        """Begin to listen, and say where.

        Raises:
            OSError: the engine does not answer there, or there is no free port.
        """
        # The engine answers on this very thread, which therefore must not wait.
        self._browser_url = await asyncio.to_thread(_browser_address, engine_url)
        if not self._server.listen(QHostAddress.SpecialAddress.LocalHost, 0):
            raise OSError(self._server.errorString())
        return self._server.serverUrl().toString()

    def close(self) -> None:
        """Let nobody in any more."""
        self._server.close()
        for passage in self._passages:
            passage.close()

    def _admit(self) -> None:
        visitor = self._server.nextPendingConnection()
        self._passages.append(_Passage(visitor, self._browser_url, self))


class _Passage(QObject):
    """One tool's conversation with the engine."""

    def __init__(self, tool: QWebSocket, address: str, parent: QObject) -> None:
        super().__init__(parent)
        self._tool = tool
        self._engine = QWebSocket(parent=self)
        self._waiting: list[str] | None = []
        """What the tool said before the engine was reached."""
        tool.textMessageReceived.connect(self._on_tool_message)
        tool.disconnected.connect(self.close)
        self._engine.textMessageReceived.connect(tool.sendTextMessage)
        self._engine.connected.connect(self._pass_on_what_waits)
        self._engine.disconnected.connect(self.close)
        self._engine.open(QUrl(address))

    def close(self) -> None:
        """End both sides."""
        self._tool.close()
        self._engine.close()

    def _on_tool_message(self, text: str) -> None:
        if (answer := _answer_for_engine(text)) is not None:
            self._tool.sendTextMessage(answer)
        elif self._waiting is not None:
            self._waiting.append(text)
        else:
            self._engine.sendTextMessage(text)

    def _pass_on_what_waits(self) -> None:
        waiting, self._waiting = self._waiting or [], None
        for text in waiting:
            self._engine.sendTextMessage(text)


def _answer_for_engine(text: str) -> str | None:
    command: dict[str, Any] = json.loads(text)
    if command.get("method") not in _NOT_OFFERED:
        return None
    answer: dict[str, Any] = {"id": command.get("id"), "result": {}}
    if "sessionId" in command:
        answer["sessionId"] = command["sessionId"]
    return json.dumps(answer)


def _browser_address(engine_url: str) -> str:
    with urlopen(f"{engine_url}/json/version", timeout=_WAIT_S) as answer:  # noqa: S310 - our own engine on this machine
        return str(json.load(answer)["webSocketDebuggerUrl"])


async def run_outside(command: tuple[str, ...]) -> TestOutcome:
    """Run a program to its end, with a way to the app's pages; what it says goes where this program's words go."""
    door = DebuggingDoor()
    surroundings = QProcessEnvironment.systemEnvironment()
    surroundings.insert(_BROWSER, await door.open(os.environ[_PAGES]))
    try:
        return await _run(command, surroundings)
    finally:
        door.close()


async def _run(command: tuple[str, ...], surroundings: QProcessEnvironment) -> TestOutcome:
    begun = time.monotonic()
    ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    process = QProcess()
    process.setProcessEnvironment(surroundings)
    process.setProcessChannelMode(QProcess.ProcessChannelMode.ForwardedChannels)
    process.setInputChannelMode(QProcess.InputChannelMode.ForwardedInputChannel)

    def end(problem: str) -> None:
        if not ended.done():
            ended.set_result(problem)

    def finish(code: int) -> None:
        end(f"It ended with {code}." if code else "")

    process.finished.connect(finish)
    process.errorOccurred.connect(lambda: end(process.errorString()))
    process.start(command[0], list(command[1:]))
    problem = await ended
    took_ms = round((time.monotonic() - begun) * 1_000)
    return TestOutcome(file=command[0], name=" ".join(command), problem=problem, took_ms=took_ms)
