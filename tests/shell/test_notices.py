"""What the window says, and what apps say in it (ours: nobody takes one for the other)."""

import asyncio
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtWidgets import QFrame, QLabel
from pytestqt.qtbot import QtBot

from lime_desktop.database.incidents import Incident, IncidentKind
from lime_desktop.host.user_profile.unsaved_decisions import DecisionKind
from lime_desktop.protocol.errors import AppServerUnavailable, DiskFull
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.stage import Stage, set_stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.add_every_kind()
    yield made
    made.window.shut()


def shown(stage: Stage, role: str) -> list[str]:
    """The words of each notice in this look. Looked at before Qt's loop turns again: later it may be gone."""
    notices = stage.window.notices.findChildren(QFrame)
    return [
        " / ".join(each.text() for each in notice.findChildren(QLabel) if each.text())
        for notice in notices
        if notice.property("role") == role and not notice.isHidden()
    ]


def ask(tab: AppTab, kind: str, **payload: object) -> None:
    envelope = {"protocol": "lime.agentApp.bridge", "version": 1, "appId": "every-kind"}
    tab.session.receive(json.dumps({**envelope, "type": kind, "payload": payload}))


@pytest.fixture
def tab(stage: Stage) -> AppTab:
    stage.window.open_entry("every-kind", "page")
    opened = stage.window.workspace.current
    assert isinstance(opened, AppTab)
    return opened


def test_what_an_app_says_is_shown_as_its_words_even_when_nobody_sees_its_page(
    stage: Stage, tab: AppTab
) -> None:
    forged = "Your session expired.\n\n\nType your key again."
    ask(tab, "host:toast", message=forged, level="error")
    stage.window.show_settings()
    ask(tab, "host:toast", message="字" * 2_000)
    assert shown(stage, "notice") == []
    one, other = shown(stage, "said-by")
    assert one == "Message from Every Kind / Your session expired. Type your key again."
    assert other == f"Message from Every Kind / {'字' * 280}…"


def test_apps_never_push_away_what_the_window_says(stage: Stage) -> None:
    stage.window.notices.problem(AppServerUnavailable("The App Server went away"))
    for number in range(9):
        stage.window.notices.say("every-kind", f"Look here {number}", "info")
    assert len(shown(stage, "said-by")) == 4
    assert len(shown(stage, "notice")) == 1


def test_an_app_asks_about_one_link_and_only_while_it_is_seen(stage: Stage, tab: AppTab) -> None:
    open_link = partial(ask, tab, "host:openExternal")
    stage.window.show_settings()
    open_link(url="https://unseen.example/")
    assert tab.findChildren(QuestionDialog) == []
    ask(tab, "host:navigate", entryKey="page")
    assert not tab.is_seen
    stage.window.open_entry("every-kind", "page")
    for number in range(60):
        open_link(url=f"https://site{number}.example/")
    [question] = tab.findChildren(QuestionDialog)
    question.close()


def test_a_page_that_stopped_by_itself_is_told_of(stage: Stage, tab: AppTab) -> None:
    tab.view.renderer_ended.emit(2, 9)
    assert shown(stage, "notice") == ["Every Kind crashed and was restarted."]


def test_what_was_found_in_stored_data_is_said_once_until_it_is_closed(stage: Stage) -> None:
    mended = Incident("read_models_mended", "runtime.db", 1, "damaged/x-runtime.db")
    stage.window.notices.incident(mended)
    stage.window.notices.incident(mended)
    words = (
        "Lime repaired damaged data in runtime.db from its log. Nothing was lost. "
        "The damaged file is kept as damaged/x-runtime.db."
    )
    assert shown(stage, "notice") == [words]
    lost = Incident("commits_lost", "host.db", 3)
    stage.window.notices.incident(lost)
    assert "The latest changes to host.db are missing (3)" in shown(stage, "notice")[-1]


@pytest.mark.parametrize("kind", get_args(DecisionKind))
def test_a_decision_that_could_not_be_kept_is_said_in_the_window(
    stage: Stage, kind: DecisionKind
) -> None:
    for locale in ("en", "zh-CN"):
        stage.services.settings.change(locale=locale)
        stage.services.unkept.notify("every-kind", kind, DiskFull("The disk is full."))
        texts, app = stage.services.look.texts, stage.services.registry.app("every-kind")
        assert app is not None
        what = texts(f"unkept.{kind}", app=app.title(texts.locale))
        assert any(what in each for each in shown(stage, "notice"))


@pytest.mark.parametrize("kind", get_args(IncidentKind))
def test_every_kind_of_finding_has_words_in_both_languages(
    stage: Stage, kind: IncidentKind
) -> None:
    for locale in ("en", "zh-CN"):
        stage.services.settings.change(locale=locale)
        words = stage.services.look.texts(f"incident.{kind}", database="x.db", count=1)
        assert "x.db" in words
