"""The skills of an app on its page: a switch that holds, and what is missing with the way to get it (the standard)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFrame, QLabel
from pytestqt.qtbot import QtBot

from lime_desktop.protocol.calls.skills import (
    INSTALL_SKILL,
    LIST_APP_SKILLS,
    InstallSkillParams,
    ListAppSkillsParams,
)
from lime_desktop.protocol.capability_calls.skills import Skill
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.shell.conftest import WAIT_MS
from tests.shell.stage import ROOT, Stage
from tests.shell.with_server import staged

pytestmark = pytest.mark.system

MORE = """\
skills:
  bundled:
    - { path: skills/tone, activation: manual }
  references:
    - { id: maker/seo, version: ^1.0.0 }
"""
FILES = {"skills/tone/SKILL.md": "---\nname: tone\ndescription: How we sound.\n---\nBe kind.\n"}


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop  # only has to be there: the window and its server are on it
    with staged(tmp_path, qtbot, "light", write_app(tmp_path, more=MORE, files=FILES)) as made:
        yield made


def card(stage: Stage) -> QFrame | None:
    found = stage.window.findChild(QFrame, "skills")
    return found if isinstance(found, QFrame) else None


def words(stage: Stage) -> str:
    shown = card(stage)
    return "\n".join(each.text() for each in shown.findChildren(QLabel)) if shown else ""


def switch(stage: Stage) -> QCheckBox:
    shown = card(stage)
    assert shown is not None
    [found] = shown.findChildren(QCheckBox)
    return found


def skills(stage: Stage, qtbot: QtBot) -> dict[str, Skill]:
    """What the server holds, by id."""
    asked = ListAppSkillsParams(app_id=AppId("notes"))
    listing = asyncio.ensure_future(stage.server.call(LIST_APP_SKILLS, asked))
    qtbot.waitUntil(listing.done, timeout=WAIT_MS)
    return {each.skill_id: each for each in listing.result().skills}


def test_a_manual_skill_is_switched_on_and_off_by_the_keyboard(stage: Stage, qtbot: QtBot) -> None:
    stage.window.show_details("notes")
    qtbot.waitUntil(lambda: card(stage) is not None, timeout=WAIT_MS)
    assert not switch(stage).isChecked()
    for is_on in (True, False):
        switch(stage).setFocus()
        QTest.keyClick(switch(stage), Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: skills(stage, qtbot)["tone"].enabled == is_on, timeout=WAIT_MS)  # noqa: B023 - waited for here
        qtbot.waitUntil(lambda: switch(stage).isChecked() == is_on, timeout=WAIT_MS)  # noqa: B023 - likewise


def add_skill(stage: Stage, qtbot: QtBot, folder: Path, version: str) -> None:
    """Add the skill that the app refers to, in this version, and look at the app's page again."""
    folder.mkdir()
    head = f"---\nname: seo\nid: maker/seo\nversion: {version}\ndescription: Words.\n---\n"
    (folder / "SKILL.md").write_text(head, encoding="utf-8")
    asked = InstallSkillParams(path=str(folder))
    adding = asyncio.ensure_future(stage.server.call(INSTALL_SKILL, asked))
    qtbot.waitUntil(adding.done, timeout=WAIT_MS)
    adding.result()
    stage.window.show_details("notes")


def test_a_missing_skill_says_what_is_wanted_and_is_there_once_a_fitting_one_was_added(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    stage.window.show_details("notes")
    qtbot.waitUntil(lambda: "^1.0.0" in words(stage), timeout=WAIT_MS)
    assert "SKILL.md" in words(stage)
    add_skill(stage, qtbot, tmp_path / "older", "0.9.0")
    told = "Version 0.9.0 is installed, and the app asks for ^1.0.0."
    qtbot.waitUntil(lambda: told in words(stage), timeout=WAIT_MS)
    assert not skills(stage, qtbot)["maker/seo"].available
    add_skill(stage, qtbot, tmp_path / "given", "1.2.0")
    assert skills(stage, qtbot)["maker/seo"].available
    qtbot.waitUntil(lambda: "^1.0.0" not in words(stage), timeout=WAIT_MS)


def test_what_skills_and_an_expert_are_for_is_said_in_the_persons_language(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop
) -> None:
    """A bug: in Chinese the introductions of Draft Desk's skills and of its editor were English."""
    del loop
    with staged(tmp_path, qtbot, "chinese", ROOT / "sample_apps/draft-desk") as stage:
        stage.window.show_details("draft-desk")
        qtbot.waitUntil(lambda: "平实用词" in words(stage), timeout=WAIT_MS)
        assert "更平实、更短或更易读" in words(stage)
        assert "Use when" not in words(stage)
        registry = stage.services.registry
        app = registry.app("draft-desk")
        assert app is not None
        for each in app.package.manifest.permissions:
            registry.grant("draft-desk", each.key)
        stage.window.open_entry("draft-desk", "editor")
        qtbot.waitUntil(lambda: "不清楚时先问" in greeting(stage), timeout=WAIT_MS)
        assert "asks before guessing" not in greeting(stage)


def greeting(stage: Stage) -> str:
    chat = stage.window.workspace.current
    return "\n".join(each.text() for each in chat.findChildren(QLabel)) if chat else ""
