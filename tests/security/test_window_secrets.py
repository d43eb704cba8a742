"""What a person types into the real window as a secret is in no file that the program wrote (the issue's scan).

The whole program runs: window, web engine with its profile, proxy, sidecar. `test_secrets_scan` plants the others.
"""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.shell.dialogs.choosers import SecretDialog
from tests.security.planted import PLANTED, traces_below
from tests.shell.conftest import loop as loop  # noqa: PLC0414 - the same fixture, and it makes the engine ready
from tests.system.first_start import FirstStart

pytestmark = [pytest.mark.system, pytest.mark.timeout(300)]


def install_setup_tour(start: FirstStart) -> None:
    start.press("English")
    start.press(f"{start.says('welcome.look')}: Setup Tour")
    start.press(start.says("review.install"))
    start.wait_to_see(start.says("fix.title"))


def fill_secret(start: FirstStart, secret: str) -> None:
    start.press(start.says("fix.configure-secret"))
    start.until(lambda: bool(start.window.findChildren(SecretDialog)))
    [dialog] = start.window.findChildren(SecretDialog)
    dialog.field.setText(secret)
    dialog.accept()
    start.until(lambda: not start.sees(start.says("fix.configure-secret")))


def set_up(start: FirstStart, knowledge: Path) -> None:
    knowledge.mkdir()
    (knowledge / "rules.md").write_text("# Rules\n\nWater the lime tree on Mondays.")
    start.press(start.says("fix.bind-knowledge"))
    start.press(start.says("choose.either.folder"))
    start.save_dialog_at(knowledge)
    start.until(lambda: not start.sees(start.says("fix.bind-knowledge")))


def open_tour(start: FirstStart) -> None:
    start.press(start.says("page.open", entry="Tour"))
    if start.desk.services.sandbox.must_ask:
        start.press(start.says("sandbox.ask.open"))
    start.page_sees("Setup Tour")


def add_provider(start: FirstStart, key: str) -> None:
    start.window.show_settings("providers")
    start.wait_to_see(start.says("settings.providers.none"))
    [choice] = [each for each in start.window.findChildren(QComboBox) if each.isVisible()]
    start.until(lambda: choice.count() > 0)
    # One on this machine: nothing of a test goes elsewhere.
    choice.setCurrentIndex(choice.findText("Ollama", Qt.MatchFlag.MatchContains))
    name = start.says("settings.providers.key")
    [field] = [
        e
        for e in start.window.findChildren(QLineEdit)
        if e.accessibleName() == name and e.isVisible()
    ]
    field.setText(key)
    start.press(start.says("settings.providers.add.do"))
    start.until(lambda: not start.sees(start.says("settings.providers.none")))


def test_secrets_typed_into_the_window_are_in_no_file(
    qtbot: QtBot,
    tmp_path: Path,
    loop: asyncio.AbstractEventLoop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(SWITCH, "off")
    monkeypatch.setenv("PARENTS_TOKEN", PLANTED["parent's environment"])
    scripts = tmp_path / "scripts.json"
    scripts.write_text("{}")
    start = FirstStart(tmp_path / "home", scripts, qtbot, loop)
    install_setup_tour(start)
    fill_secret(start, PLANTED["app secret"])
    set_up(start, tmp_path / "handbook")
    open_tour(start)
    add_provider(start, PLANTED["provider key"])
    assert traces_below(tmp_path) == {}
    start.close()
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"host.db", "network.db", "settings.json"} <= {path.name for path in written}
    assert traces_below(tmp_path) == {}
