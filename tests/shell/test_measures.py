"""How an app does over time, on its page: read from real runs, held against the author's bounds (the standard: health.metrics)."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.execution.scripted import Raise, ScriptedEngine
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.shell.pages.measures_card import MeasureCards
from lime_desktop.shell.widgets.plots import SmallPlot
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import served
from tests.host.finished_runs import finish_run
from tests.shell.conftest import Finish
from tests.shell.services import make_services

_HEALTH = """health:
  metrics:
    - {metric: task_success_rate, threshold: "> 0.8", alert: true}
    - {metric: average_task_duration, threshold: "< 30s"}
    - {metric: storage_usage, threshold: "< 80%"}
    - {metric: moon_phase, threshold: "> 1"}
"""


def shown(cards: MeasureCards, registry: AppRegistry, app_id: str) -> tuple[list[str], QWidget]:
    app = registry.app(app_id)
    assert app is not None
    page = QWidget()
    layout = QVBoxLayout(page)
    for part in cards.parts(app):
        layout.addWidget(part)
    return [each.text() for each in page.findChildren(QLabel)], page


@pytest.mark.requirement("APP-43")
def test_measures_have_a_panel_with_plots_and_say_when_a_bound_is_broken(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, finish: Finish
) -> None:
    del loop
    registry = AppRegistry("en")
    package = write_app(
        tmp_path, capabilities="{lime.storage: '*'}", files={"evals/health.yaml": _HEALTH}
    )
    [app] = registry.add([package])
    engine = ScriptedEngine(
        {"well": says("Hello"), "badly": [Raise(ProviderNotReady("The engine is gone."))]}
    )
    texts = make_services(tmp_path / "window").look.texts

    async def scenario() -> None:
        async with served(tmp_path / "data", registry, engine) as server:
            cards = MeasureCards(texts, server.call)
            assert await cards.look(app)
            said, _ = shown(cards, registry, app.app_id)
            assert said.count("No values yet") == 2
            for text in ("well", "well", "badly"):
                await finish_run(server, app.app_id, text)
            assert await cards.look(app)
            said, page = shown(cards, registry, app.app_id)
            qtbot.addWidget(page)
            assert said[:3] == ["How it does", "Runs that succeed", "Bound: > 0.8"]
            assert "67%" in said
            assert said.count("Outside its bound") == 1
            # A measure that nobody here takes is neither kept nor broken.
            assert said[-3:] == ["Moon phase", "Bound: > 1", "Not measured here"]
            plots = page.findChildren(SmallPlot)
            assert [len(each.points()) for each in plots] == [3, 3, 2]
            heights = [each.y() for each in plots[0].points()]
            assert heights[0] == heights[1] < heights[2], "a success rate that falls goes down"

    finish(scenario())
