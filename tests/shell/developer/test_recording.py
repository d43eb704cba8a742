"""A session that was recorded plays again with no difference; a changed bundle shows where it first differs (must-show 3)."""

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lime_desktop.developer.recording.lines import InputLine, ToAppLine, read_recording
from lime_desktop.developer.recording.replay import Difference
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.developer.recording.record_view import ViewRecording
from lime_desktop.shell.inspector.recording_page import RecordingPage
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.shell.developer.page_hands import PageHands
from tests.shell.open_desktop import ROOT, OpenDesktop, Shown

pytestmark = pytest.mark.system
NOTES = ROOT / "sample_apps/notes"
QUESTION = "When is the lime tree watered?"
ANSWER = "On Mondays."
STEPS: list[dict[str, object]] = [
    {"type": "model.requested", "payload": {"messageId": "m1", "model": "script"}},
    {"type": "model.delta", "payload": {"messageId": "m1", "delta": ANSWER}},
    {"type": "model.completed", "payload": {"messageId": "m1", "text": ANSWER}},
    {"type": "turn.completed", "payload": {}},
]
WAIT_MS = 120_000


@dataclass
class Studio:
    """Records sessions, and plays them."""

    folder: Path
    qtbot: QtBot
    loop: asyncio.AbstractEventLoop

    @property
    def file(self) -> Path:
        return self.folder / "session.jsonl"

    def record(self, session: Callable[[OpenDesktop, PageHands], None]) -> None:
        recordings: list[ViewRecording] = []

        def join(services: Composition, app_id: str) -> None:
            recordings.append(
                ViewRecording(services.opened_tabs, ROOT / "resources", app_id, self.file)
            )

        scripts = self.folder / "scripts.json"
        scripts.write_text(json.dumps({QUESTION: STEPS}), encoding="utf-8")
        shown = Shown(NOTES, "notebook", ("keep-notes", "use-model", "keep-documents"), scripts)
        desktop = OpenDesktop(self.folder / "data", self.qtbot, self.loop, shown, join)
        try:
            desktop.start_server()
            desktop.ask(RUN_MIGRATIONS, RunMigrationsParams(app_id=AppId("notes")))
            desktop.read_setup()
            desktop.tab.reload()
            session(desktop, PageHands(desktop, self.qtbot))
            recordings[0].close()
        finally:
            desktop.close()

    def step_through(self, package: Path) -> Difference | None:
        """Open the recording in an inspector, take a step, and play the rest."""
        folders = Folders(ROOT / "resources", self.folder / "again", self.folder / "settings.json")
        services = Composition(folders, HostSettings(locale="en", theme_mode="light"))
        services.registry.add([package])
        page = RecordingPage(services.look.texts, folders.resources, services.registry)
        ends: list[Difference | None] = []
        page.finished.connect(ends.append)
        page.open(str(self.file))
        page.step()
        self.qtbot.waitUntil(lambda: page.done == 1, timeout=WAIT_MS)
        page.play()
        self.qtbot.waitUntil(lambda: bool(ends), timeout=WAIT_MS)
        with self.qtbot.waitSignal(page.ended, timeout=WAIT_MS):
            page.end()
        page.deleteLater()
        return ends[0]


def take_notes(desktop: OpenDesktop, hands: PageHands) -> None:
    """Write a note, find it again, ask about it: timers, times, random ids and an agent's task."""
    hands.wait_until("d?.querySelector('#notes .nothing') != null")
    hands.click("new")
    hands.type_into("title", "Garden")
    hands.type_into("body", "Water the lime tree on Mondays.")
    hands.wait_until("d.querySelector('.saving')?.textContent === 'Saved'")
    hands.type_into("search", "lime")
    hands.wait_until("d.querySelectorAll('.note').length === 1")
    hands.click("open-ask")
    hands.type_into("question", QUESTION)
    hands.press(Qt.Key.Key_Return)
    desktop.sees("answer", ANSWER)


def test_a_recorded_session_replays_and_a_changed_bundle_names_the_first_difference(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    studio = Studio(tmp_path, qtbot, loop)
    studio.record(take_notes)
    recording = read_recording(studio.file)
    typed = [line for line in recording.lines if isinstance(line, InputLine)]
    assert {"click", "keydown", "input"} <= {str(line.event["type"]) for line in typed}
    assert any(isinstance(line, ToAppLine) for line in recording.lines)
    assert studio.step_through(NOTES) is None

    changed = tmp_path / "changed"
    shutil.copytree(NOTES, changed)
    script = changed / "dist/ui/work/notes.js"
    script.write_text(
        script.read_text("utf-8").replace("isPinned: false", "isPinned: true"), "utf-8"
    )
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "lime_desktop", "replay", str(studio.file), str(changed), "--json"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    difference = json.loads(done.stdout)["difference"]
    assert difference["path"] == "$.payload.input.row.isPinned"
    assert difference["expected"]["payload"]["method"] == "tableUpsert"
    assert difference["actual"]["payload"]["input"]["row"]["isPinned"] is True
