"""Home: the person's work first, then apps, and never a word that is not true yet (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QLineEdit, QMenu, QToolButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.appearance.accent import contrast
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.protocol.calls.sessions import ListSessionsParams, ListSessionsResult
from lime_desktop.protocol.calls.workflow_runs import LIST_OPEN_RUNS, ListOpenRunsResult
from lime_desktop.protocol.ids import AppId, SessionId, ThreadId
from lime_desktop.protocol.runtime.sessions import AgentSession, BusinessObjectRef
from lime_desktop.protocol.runtime.statuses import SessionStatus
from lime_desktop.shell.pages.home.home import HomePage
from lime_desktop.shell.surfaces.surface import Surface
from lime_desktop.shell.widgets.tiles import Lines, Tile
from tests.shell import questions
from tests.shell.stage import ROOT, Stage, set_stage

_LINE = 24
"""How far a second line of a tile's name may move what stands below it."""


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    yield made
    made.window.shut()


def home(stage: Stage) -> HomePage:
    QTest.qWait(1)  # what was put on the page is shown when Qt's loop turns
    found = stage.window.findChild(HomePage)
    assert found is not None
    return found


def tiles(stage: Stage) -> list[Tile]:
    found = home(stage).findChildren(Tile)
    shown = [each for each in found if each.isVisible()]
    return sorted(shown, key=lambda each: (each.mapTo(home(stage), each.pos()).y(), each.x()))


def headings(stage: Stage) -> list[str]:
    labels = home(stage).findChildren(QLabel)
    return [
        each.text() for each in labels if each.isVisible() and each.property("role") == "heading"
    ]


def session(number: int, status: SessionStatus) -> AgentSession:
    when = f"2026-01-0{number}T08:00:00Z"
    return AgentSession(
        session_id=SessionId(f"s{number}"),
        thread_id=ThreadId(f"t{number}"),
        app_id=AppId("every-kind"),
        title=f"Letter {number}",
        status=status,
        created_at=when,
        updated_at=when,
    )


def test_home_is_shown_before_there_is_a_loop(qtbot: QtBot, tmp_path: Path) -> None:
    """A bug: the window is shown before the loop runs, and what Home wanted to read then ended the program."""
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    assert made.window.isVisible()
    assert home(made).isVisible()
    made.window.shut()


def test_while_apps_are_read_home_shows_their_shapes_and_claims_nothing(stage: Stage) -> None:
    """A bug: at each start Home said for a second that there are no apps."""
    stage.window.await_apps(is_reading=True)
    stage.window.show_home()
    shapes = [
        each
        for each in home(stage).findChildren(QFrame)
        if each.property("role") == "skeleton" and each.isVisible()
    ]
    assert len(shapes) == 6
    height = shapes[0].height()
    assert "No apps yet" not in headings(stage)
    stage.add_every_kind()
    stage.window.await_apps(is_reading=False)
    [tile] = tiles(stage)
    assert abs(tile.height() - height) <= 40
    assert tile.accessibleName() == "Every Kind"


def test_home_goes_on_where_the_person_was(stage: Stage, tmp_path: Path) -> None:
    stage.add_every_kind()
    for key in ("strategist", "report"):
        stage.window.open_entry("every-kind", key)
    stage.window.show_home()
    assert headings(stage) == ["Continue", "Apps"]
    recent = [each.accessibleName() for each in tiles(stage)]
    texts = stage.services.registry.apps[0]
    wanted = [f"Every Kind · {texts.entry_title(key, 'en')}" for key in ("report", "strategist")]
    assert recent == [*wanted, "Every Kind"]
    QTest.mouseClick(tiles(stage)[1], Qt.MouseButton.LeftButton)
    front = stage.window.workspace.current
    assert isinstance(front, Surface)
    assert front.entry_key == "strategist"
    stage.services.recent.close()
    again = RecentWork(tmp_path / "recent.json", lambda: 0)
    assert [each.entry_key for each in again.entries] == ["strategist", "report"]


def test_what_waits_is_on_home_until_it_is_settled(stage: Stage, qtbot: QtBot) -> None:
    stage.add_every_kind()
    stage.window.show_home()
    answers: list[object] = []
    queue = stage.services.approvals.queue
    queue.ask(questions.OTHERS[0], answers.append)
    queue.ask(questions.OTHERS[1], answers.append)
    qtbot.waitUntil(lambda: "Waiting for you" in headings(stage))
    stage.window._approvals.close_panel()

    def looks() -> list[QAbstractButton]:
        found = home(stage).findChildren(QAbstractButton)
        return [each for each in found if each.isVisible() and each.text() == "Review"]

    qtbot.waitUntil(lambda: len(looks()) == 2, timeout=30_000)
    # Told apart by what they are about, and each leads to its own.
    names = [each.accessibleName() for each in looks()]
    assert [each.rpartition(" · ")[2].strip("”") for each in names] == ["0", "1"]
    QTest.mouseClick(looks()[1], Qt.MouseButton.LeftButton)
    assert stage.window._approvals.isVisible()
    assert queue.open[0] == questions.OTHERS[1]
    queue.withdraw([each.question_id for each in questions.OTHERS])
    qtbot.waitUntil(lambda: "Waiting for you" not in headings(stage))


