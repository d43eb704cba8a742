"""Settings count what a person stored, and call by its name what came about by itself (ours)."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.database.connection import open_for_writing
from lime_desktop.host.app_center.records.layout import CenterLayout
from lime_desktop.host.app_center.records.removal import RemovalItem, UninstallKind
from lime_desktop.protocol.calls.app_data import RetentionTerms
from lime_desktop.protocol.errors import AppServerUnavailable
from tests.conformance.packages import write_package
from tests.host.apps.test_retention import files as retention_files
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.stage import ROOT, Stage, set_stage


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    finish(made.install(ROOT / "sample_apps/hello-lime", "keep-greeting"))
    yield made
    made.window.shut()
    finish(made.leave())


@pytest.mark.parametrize(
    ("section", "afterwards"), [("storage", "No data yet"), ("privacy", "No apps yet.")]
)
def test_data_of_an_uninstalled_app_are_listed_and_deleted(
    stage: Stage, qtbot: QtBot, finish: Finish, section: str, afterwards: str
) -> None:
    """A bug: it said that there are no data, while Home listed what an uninstalled app had left. Privacy left them out."""

    def seen(words: str) -> bool:
        labels = stage.window.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def press(words: str) -> None:
        buttons = stage.window.findChildren(QAbstractButton)
        fitting = [each for each in buttons if each.isVisible() and words in each.text()]
        QTest.mouseClick(fitting[-1], Qt.MouseButton.LeftButton)

    center = stage.services.registry.require_center()
    finish(stage.keep_value("hello-lime", "greeting", "Good morning"))
    finish(center.uninstall("hello-lime", UninstallKind.KEEP_DATA))
    stage.window.show_settings(section)
    qtbot.waitUntil(lambda: seen("The app is uninstalled. 1 item,"), timeout=WAIT_MS)
    press("Delete…")
    qtbot.waitUntil(lambda: seen("Delete all Hello Lime data?"), timeout=WAIT_MS)
    press("Delete data")
    gone = "The app is uninstalled."
    qtbot.waitUntil(lambda: seen(afterwards) and not seen(gone), timeout=WAIT_MS)
    assert center.kept_data() == ()


def test_an_amount_that_could_not_be_told_is_told_when_it_can_be(
    stage: Stage, qtbot: QtBot, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: who opened the section during a start read for ever that the amounts are not available."""

    def seen(words: str) -> bool:
        labels = stage.window.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    async def away(_app_id: str) -> tuple[RemovalItem, ...]:
        raise AppServerUnavailable("It starts")

    finish(stage.keep_value("hello-lime", "greeting", "Good morning"))
    center = stage.services.registry.require_center()
    monkeypatch.setattr("lime_desktop.shell.settings.storage._AGAIN_S", 0.01)
    with monkeypatch.context() as starting:
        starting.setattr(center, "data_of", away)
        stage.window.show_settings("storage")
        qtbot.waitUntil(lambda: seen("Not available until"), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: seen("1 item,"), timeout=WAIT_MS)


def test_a_web_profile_alone_is_no_item(
    stage: Stage, tmp_path: Path, qtbot: QtBot, finish: Finish
) -> None:
    """A bug: an app that was only looked at had "1 item", which nobody had made."""

    def wait_to_see(words: str) -> None:
        stage.window.show_settings("storage")
        labels = stage.window.findChildren
        qtbot.waitUntil(
            lambda: any(words in each.text() for each in labels(QLabel) if each.isVisible()),
            timeout=WAIT_MS,
        )

    view = CenterLayout(tmp_path / "center/data").view_of("hello-lime")
    finish(stage.write(view / "Preferences", "{}" * 2_000))
    wait_to_see("Browser data of its pages")
    finish(stage.keep_value("hello-lime", "greeting", "Good morning"))
    wait_to_see("1 item,")


def test_old_data_are_removed_or_kept_as_the_switch_says(
    stage: Stage, qtbot: QtBot, finish: Finish, tmp_path: Path
) -> None:
    """The standard: retention holds as declared; ours: once a person agreed, and no longer than they do."""
    finish(stage.install(write_package(tmp_path / "package", retention_files()), "keep"))
    center = stage.services.registry.require_center()

    def agreed() -> RetentionTerms | None:
        app = center.installed_app("notes")
        assert app is not None
        return app.agreed_retention

    terms = agreed()
    assert terms is not None
    stage.window.show_settings("storage")
    words = "Entries of “visits” that did not change for 30 days are removed."
    qtbot.waitUntil(
        lambda: any(words in each.text() for each in stage.window.findChildren(QLabel)),
        timeout=WAIT_MS,
    )

    def press() -> None:
        [box] = [each for each in stage.window.findChildren(QCheckBox) if each.isVisible()]
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Space)

    def told(words: str) -> bool:
        labels = stage.window.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    press()
    qtbot.waitUntil(lambda: agreed() is None and told("stays."), timeout=WAIT_MS)
    press()
    qtbot.waitUntil(lambda: agreed() == terms and told("from now on (0 removed)"), timeout=WAIT_MS)


def test_what_would_go_at_once_is_asked_about_before_the_switch_is_on(
    stage: Stage, qtbot: QtBot, finish: Finish, tmp_path: Path
) -> None:
    """A bug: the switch removed what could not be brought back, and said how much afterwards."""
    finish(stage.install(write_package(tmp_path / "package", retention_files()), "keep"))
    finish(stage.keep_value("notes", "old", "x"))
    center = stage.services.registry.require_center()
    finish(center.permissions.agree_to_retention("notes", None))
    [storage] = (tmp_path / "center").rglob("apps/*.db")
    with closing(open_for_writing(storage, trusts_schema=True)) as database:
        database.execute("UPDATE lime_entry SET updated_at = '2020-01-01T00:00:00.000Z'")
    stage.window.show_settings("storage")
    texts = stage.services.look.texts

    def seen(words: str) -> bool:
        labels = stage.window.findChildren(QLabel)
        return any(words in each.text() for each in labels if each.isVisible())

    def press(kind: type[QAbstractButton], words: str = "") -> None:
        buttons = [each for each in stage.window.findChildren(kind) if each.isVisible()]
        found = next(each for each in buttons if each.text() == words)
        found.setFocus()
        QTest.keyClick(found, Qt.Key.Key_Space)

    def agreed() -> bool:
        app = center.installed_app("notes")
        return app is not None and app.agreed_retention is not None

    question = texts("settings.storage.retention.ask", app="notes", count=1)
    qtbot.waitUntil(lambda: seen("Entries of “visits”"), timeout=WAIT_MS)
    for answer in ("action.cancel", "settings.storage.retention.yes"):
        press(QCheckBox)
        qtbot.waitUntil(lambda: seen(question), timeout=WAIT_MS)
        assert not agreed()
        press(QPushButton, texts(answer))
        qtbot.waitUntil(lambda: not seen(question), timeout=WAIT_MS)
    qtbot.waitUntil(lambda: agreed() and seen("from now on (1 removed)"), timeout=WAIT_MS)
