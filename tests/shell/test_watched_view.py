"""An app that crashes, hangs or never starts: the host says so and the window goes on (ours)."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.view.process_memory import resident_bytes
from lime_desktop.host.wording.texts import Texts, read_texts
from lime_desktop.shell.app_view.watched_view import RESTARTS, WatchedView
from tests.shell.conftest import ShowApp, ShownApp

LOCALES = Path(__file__).parents[2] / "resources/locales"
PAGE = '<!doctype html><script type="module" src="/app.js"></script>'
READY = 'parent.postMessage("ready", "*");'


class Watched:
    """A view under watch, as a person sees it."""

    def __init__(
        self, shown: ShownApp, texts: Texts, timeout_s: float, memory_bytes: int | None
    ) -> None:
        self.shown = shown
        self.place = WatchedView(
            shown.view, texts, lambda: "Demo", timeout_s, memory_bytes=memory_bytes
        )
        self.reloads = 0
        self.place.reloading.connect(self._count)
        shown.view.received.connect(self._tell_ready)
        self.place.resize(640, 480)
        self.place.show()

    def sees(self, words: str) -> bool:
        labels = self.place.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def press(self, words: str) -> None:
        buttons = self.place.findChildren(QPushButton)
        next(each for each in buttons if each.isVisible() and words in each.text()).click()

    def crash(self) -> None:
        """Kill the page's process, and wait until the host knows."""
        ended = len(self.shown.ended)
        os.kill(self.shown.view.page().renderProcessPid(), signal.SIGKILL)
        self.shown.wait(lambda: len(self.shown.ended) > ended)

    def _count(self) -> None:
        self.reloads += 1

    def _tell_ready(self, _: str) -> None:
        self.place.notify_ready()


class Watch:
    """Opens an app of one script under watch."""

    def __init__(self, show_app: ShowApp) -> None:
        self.opened: list[Watched] = []
        self._show_app = show_app

    def __call__(
        self,
        script: str,
        timeout_s: float = 60.0,
        memory_bytes: int | None = None,
        **files: str,
    ) -> Watched:
        shown = self._show_app({"index.html": PAGE, "app.js": script, **files})
        watched = Watched(shown, read_texts(LOCALES, ["en"]), timeout_s, memory_bytes)
        self.opened.append(watched)
        watched.place.load()
        return watched


@pytest.fixture
def watch(show_app: ShowApp) -> Iterator[Watch]:
    watch = Watch(show_app)
    yield watch
    for watched in watch.opened:
        watched.place._pulse.stop()
        watched.place._memory.stop()
        watched.shown.close()
        watched.place.deleteLater()


def test_a_crashed_page_comes_back_by_itself_and_not_forever(watch: Watch) -> None:
    watched = watch(READY)
    told: list[int] = []
    watched.place.restarted.connect(lambda: told.append(1))
    for times in range(RESTARTS + 1):
        watched.shown.hear(times + 1)
        watched.crash()
    assert len(told) == RESTARTS
    assert watched.sees("Demo stopped working")
    assert watched.sees(f"{RESTARTS + 1} times in a row")
    said = len(watched.shown.received)
    watched.press("Reload")
    watched.shown.hear(said + 1)
    assert not watched.sees("Demo stopped working")


def test_an_endless_loop_leaves_the_window_alive_and_can_be_stopped(
    watch: Watch, qtbot: QtBot
) -> None:
    watched = watch(READY + "setTimeout(() => { for (;;); }, 0);", timeout_s=0.5)
    watched.shown.hear()
    watched.shown.wait(lambda: watched.sees("Demo is not responding"))
    turned: list[int] = []
    QTimer.singleShot(0, lambda: turned.append(1))
    qtbot.waitUntil(lambda: bool(turned), timeout=30_000)
    watched.press("Stop")
    watched.shown.wait(lambda: watched.sees("You stopped Demo"))
    assert not watched.sees("is not responding")


def test_a_hang_is_noticed_after_the_page_was_out_of_sight_too(watch: Watch) -> None:
    hangs = 'addEventListener("message", () => { for (;;); });'
    watched = watch(hangs + READY, timeout_s=0.5)
    watched.shown.hear()
    watched.place.set_seen(is_seen=False)
    watched.place.set_seen(is_seen=True)
    watched.shown.view.post("1")
    watched.shown.wait(lambda: watched.sees("Demo is not responding"))
    watched.place.stop_page()
    watched.shown.wait(lambda: watched.sees("You stopped Demo"))


