"""Pages and packages that mean to use the host up: each in a tab of its own, after the hostile page had its turn.

In the process of `hostile_run`, so that each holds as root and as an ordinary user with Chromium's sandbox on. The host's
beats tell for how long its window stood still at most.
"""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.view.process_memory import resident_bytes
from lime_desktop.shell.app_view import page_health
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.hostile_pictures import nested_uses

PATIENCE_S = 60.0
FETCHES = 40_000
CEILING_BYTES = 400 * 1024**2
HARD_BYTES = 1024**3
"""What the kernel allows beyond the ceiling here, so that a page need not ask for so very much."""

ShowTab = Callable[[RegisteredApp], AppTab]
AddApp = Callable[[str, dict[str, str]], RegisteredApp]

_READY = (
    'parent.postMessage({protocol: "lime.agentApp.bridge", version: 1, type: "app:ready",'
    ' requestId: "r1", appId: "%s"}, "*");'
)
_PAGE = '<!doctype html><body style="height: 100vh"><script>%s</script>'
_FLOOD = (
    "console.log('LOADED'); if (!localStorage.tried) { localStorage.tried = 1;"
    f" for (let n = 0; n < {FETCHES}; n++) fetch('/x?' + n).catch(() => 0); }}"
)
_LEAVE = "console.log('LOADED'); top.location = 'http://127.0.0.1:9/left';"
_GREED = """console.log('LOADED');
addEventListener("pointerdown", () => {
  let asked = [], outcome = "given";
  try { while (asked.length < 200) asked.push(new ArrayBuffer(64 * 2 ** 20)); } catch (error) { outcome = error.name; }
  console.log(`ASKED ${outcome} ${asked.length}`);
  asked = null;
  window.kept = [];
  setInterval(() => kept.push(new Uint8Array(16e6).fill(1)), 20); }, {once: true});"""


@dataclass
class Exhaustion:
    """The means to open tabs, and the beats of the window."""

    add: AddApp
    show: ShowTab
    why_undrawn: Callable[[bytes | None], str | None]
    draw: Callable[[RegisteredApp], object]
    longest_pause_s: float = 0.0
    results: dict[str, Any] = field(default_factory=dict[str, Any])

    async def run(self) -> dict[str, Any]:
        """Try one after the other, and give what came of each."""
        for name, attempt in (
            ("markup", self._markup),
            ("icon", self._icon),
            ("leave", self._leave),
            ("flood", self._flood),
            ("memory", self._memory),
        ):
            async with self._beats():
                try:
                    self.results[name] = await attempt(name)
                except TimeoutError:
                    self.results[name] = {"isLate": True}
            self.results[name]["longestPauseS"] = round(self.longest_pause_s, 2)
        return self.results

    async def _markup(self, name: str) -> dict[str, Any]:
        """48 kB of tags without an end, and what the library's parser fell over."""
        page = _PAGE % "console.log('LOADED')" + "<a " * 16_000 + "<![" + "<a " * 16_000
        before = time.process_time()
        _, lines = await self._open(name, page)
        return {
            "isLoaded": "LOADED" in lines,
            "processorS": round(time.process_time() - before, 2),
        }

    async def _icon(self, name: str) -> dict[str, Any]:
        app = self.add(name, {"assets/icon.svg": nested_uses().decode()})
        self.draw(app)
        await until(lambda: self.why_undrawn(app.icon()) is not None)
        return {"why": self.why_undrawn(app.icon())}

    async def _leave(self, name: str) -> dict[str, Any]:
        tab, lines = await self._open(name, _PAGE % _LEAVE)
        refused: list[str] = []

        def keep(guard: str, _address: str) -> None:
            refused.append(guard)

        tab.view.refused.connect(keep)
        for loads in (2, 3):
            tab.reload()
            await until(lambda count=loads: lines.count("LOADED") >= count)
            await until(lambda count=loads: len(refused) >= count - 1)
        return {"loads": lines.count("LOADED"), "refused": sorted(set(refused))}

    async def _flood(self, name: str) -> dict[str, Any]:
        held = resident_bytes(os.getpid()) or 0
        tab, lines = await self._open(name, _PAGE % _FLOOD)
        await until(lambda: sees(tab, "made too many requests"))
        grown = (resident_bytes(os.getpid()) or 0) - held
        await self._load_again(tab, lines)
        return {"grownBytes": grown, "loads": lines.count("LOADED")}

    async def _memory(self, name: str) -> dict[str, Any]:
        page_health.page_ceiling = lambda: CEILING_BYTES
        page_health._HARD_BYTES = HARD_BYTES
        tab, lines = await self._open(name, _PAGE % _GREED)
        process = tab.view.page().renderProcessPid()
        wanted = CEILING_BYTES + HARD_BYTES
        await until(lambda: kernel_limit(process) == wanted)
        press(tab)
        await until(lambda: any(line.startswith("ASKED ") for line in lines))
        await until(lambda: sees(tab, "used too much memory"))
        is_gone = resident_bytes(process) is None
        await self._load_again(tab, lines)
        asked = next(line for line in lines if line.startswith("ASKED "))
        return {"asked": asked, "isGone": is_gone, "loads": lines.count("LOADED")}

    async def _open(self, name: str, page: str) -> tuple[AppTab, list[str]]:
        ready = page.replace("<script>", "<script>" + _READY % name, 1)
        app = self.add(name, {"dist/ui/index.html": ready})
        lines: list[str] = []
        tab = self.show(app)

        def keep(_level: int, message: str, _line: int, _source: str) -> None:
            lines.append(message)

        tab.view.console.connect(keep)
        await until(lambda: "LOADED" in lines)
        return tab, lines

    async def _load_again(self, tab: AppTab, lines: list[str]) -> None:
        before = lines.count("LOADED")
        buttons = tab.findChildren(QPushButton)
        next(each for each in buttons if each.isVisible() and each.text() == "Reload").click()
        await until(lambda: lines.count("LOADED") > before)

    @asynccontextmanager
    async def _beats(self) -> AsyncGenerator[None]:
        """Feel for how long the window stands still at most."""
        self.longest_pause_s = 0.0
        task = asyncio.get_running_loop().create_task(self._beat())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _beat(self) -> None:
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.02)
            self.longest_pause_s = max(self.longest_pause_s, time.monotonic() - before)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that must come."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - what is waited for lies in the engine
            await asyncio.sleep(0.02)


def sees(tab: AppTab, words: str) -> bool:
    """Whether a person reads this in the tab."""
    return any(words in each.text() for each in tab.findChildren(QLabel) if each.isVisible())


def press(tab: AppTab) -> None:
    """Press into the page."""
    target = tab.view.web_view.focusProxy()
    assert target is not None
    QTest.mouseClick(
        target, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(400, 300)
    )


def kernel_limit(process: int) -> int | None:
    """What the kernel lets a process ask for; asked by the same right that sets it."""
    import resource  # noqa: PLC0415 - there is none on Windows

    try:
        return resource.prlimit(process, resource.RLIMIT_DATA)[0]
    except OSError:
        return None
