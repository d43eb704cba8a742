"""An app's own viewer of an artifact: beside what it was opened from, in a view of its own, with a way back to the host's."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.apps.artifact_viewers import OwnViewer, own_viewer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.shell.surfaces.artifact_viewer import ArtifactPage, ArtifactViewer
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.stage import Stage, set_stage

MANIFEST = """---
manifestVersion: 0.10.0
name: desk
displayName: Desk
description: Shows what it made.
version: 1.0.0
status: ready
appType: agent-app
requires: { capabilities: { lime.ui: ">=0.3.0" } }
runtimePackage: { ui: { path: dist/ui, entry: index.html, format: static } }
entries:
  - { key: board, kind: page, title: Board, route: / }
  - { key: chat, kind: expert-chat, title: Chat, persona: ./agents/chat.md }
artifactTypes:
  - { key: report, viewer: /report, exporters: [json] }
  - { key: sheet, exporters: [csv] }
  - { key: plan, viewer: board }
  - { key: outside, viewer: "//elsewhere.example/x" }
ui:
  artifactViewers:
    - { artifactTypes: [sketch, draft], route: /sketch }
    - { type: note, entry: board }
---

# Desk
"""


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[Stage]:
    del loop
    package = tmp_path / "desk"
    (package / "dist/ui").mkdir(parents=True)
    (package / "agents").mkdir()
    (package / "agents/chat.md").write_text("Help.", encoding="utf-8")
    (package / "dist/ui/index.html").write_text("<h1>Desk</h1>", encoding="utf-8")
    (package / "APP.md").write_text(MANIFEST, encoding="utf-8")
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.services.registry.add([package])
    yield made
    made.window.shut()


def app_of(stage: Stage) -> RegisteredApp:
    found = stage.services.registry.app("desk")
    assert found is not None
    return found


def shown(stage: Stage, kind: str = "report", artifact_id: str = "artifact_1") -> ShownArtifact:
    return ShownArtifact(
        title=f"Q1 {artifact_id}",
        kind=kind,
        version=1,
        text="The words of it.",
        is_data=False,
        media_type="text/markdown",
        size_bytes=16,
        artifact_id=artifact_id,
        viewer=own_viewer(app_of(stage), kind),
    )


def board(stage: Stage) -> AppTab:
    stage.window.open_entry("desk", "board")
    opened = stage.window.workspace.current
    assert isinstance(opened, AppTab)
    return opened


def viewer_beside(stage: Stage) -> AppTab:
    [frame] = stage.window.workspace.panel_parts
    assert isinstance(frame.surface, AppTab)
    return frame.surface


def test_the_app_s_own_viewer_stands_beside_the_page_that_opened_it(stage: Stage) -> None:
    tab = board(stage)
    routes: list[str] = []
    tab.port.show_artifact(shown(stage))
    viewer = viewer_beside(stage)
    viewer.view.routed.connect(routes.append)
    assert stage.window.workspace.tabs == (tab,)
    assert tab.isAncestorOf(viewer)
    assert stage.window.workspace.panel_parts[0].title.text() == "Q1 artifact_1"
    assert viewer.view.page() is not tab.view.page()
    assert viewer.view.page().profile() is tab.view.page().profile()
    assert not stage.window.findChildren(ArtifactViewer)


def test_it_is_no_entry_so_nothing_finds_it_by_one_and_no_start_brings_it_back(
    stage: Stage,
) -> None:
    tab = board(stage)
    tab.port.show_artifact(shown(stage))
    space = stage.window.workspace
    assert [each.entry_key for each in space.entries()] == ["board"]
    assert space.open_at("desk", "board") is tab


def test_the_person_switches_to_the_host_s_own_view_and_back(stage: Stage, qtbot: QtBot) -> None:
    board(stage).port.show_artifact(shown(stage))
    viewer = viewer_beside(stage)
    [frame] = stage.window.workspace.panel_parts
    [switch] = [
        each
        for each in frame.findChildren(QToolButton)
        if each.accessibleName() == "Show as Lime does"
    ]
    switch.setFocus()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    [own] = viewer.findChildren(ArtifactPage)
    assert own.isVisible()
    assert not viewer.view.isVisible()
    assert switch.accessibleName() == "Show in the app's viewer"
    assert QApplication.focusWidget() is switch
    QTest.keyClick(switch, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not viewer.findChildren(ArtifactPage))
    assert viewer.view.isVisible()


def test_another_artifact_takes_the_place_of_the_one_before(stage: Stage, qtbot: QtBot) -> None:
    tab = board(stage)
    tab.port.show_artifact(shown(stage))
    tab.port.show_artifact(shown(stage, artifact_id="artifact_2"))
    qtbot.waitUntil(lambda: len(stage.window.workspace.panel_parts) == 1)
    assert viewer_beside(stage).title == "Q1 artifact_2"


def test_it_is_told_of_its_artifact_alone(stage: Stage) -> None:
    board(stage).port.show_artifact(shown(stage))
    viewer = viewer_beside(stage)
    assert viewer._only_artifact() == "artifact_1"


def test_a_kind_without_a_viewer_is_shown_by_the_host(stage: Stage) -> None:
    tab = board(stage)
    tab.port.show_artifact(shown(stage, "sheet"))
    assert stage.window.workspace.panel_parts == ()
    [dialog] = tab.findChildren(ArtifactViewer)
    assert dialog.isVisible()


def test_what_a_conversation_made_is_shown_by_the_app_s_viewer_too(stage: Stage) -> None:
    stage.window.open_entry("desk", "chat")
    chat = stage.window.workspace.current
    assert chat is not None
    chat.artifact_wanted.emit(shown(stage))
    assert chat.isAncestorOf(viewer_beside(stage))


def test_what_a_run_made_is_shown_beside_an_open_entry_of_its_app_else_by_the_host(
    stage: Stage,
) -> None:
    stage.window.drawer.artifact_wanted.emit("desk", shown(stage))
    [dialog] = stage.window.findChildren(ArtifactViewer)
    dialog.close()
    tab = board(stage)
    stage.window.show_home()
    stage.window.drawer.artifact_wanted.emit("desk", shown(stage))
    assert tab.isAncestorOf(viewer_beside(stage))
    assert viewer_beside(stage).isVisible()


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("report", OwnViewer("board", "/report")),
        ("plan", OwnViewer("board", "/")),
        ("sketch", OwnViewer("board", "/sketch")),
        ("draft", OwnViewer("board", "/sketch")),
        ("note", OwnViewer("board", "/")),
        ("sheet", None),
        ("outside", None),
        ("unknown", None),
    ],
)
def test_a_viewer_is_a_page_of_the_app_itself(
    stage: Stage, kind: str, wanted: OwnViewer | None
) -> None:
    assert own_viewer(app_of(stage), kind) == wanted


def test_its_address_carries_an_id_and_nothing_else_of_this_machine() -> None:
    assert OwnViewer("board", "/report").address_of("a&b=/c") == "/report?artifact=a%26b%3D/c"
    assert OwnViewer("board", "/r?x=1").address_of("a1") == "/r?x=1&artifact=a1"
