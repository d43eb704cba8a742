"""From a save to the paint: `lime-desktop dev` against a bare view that is told to reload the same page.

Run by hand: ``python -m tests.benchmarks.bench_live_reload [rounds]``. The bare view knows at once that something was
saved, has no bridge and keeps nothing; what ours takes longer is the watching, the package's walk and the kept place.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"

import qasync
from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication

from lime_desktop.developer.events import DeveloperEvent
from lime_desktop.developer.new_app import new_app
from lime_desktop.developer.options import DeveloperOptions, Developing
from lime_desktop.developer.template import Template
from lime_desktop.resources import resources_folder
from lime_desktop.shell.app_view.engine import prepare_engine
from lime_desktop.shell.developer.loop import DeveloperLoop
from lime_desktop.shell.startup.garbage import GuiThreadCollector
from tests.shell.services import for_developer
from tests.shell.stage import set_stage

WAIT_S = 60
PAGE = '<!doctype html><h1 id="shown"></h1><script type="module" src="app.js"></script>'
SCRIPT = """
document.getElementById("shown").textContent = "ROUND";
requestAnimationFrame(() => setTimeout(() => console.log("painted ROUND")));
"""
READY = """
const { getLimeRuntime } = await import("/__lime__/sdk/index.js");
await getLimeRuntime();
"""
"""An app says that it is ready. Loaded after the paint: the bare page has no SDK to load before it."""


class BarePage(QWebEnginePage):
    """A page that passes its console on."""

    heard: Callable[[str], None] = print

    def javaScriptConsoleMessage(self, level: object, message: str, *_: object) -> None:  # noqa: N802 - Qt calls this
        del level
        self.heard(message)


class Stopwatch:
    """Times a save until the page says that it was painted."""

    def __init__(self, script: Path, source: str) -> None:
        self._script = script
        self._source = source
        self._painted: dict[str, asyncio.Event] = {}

    def hear(self, message: str) -> None:
        if message in self._painted:
            self._painted[message].set()

    def save(self, number: int) -> asyncio.Event:
        done = self._painted[f"painted {number}"] = asyncio.Event()
        self._script.write_text(self._source.replace("ROUND", str(number)))
        return done

    async def time(self, number: int, begin: Callable[[], None]) -> float:
        done, start = self.save(number), time.perf_counter()
        begin()
        await asyncio.wait_for(done.wait(), WAIT_S)
        return (time.perf_counter() - start) * 1_000


async def time_bare(folder: Path, rounds: int) -> list[float]:
    (folder / "index.html").write_text(PAGE.replace(' type="module"', ""))
    watch = Stopwatch(folder / "app.js", SCRIPT)
    profile = QWebEngineProfile()
    page = BarePage(profile)
    page.heard = watch.hear
    view = QWebEngineView(page)
    view.show()
    first = watch.save(0)
    page.load(QUrl.fromLocalFile(str(folder / "index.html")))
    await asyncio.wait_for(first.wait(), WAIT_S)
    reload = lambda: page.triggerAction(QWebEnginePage.WebAction.Reload)  # noqa: E731
    taken = [await watch.time(number, reload) for number in range(1, rounds + 1)]
    view.close()
    view.deleteLater()
    page.deleteLater()
    return taken


async def time_ours(folder: Path, rounds: int) -> list[float]:
    app = folder / "my-notes"
    new_app(app, Template.PLAIN, resources_folder())
    (app / "dist/ui/index.html").write_text(PAGE)
    watch = Stopwatch(app / "dist/ui/app.js", SCRIPT + READY)
    first = watch.save(0)
    stage = set_stage(folder / "data", "light")

    def listen(tab: object) -> None:
        tab.view.console.connect(lambda _level, message, _line, _source: watch.hear(message))  # type: ignore[attr-defined] - an AppTab

    def ignore(_event: DeveloperEvent) -> None:
        """Nobody reads along."""

    stage.services.opened_tabs.opened.connect(listen)
    loop = DeveloperLoop(
        stage.window,
        for_developer(stage.services),
        Developing(DeveloperOptions(package=app), ignore),
    )
    loop.start()
    await asyncio.wait_for(first.wait(), WAIT_S)
    taken: list[float] = []
    for number in range(1, rounds + 1):
        # What follows a paint (the package read again) is not a part of the next round.
        await asyncio.sleep(1.0)
        taken.append(await watch.time(number, lambda: None))
    await loop.close()
    stage.window.shut()
    return taken


async def compare(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "bare").mkdir()
        bare = await time_bare(folder / "bare", rounds)
        ours = await time_ours(folder, rounds)
    for name, taken in (("bare reload", bare), ("lime-desktop dev", ours)):
        print(f"{name:<18} median {statistics.median(taken):6.1f} ms   worst {max(taken):6.1f} ms")
    print(f"{'ratio':<18} {statistics.median(ours) / statistics.median(bare):6.2f}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    prepare_engine()
    application = QApplication([])
    GuiThreadCollector(application)
    loop = qasync.QEventLoop(application)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(compare(rounds))  # pyright: ignore[reportUnknownMemberType] - qasync has no types


if __name__ == "__main__":
    main()