def test_a_page_that_answers_after_all_is_left_in_peace(watch: Watch) -> None:
    busy = "const until = Date.now() + 3000; setTimeout(() => { while (Date.now() < until); }, 0);"
    watched = watch(READY + busy, timeout_s=0.5)
    watched.shown.wait(lambda: watched.sees("Demo is not responding"))
    watched.shown.wait(lambda: not watched.sees("Demo is not responding"))
    assert watched.shown.ended == []


@pytest.mark.parametrize(
    ("script", "sign", "words"),
    [
        ('import "/gone.js";', "gone.js", "is missing: /gone.js"),
        ('throw new Error("broken on purpose");', "broken on purpose", "script failed"),
        ('await import("https://example.com/lib.js");', "Content Security", "that is not allowed"),
    ],
)
def test_a_page_that_never_starts_gets_a_diagnosis(
    watch: Watch, script: str, sign: str, words: str
) -> None:
    watched = watch(script)
    trouble = watched.place._trouble
    watched.shown.wait(lambda: any(sign in line for line in (*trouble.lines, *trouble.missing)))
    watched.place._ready_timer.timeout.emit()
    assert watched.sees("Demo didn't start")
    assert watched.sees(words)


def test_a_page_that_starts_late_takes_its_place(watch: Watch) -> None:
    late = f'addEventListener("message", () => {{ {READY} }}); parent.postMessage("loaded", "*");'
    watched = watch(late)
    watched.shown.hear()
    watched.place._on_silence()
    assert watched.sees("did not report that it is ready")
    watched.shown.view.post("1")
    watched.shown.wait(lambda: not watched.sees("did not report that it is ready"))


def test_a_page_that_stays_hidden_stands_still_until_it_is_seen(watch: Watch) -> None:
    watched = watch(READY)
    watched.shown.hear()
    page = watched.shown.view.page()
    watched.place.hide()
    watched.place.set_seen(is_seen=False)
    watched.shown.wait(lambda: page.recommendedState() != QWebEnginePage.LifecycleState.Active)
    watched.place._freeze_timer.timeout.emit()
    assert page.lifecycleState() is QWebEnginePage.LifecycleState.Frozen
    watched.place.show()
    watched.place.set_seen(is_seen=True)
    assert page.lifecycleState() is QWebEnginePage.LifecycleState.Active


GREEDY = "globalThis.kept = []; setInterval(() => kept.push(new Uint8Array(16e6).fill(1)), 20);"


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="only Linux says what a process holds"
)
def test_a_page_that_takes_too_much_memory_is_stopped_and_can_be_loaded_again(watch: Watch) -> None:
    """A bug demands it: a renderer reached 11 GB."""
    script = READY + "if (!localStorage.tried) { localStorage.tried = 1;" + GREEDY + "}"
    watched = watch(script, memory_bytes=400 * 1024**2)
    watched.shown.wait(lambda: watched.sees("Demo used too much memory"))
    assert watched.sees("419 MB")
    assert len(watched.shown.ended) == 1
    said = len(watched.shown.received)
    watched.press("Reload")
    watched.shown.wait(lambda: len(watched.shown.received) > said)
    assert not watched.sees("Demo used too much memory")


def test_a_page_that_asks_for_files_without_end_is_stopped_and_costs_the_host_little(
    watch: Watch,
) -> None:
    """A bug demands it: 40,000 fetches at once grew the window by 1.1 GB."""
    script = (
        READY
        + "if (!localStorage.tried) { localStorage.tried = 1; for (let n = 0; n < 40000; n++) fetch('/app.js?' + n).catch(() => 0); }"
    )
    watched = watch(script)
    before = resident_bytes(os.getpid()) or 0
    watched.shown.wait(lambda: watched.sees("Demo made too many requests"))
    # Nothing is known of it elsewhere than on Linux.
    assert (resident_bytes(os.getpid()) or 0) - before < 400 * 1024**2
    said = len(watched.shown.received)
    watched.press("Reload")
    watched.shown.wait(lambda: len(watched.shown.received) > said)
    assert not watched.sees("Demo made too many requests")
