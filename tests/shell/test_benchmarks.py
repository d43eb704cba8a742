"""A benchmark on the page of its app (ours): real trials, read from the log, beside what they were compared with."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.execution.scripted import Raise, ScriptedEngine
from lime_desktop.developer.benchmark.jobs import Job, Plan
from lime_desktop.developer.benchmark.suite import read_suite
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.runs.benchmarks import kept_baseline
from lime_desktop.host.runs.measures import Measures
from lime_desktop.protocol.calls.models import ModelChoice
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.runtime_views.benchmarks import BenchmarkReport, Role
from lime_desktop.shell.pages.benchmarks_card import BenchmarkCards
from lime_desktop.shell.widgets.plots import SmallPlot
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.app_server.apps.packages import write_app
from tests.host.bridged import served
from tests.shell.conftest import Finish
from tests.shell.services import make_services

HEALTH = "health: {metrics: [{metric: task_success_rate}]}\n"
SUITE = b"""\
name: answers
version: 1
tasks:
  - {key: greeting, prompt: well, checks: [{check: policy, always: [Hello]}]}
  - {key: farewell, prompt: later}
"""


async def measured(
    server: AppServerConnection, app: RegisteredApp, role: Role, model: str
) -> BenchmarkReport:
    found = read_suite(SUITE, "suite.yaml", app.package)
    assert found.suite is not None, found.problems
    plan = Plan(
        suite=found.suite,
        digest=found.digest,
        models=(ModelChoice(provider_id="test", model_id=model),),
        role=role,
        tolerance=found.suite.tolerated(),
        baseline=await kept_baseline(server.call, app.app_id, "answers"),
        title="Benchmark: answers",
    )
    return await Job(server.call, app, plan, lambda _: None).run()


def shown(cards: BenchmarkCards, app: RegisteredApp) -> tuple[list[str], QWidget]:
    page = QWidget()
    layout = QVBoxLayout(page)
    for part in cards.parts(app):
        layout.addWidget(part)
    return [each.text() for each in page.findChildren(QLabel)], page


@pytest.mark.requirement("RT-54", "RT-55")
def test_a_benchmark_has_a_panel_that_compares_it_and_shows_its_course(
    tmp_path: Path, qtbot: QtBot, loop: asyncio.AbstractEventLoop, finish: Finish
) -> None:
    del loop
    registry = AppRegistry("en")
    package = write_app(
        tmp_path, capabilities="{lime.agent: '*'}", files={"evals/health.yaml": HEALTH}
    )
    [app] = registry.add([package])
    scripts = {"well": says("Hello"), "later": says("Bye")}
    engine = ScriptedEngine(scripts)
    texts = make_services(tmp_path / "window").look.texts

    async def scenario() -> None:
        async with served(tmp_path / "data", registry, engine) as server:
            cards = BenchmarkCards(texts, server.call)
            assert not await cards.look(app)
            assert shown(cards, app)[0] == []
            await measured(server, app, "baseline", "script")
            assert await cards.look(app)
            said, _ = shown(cards, app)
            assert said[:3] == [
                "Benchmarks",
                "answers: 2 of 2 trials passed",
                "Nothing to compare with",
            ]
            scripts["later"] = [Raise(ProviderNotReady("The engine is gone."))]
            worse = await measured(server, app, "candidate", "script")
            assert [each.task for each in worse.regressions] == ["farewell"]
            assert await cards.look(app)
            said, page = shown(cards, app)
            qtbot.addWidget(page)
            assert said[1:3] == ["answers: 1 of 2 trials passed", "1 task worse than the baseline"]
            assert said[3:9] == ["Task", "Model", "Succeeded", "Tokens", "Cost", "Time"]
            assert "100% → 0%" in said
            assert "Fewer succeed" in said
            [plot] = page.findChildren(SmallPlot)
            heights = [each.y() for each in plot.points()]
            assert heights[0] < heights[1], "a success rate that falls goes down"
            other = await measured(server, app, "candidate", "another")
            assert other.scores[0].failures == {"other-model": 1}
            # Trials are nobody's work: they leave the author's own measures alone.
            [rate] = await Measures().read(server.call, app)
            assert rate.series is not None
            assert rate.series.values == ()

    finish(scenario())
