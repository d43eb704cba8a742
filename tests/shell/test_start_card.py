"""The first start as the author suggests it: steps, an entry and a workflow on the app's page (the standard: quickstart)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QTabBar
from pytestqt.qtbot import QtBot

from lime_desktop.host.apps.registry import SetupFacts
from tests.host.app_center.packages import NOTES, make_package
from tests.shell.conftest import Finish
from tests.shell.stage import Stage, set_stage

_MORE = """secrets: [{ key: mail_password, required: true }]
knowledgeTemplates: [{ key: brand_guidelines, standard: agentknowledge, type: reference }]
workflows: [{ key: weekly_plan, path: workflows/plan.yaml }]
quickstart:
  entry: main
  sampleWorkflow: weekly_plan
  setupSteps:
    - configure_secret: mail_password
    - bind_knowledge: brand_guidelines
    - grant_permission: keep
    - { title: Water the plants, titleI18n: { zh-CN: 给植物浇水 } }"""
_PLAN = """key: weekly_plan
title: Weekly plan
states: [{key: draft, kind: agent-task}, {key: review, kind: human-review}]
recovery: {onTimeout: fail, onError: fail, maxRetries: 1}"""


@pytest.fixture(params=["light", "chinese"])
def stage(
    request: pytest.FixtureRequest,
    qtbot: QtBot,
    tmp_path: Path,
    loop: asyncio.AbstractEventLoop,
    finish: Finish,
) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, request.param)
    qtbot.addWidget(made.window)
    package = make_package(
        tmp_path / "from", permissions=NOTES, more=_MORE, files={"workflows/plan.yaml": _PLAN}
    )
    made.services.registry.add([package])
    made.services.registry.learn("notes", SetupFacts(storage_quota_bytes=1 << 30))
    made.window.show_details("notes")
    yield made
    made.window.shut()
    finish(made.leave())


def lines(stage: Stage) -> list[str]:
    card = stage.window.findChild(QFrame, "start")
    return [each.text() for each in card.findChildren(QLabel)] if card is not None else []


def buttons(stage: Stage) -> list[QPushButton]:
    card = stage.window.findChild(QFrame, "start")
    return card.findChildren(QPushButton) if card is not None else []


def press(stage: Stage, words: str) -> None:
    [found] = [each for each in buttons(stage) if each.text() == words]
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)
    QTest.qWait(1)  # the page is filled anew when Qt's loop turns


@pytest.mark.parametrize("stage", ["light"], indirect=True)
def test_each_step_stands_on_the_apps_page_and_is_done_without_a_restart(stage: Stage) -> None:
    said = lines(stage)
    assert said[:2] == ["Get started", "1"]
    for words in (
        "Enter a secret: mail password",
        "Choose knowledge: brand guidelines",
        "Allow: Keep data on this computer",
        "Water the plants",
        "Begin with “Main”",
    ):
        assert words in said, said
    assert [each.text() for each in buttons(stage)] == [
        "Enter…",
        "Choose knowledge…",
        "Allow",
        "Open",
    ]
    assert "Done" not in said
    assert not buttons(stage)[-1].isEnabled()

    press(stage, "Allow")
    assert lines(stage).count("Done") == 1
    facts = SetupFacts(configured_secrets=frozenset({"mail_password"}), storage_quota_bytes=1 << 30)
    stage.services.registry.learn("notes", facts)
    QTest.qWait(1)
    assert lines(stage).count("Done") == 2
    # Knowledge that is optional keeps nothing shut.
    assert [each.text() for each in buttons(stage)] == ["Choose knowledge…", "Open"]
    assert buttons(stage)[-1].isEnabled()


@pytest.mark.parametrize("stage", ["light"], indirect=True)
def test_the_sample_workflow_is_shown_with_its_steps_and_never_offered_where_it_cannot_run(
    stage: Stage,
) -> None:
    said = lines(stage)
    assert "Try the workflow “Weekly plan”" in said
    assert "draft → review" in said
    [check] = [
        each
        for app in stage.services.registry.apps
        for each in app.readiness.checks
        if each.kind == "workflow"
    ]
    assert check.message in said


@pytest.mark.parametrize("stage", ["light"], indirect=True)
def test_a_step_of_the_start_card_is_not_told_again_below_it(stage: Stage) -> None:
    every = stage.window.findChildren(QPushButton)
    assert [each.text() for each in every if each.isVisible()].count("Enter…") == 1


@pytest.mark.parametrize("stage", ["chinese"], indirect=True)
def test_it_is_written_in_the_persons_language(stage: Stage) -> None:
    said = lines(stage)
    for words in ("开始使用", "给植物浇水", "输入密钥：mail password", "从“Main”开始"):
        assert words in said, said


@pytest.mark.parametrize("by", ["the card", "opening the app"])
def test_it_begins_with_the_entry_that_the_author_names(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish, by: str
) -> None:
    """The standard: `quickstart.entry`, wherever it stands among the entries."""
    del loop
    more = """- { key: letters, kind: settings, title: Letters }
quickstart: { entry: letters, setupSteps: [{ title: Water the plants }] }"""
    stage = set_stage(tmp_path, "light")
    qtbot.addWidget(stage.window)
    finish(stage.install(make_package(tmp_path / "from", more=more), "keep"))
    stage.window.show_details("notes")
    if by == "the card":
        assert "Begin with “Letters”" in lines(stage)
        press(stage, "Open")
    else:
        stage.window.open_app("notes")
    tabs = stage.window.findChildren(QTabBar)
    assert {bar.tabText(at) for bar in tabs for at in range(bar.count())} == {"Notes · Letters"}
    stage.window.shut()
    finish(stage.leave())


_BOOK = """key: weekly_plan
title: Weekly plan
inputs: {type: object, required: [TAKES], properties: {TAKES}}
states: [{key: begin, kind: start, next: end}]
recovery: {onTimeout: fail, onError: fail, maxRetries: 1}"""


@pytest.mark.parametrize("takes", ["words: {type: string}", "bill: {type: object}"])
def test_a_workflow_that_nobody_can_begin_by_hand_is_no_first_step(
    qtbot: QtBot,
    tmp_path: Path,
    loop: asyncio.AbstractEventLoop,
    finish: Finish,
    takes: str,
) -> None:
    """A bug: the second of two first steps led to an empty box for JSON."""
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    name = takes.partition(":")[0]
    book = _BOOK.replace("[TAKES]", f"[{name}]").replace("TAKES", takes)
    package = make_package(
        tmp_path / "from", permissions=NOTES, more=_MORE, files={"workflows/plan.yaml": book}
    )
    made.services.registry.add([package])
    made.services.registry.learn("notes", SetupFacts(storage_quota_bytes=1 << 30))
    made.window.show_details("notes")
    is_offered = any("Weekly plan" in each for each in lines(made))
    assert is_offered is ("string" in takes)
    made.window.shut()
    finish(made.leave())