def test_a_failed_run_waits_until_it_was_looked_at(
    stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.add_every_kind()
    stage.window.show_home()
    monkeypatch.setattr("lime_desktop.shell.pages.home.work._now_ms", lambda: 1_767_600_000_000)
    work = home(stage)._recent
    work._sessions = (session(4, "failed"), session(3, "completed"), session(2, "failed"))
    work._changed()
    assert headings(stage)[:2] == ["Continue", "Waiting for you"]

    def pressable(words: str) -> list[QAbstractButton]:
        found = home(stage).findChildren(QAbstractButton)
        return [each for each in found if each.isVisible() and words in each.accessibleName()]

    QTest.mouseClick(pressable("View: Letter 4")[0], Qt.MouseButton.LeftButton)
    assert stage.window.drawer.isVisible()
    QTest.mouseClick(pressable("Dismiss Letter 2")[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "Waiting for you" not in headings(stage))


def test_runs_of_one_name_are_one_way_to_go_on(stage: Stage) -> None:
    """A bug: one draft stood there four times, and nobody could tell which was which."""
    stage.add_every_kind()
    stage.window.show_home()
    work = home(stage)._recent
    again = [session(each, "completed").model_copy(update={"title": "Letter 3"}) for each in (5, 4)]
    work._sessions = (*again, session(3, "completed"), session(2, "completed"))
    work._changed()
    assert [each.accessibleName() for each in tiles(stage)] == [
        "Letter 3",
        "Letter 2",
        "Every Kind",
    ]


def test_the_failed_run_of_an_app_that_is_gone_waits_for_nobody(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: after *Uninstall and delete data* it stood there, under the app's raw id."""
    stage.add_every_kind()
    stage.window.show_home()
    monkeypatch.setattr("lime_desktop.shell.pages.home.work._now_ms", lambda: 1_767_600_000_000)
    work = home(stage)._recent
    gone = session(4, "failed").model_copy(update={"app_id": AppId("table-lens")})
    work._sessions = (gone,)
    work._changed()
    assert "Waiting for you" not in headings(stage)


def test_a_tile_has_the_menu_of_its_app(stage: Stage) -> None:
    stage.add_every_kind()
    stage.window.show_home()
    [tile] = tiles(stage)
    [more] = tile.findChildren(QAbstractButton)
    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    [menu] = [each for each in home(stage).findChildren(QMenu) if each.isVisible()]
    assert "Permissions" in [each.text() for each in menu.actions()]
    menu.close()
    assert stage.window.workspace.surfaces == ()


@pytest.mark.parametrize("look", ["light", "large-text", "chinese"])
def test_a_tile_says_all_of_it_beside_its_menu(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, look: str
) -> None:
    """A bug: what an app is for was cut after two lines, and with large letters sooner."""
    del loop
    made = set_stage(tmp_path, look)
    qtbot.addWidget(made.window)
    made.add_samples()
    made.window.show_home()
    for tile in tiles(made):
        shown = tile.findChildren(Lines)
        assert shown
        assert [each.accessibleName() for each in shown if each.is_cut] == []
        assert all(each.height() >= each.heightForWidth(each.width()) for each in shown)
        assert all(tile.rect().contains(each.geometry()) for each in shown)
        [more] = tile.findChildren(QAbstractButton)
        assert not [each for each in shown if each.geometry().intersects(more.geometry())]
    made.window.shut()


def test_a_text_of_many_lines_ends_after_three(qtbot: QtBot, tmp_path: Path) -> None:
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    tile = Tile(made.services.look.appearance.logo(), "Long", "many words " * 60, lambda: None)
    qtbot.addWidget(tile)
    tile.resize(280, tile.heightForWidth(280))
    tile.show()
    title, about = tile.findChildren(Lines)
    assert about.height() == 3 * about.fontMetrics().lineSpacing()
    assert about.is_cut
    assert not title.is_cut
    made.window.shut()


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_menu_of_a_tile_can_be_seen(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, look: str
) -> None:
    """A bug: its three dots were a pixel each, and nearly the colour of the tile."""
    del loop
    made = set_stage(tmp_path, look)
    qtbot.addWidget(made.window)
    made.add_every_kind()
    made.window.show_home()
    [tile] = tiles(made)
    [more] = tile.findChildren(QAbstractButton)
    seen = tile.grab(more.geometry()).toImage()
    colours = [
        seen.pixelColor(x, y).name() for x in range(seen.width()) for y in range(seen.height())
    ]
    ground = max(set(colours), key=colours.count)
    assert sum(contrast(each, ground) >= 3 for each in colours) >= 3 * 4
    made.window.shut()


def test_tiles_fill_the_width_they_are_given(stage: Stage, qtbot: QtBot) -> None:
    stage.add_samples()
    stage.window.show_home()
    stage.window.resize(1180, 780)
    qtbot.waitUntil(lambda: len({each.x() for each in tiles(stage)}) == 3)
    stage.window.resize(640, 780)
    qtbot.waitUntil(lambda: len({each.x() for each in tiles(stage)}) == 2)


def top_of(stage: Stage, heading: str) -> int:
    labels = home(stage).findChildren(QLabel)
    found = next(each for each in labels if each.isVisible() and each.text() == heading)
    return found.mapTo(home(stage), QPoint()).y()


def read_sessions(
    stage: Stage, qtbot: QtBot, sessions: tuple[AgentSession, ...] | None = None
) -> None:
    """The App Server says what ran last: one conversation, and one run that failed, unless others are named."""
    usual = (session(4, "failed"), session(3, "completed"))
    found = usual if sessions is None else sessions

    async def call(method: object, params: object) -> ListSessionsResult | ListOpenRunsResult:
        if method is LIST_OPEN_RUNS:
            return ListOpenRunsResult(runs=())
        assert isinstance(params, ListSessionsParams)
        begin = int(params.cursor or 0)
        end = begin + params.limit
        more = str(end) if end < len(found) else None
        return ListSessionsResult(sessions=found[begin:end], next_cursor=more)

    reading = asyncio.ensure_future(home(stage)._recent.read(cast("CallServer", call)))
    qtbot.waitUntil(reading.done)


def test_many_steps_of_a_run_crowd_no_conversation_out(stage: Stage, qtbot: QtBot) -> None:
    """A bug: each step stood under *Continue*, and of a run with thirty of them nothing else was read."""
    stage.add_every_kind()
    stage.window.show_home()
    about = BusinessObjectRef(kind="workflow-step", id="workflow_1:0:0000")
    step = session(4, "completed").model_copy(update={"business_object_ref": about})
    read_sessions(stage, qtbot, (*[step] * 40, session(3, "completed")))
    shown = [each.accessibleName() for each in tiles(stage)]
    assert "Letter 3" in shown
    assert "Letter 4" not in shown


@pytest.mark.parametrize("kind", ["benchmark-trial", None], ids=["a trial", "somebody's work"])
def test_a_trial_that_failed_waits_for_nobody(
    stage: Stage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, kind: str | None
) -> None:
    """Ours: who ran a benchmark has seen its table."""
    stage.add_every_kind()
    stage.window.show_home()
    monkeypatch.setattr("lime_desktop.shell.pages.home.work._now_ms", lambda: 1_767_600_000_000)
    about = BusinessObjectRef(kind=kind, id="ferry") if kind else None
    failed = session(4, "failed").model_copy(update={"business_object_ref": about})
    read_sessions(stage, qtbot, (failed,))
    assert ("Waiting for you" in headings(stage)) is (kind is None)


def test_nothing_on_home_moves_while_the_program_starts(
    stage: Stage, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: "Continue" came when all was there, and pushed the apps down under the pointer."""
    stage.add_every_kind()
    for key in ("strategist", "report"):
        stage.window.open_entry("every-kind", key)
    stage.window.show_home()
    monkeypatch.setattr("lime_desktop.shell.pages.home.work._now_ms", lambda: 1_767_600_000_000)
    read_sessions(stage, qtbot)
    wanted = top_of(stage, "Apps")
    stage.window.leave()

    later = set_stage(tmp_path, "light")
    qtbot.addWidget(later.window)
    later.window.await_apps(is_reading=True)
    later.services.registry.expect_setup()
    later.window.show_home()
    later.window.show()
    assert headings(later)[:3] == ["Continue", "Waiting for you", "Apps"]
    before = top_of(later, "Apps")
    # Whether a title takes a second line is known with the title alone.
    assert abs(before - wanted) <= _LINE
    later.services.registry.add([ROOT / "tests/shell/packages/every-kind"])
    later.window.await_apps(is_reading=False)
    assert len(tiles(later)) >= 3, "what is being checked can be pressed already"
    assert abs(top_of(later, "Apps") - before) <= _LINE
    read_sessions(later, qtbot)
    assert abs(top_of(later, "Apps") - before) <= _LINE
    later.window.shut()


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_cross_that_clears_the_search_stands_in_its_middle(stage: Stage, scale: float) -> None:
    """A bug: the shell's own buttons lent it their height, and it hung over the field's edge."""
    stage.services.settings.change(text_scale=scale)
    [field] = home(stage).findChildren(QLineEdit)
    QTest.keyClicks(field, "table")
    [cross] = field.findChildren(QToolButton)
    assert field.rect().contains(cross.geometry())
    assert abs(field.rect().center().y() - cross.geometry().center().y()) <= 1
    QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert field.text() == ""
