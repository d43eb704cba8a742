"""What a developer saves is on screen, and nothing of where they were is lost (ours)."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.developer.events import DeveloperEvent, ProblemsEvent, ReloadedEvent
from lime_desktop.developer.options import DeveloperOptions, Developing
from lime_desktop.shell.developer.live_entry import DeveloperStrip
from lime_desktop.shell.developer.loop import DeveloperLoop
from lime_desktop.shell.developer.problems_overlay import ProblemsOverlay
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.services import for_developer
from tests.shell.stage import Stage, set_stage

pytestmark = pytest.mark.system

APP_MD = """---
manifestVersion: 0.10.0
name: demo
displayName: Demo
description: Something to be worked on.
shortDescription: To be worked on.
version: 1.0.0
status: ready
appType: agent-app
runtimeTargets: [local]
requires:
  lime:
    appRuntime: ">=0.3.0 <1.0.0"
  capabilities:
    lime.ui: ">=0.3.0 <1.0.0"
capabilities: [lime.ui]
runtimePackage:
  ui: { path: dist/ui, entry: index.html, format: static }
entries:
  - { key: main, kind: page, title: Main, route: /main, requiredCapabilities: [lime.ui] }
---

# Demo
"""
PAGE = """<!doctype html>
<link rel="stylesheet" href="/styles.css">
<h1 id="title">First</h1>
<input id="text"><div style="height: 4000px"></div>
<script type="module" src="/app.js"></script>
"""
SCRIPT = """import { getLimeRuntime } from "/__lime__/sdk/index.js";
const lime = await getLimeRuntime();
document.title = lime.snapshot.app.displayName;
"""


class Workshop:
    """A window with one package in it, and everything the developer is told."""

    def __init__(self, stage: Stage, folder: Path, qtbot: QtBot) -> None:
        self.folder = folder
        self.told: list[DeveloperEvent] = []
        self._stage = stage
        self.services = stage.services
        self._qtbot = qtbot
        options = DeveloperOptions(package=folder)
        self.loop = DeveloperLoop(
            stage.window, for_developer(stage.services), Developing(options, self.told.append)
        )
        self.loop.start()

    @property
    def reloads(self) -> list[str]:
        return [each.how for each in self.told if isinstance(each, ReloadedEvent)]

    @property
    def problems(self) -> list[str]:
        told = [each.problems for each in self.told if isinstance(each, ProblemsEvent)]
        last = told[-1] if told else ()
        return [f"{each.file}:{each.line} {each.code}" for each in last]

    @property
    def overlaid(self) -> str:
        """What stands over the app."""
        overlay = self._stage.window.findChildren(ProblemsOverlay)[0]
        labels = overlay.findChildren(QLabel) if overlay.isVisible() else []
        return "\n".join(each.text() for each in labels)

    def opens_in_editor(self) -> str:
        """Press the button beside a problem, and give what the editor was started with."""
        told = self.folder.parent / "editor.txt"
        program = f"import sys; open({str(told)!r}, 'w').write(' '.join(sys.argv[1:]))"
        script = self.folder.parent / "editor.py"
        script.write_text(program, encoding="utf-8")
        os.environ["LIME_EDITOR"] = f"{sys.executable} {script} {{file}} {{line}}"
        overlay = self._stage.window.findChildren(ProblemsOverlay)[0]
        words = self._stage.services.look.texts("dev.problems.open")
        [opener] = [each for each in overlay.findChildren(QPushButton) if each.text() == words]
        opener.setFocus()
        QTest.keyClick(opener, Qt.Key.Key_Space)
        self.wait(lambda: told.exists() and bool(told.read_text()))
        del os.environ["LIME_EDITOR"]
        return told.read_text("utf-8")

    def save(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def save_and_see(self, name: str, text: str) -> str:
        """Save a file, wait until it is on screen, and say how it came there."""
        count = len(self.reloads)
        self.save(name, text)
        self.wait(lambda: len(self.reloads) > count)
        return self.reloads[-1]

    def wait(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def run(self, expression: str) -> object:
        """Evaluate something in the app's page."""
        answers: list[object] = []
        script = f"((window, document) => {expression})(frames[0], frames[0]?.document)"
        self.loop.entries[0].tab.view.page().runJavaScript(script, 0, answers.append)
        self.wait(lambda: bool(answers))
        return answers[0]

    def shows(self, expression: str, value: object) -> None:
        self.wait(lambda: self.run(expression) == value)

    @contextmanager
    def view_ends(self) -> Generator[None]:
        """Wait until the page that is open now is gone."""
        page = self.loop.entries[0].tab.view.page()
        with self._qtbot.waitSignal(page.destroyed, timeout=WAIT_MS):
            yield

    def type(self, text: str) -> None:
        """Type as a person does: what a script fills in does not count as touched."""
        proxy = self.loop.entries[0].tab.view._view.focusProxy()
        assert proxy is not None
        proxy.setFocus(Qt.FocusReason.MouseFocusReason)
        self.run("document.getElementById('text').focus()")
        QTest.keyClicks(proxy, text)
        self.shows("document.getElementById('text').value", text)


@pytest.fixture
def workshop(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Workshop]:
    del loop
    folder = tmp_path / "demo"
    (folder / "dist/ui").mkdir(parents=True)
    files = {
        "APP.md": APP_MD,
        "dist/ui/index.html": PAGE,
        "dist/ui/app.js": SCRIPT,
        "dist/ui/styles.css": "h1 { color: rgb(1, 2, 3); }",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    stage = set_stage(tmp_path / "data", "light")
    made = Workshop(stage, folder, qtbot)
    made.wait(lambda: bool(made.loop.entries) and made.loop.entries[0].tab.session.is_ready)
    yield made
    finish(made.loop.close())
    page = made.loop.entries[0].tab.view.page()
    with qtbot.waitSignal(page.destroyed, timeout=WAIT_MS):
        stage.window.shut()
    stage.window.close()
    stage.window.deleteLater()


def test_what_is_saved_is_on_screen_and_the_place_in_the_page_is_kept(workshop: Workshop) -> None:
    workshop.shows("document.title", "Demo")
    workshop.type("half a sentence")
    workshop.run("window.history.pushState({}, '', '/main/deep?x=1#there')")
    workshop.run("window.scrollTo(0, 700)")
    assert workshop.save_and_see("dist/ui/index.html", PAGE.replace("First", "Second")) == "page"
    workshop.shows("document.getElementById('title').textContent", "Second")
    workshop.shows("document.getElementById('text').value", "half a sentence")
    workshop.shows("window.scrollY", 700)
    address = "window.location.pathname + window.location.search + window.location.hash"
    assert workshop.run(address) == "/main/deep?x=1#there"
    # Styles are swapped: the page itself, and what it holds in memory, stay.
    workshop.run("window.mark = 'same page'")
    styles = "h1 { color: rgb(4, 5, 6); }"
    assert workshop.save_and_see("dist/ui/styles.css", styles) == "styles"
    colour = "window.getComputedStyle(document.getElementById('title')).color"
    workshop.shows(colour, "rgb(4, 5, 6)")
    assert workshop.run("window.mark") == "same page"
    # A file that was not there before is served, and what fails is told with its place until it is put right.
    workshop.save("dist/ui/more.js", "\nexport const more = missing;\n")
    workshop.save("dist/ui/app.js", 'import "/more.js";\n' + SCRIPT)
    workshop.wait(lambda: workshop.problems == ["dist/ui/more.js:2 SCRIPT_FAILED"])
    assert "dist/ui/more.js:2" in workshop.overlaid
    assert workshop.opens_in_editor() == f"{workshop.folder / 'dist/ui/more.js'} 2"
    workshop.save("dist/ui/more.js", "export const more = 1;\n")
    workshop.wait(lambda: workshop.problems == [] and workshop.overlaid == "")
    # A manifest that cannot be read leaves the app as it was; one that can is judged anew without a restart.
    workshop.save("APP.md", APP_MD.replace("status: ready", "status: ["))
    workshop.wait(lambda: any("APP.md" in each for each in workshop.problems))
    assert "APP.md:" in workshop.overlaid
    workshop.shows("document.title", "Demo")
    renamed = APP_MD.replace("displayName: Demo", "displayName: " + json.dumps("Renamed"))
    assert workshop.save_and_see("APP.md", renamed) == "manifest"
    workshop.shows("document.title", "Renamed")
    workshop.wait(lambda: workshop.problems == [] and workshop.overlaid == "")
    # Another name is another app: its view is opened in the old one's place.
    with workshop.view_ends():
        assert (
            workshop.save_and_see("APP.md", APP_MD.replace("name: demo", "name: other"))
            == "manifest"
        )
    assert [entry.tab.app_id for entry in workshop.loop.entries] == ["other"]
    workshop.shows("window.location.host", "other")
    workshop.shows("document.title", "Demo")


def test_while_a_session_is_recorded_the_screen_says_so(workshop: Workshop, qtbot: QtBot) -> None:
    services = workshop.services
    for record_file, is_said in ((workshop.folder / "session.jsonl", True), (None, False)):
        strip = DeveloperStrip(
            services.look.texts, DeveloperOptions(package=workshop.folder, record_file=record_file)
        )
        qtbot.addWidget(strip)
        said = [each.text() for each in strip.findChildren(QLabel)]
        assert (f"● {services.look.texts('dev.recording')}" in said) is is_said
