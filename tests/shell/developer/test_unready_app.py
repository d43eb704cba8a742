"""An app that cannot start yet says all that it lacks, and a recording of nothing says so (ours)."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.developer.events import DeveloperEvent, ProblemsEvent
from lime_desktop.developer.options import DeveloperOptions, Developing
from lime_desktop.host.apps.registry import SetupFacts
from lime_desktop.shell.developer.loop import DeveloperLoop
from tests.shell.conftest import Finish
from tests.shell.services import for_developer
from tests.shell.stage import set_stage

pytestmark = pytest.mark.system


def _codes(told: DeveloperEvent) -> list[str]:
    assert isinstance(told, ProblemsEvent)
    return [each.code for each in told.problems]


def test_every_unmet_need_is_told_once_it_is_known(
    tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> None:
    del loop
    stage = set_stage(tmp_path / "data", "light")
    told: list[DeveloperEvent] = []
    options = DeveloperOptions(
        package=stage.samples / "setup-tour",
        record_file=tmp_path / "session.jsonl",
        is_watched=False,
    )
    work = DeveloperLoop(
        stage.window, for_developer(stage.services), Developing(options, told.append)
    )
    work.start()
    assert told == []
    stage.services.registry.learn(
        "setup-tour", SetupFacts(configured_secrets=frozenset({"any_word"}))
    )
    assert isinstance(told[-1], ProblemsEvent)
    words = " ".join(each.message for each in told[-1].problems)
    assert "handbook" in words
    assert "any word" not in words
    finish(work.close())
    assert _codes(told[-1])[-1] == "NOTHING_RECORDED"
    stage.window.shut()
    stage.window.close()
    stage.window.deleteLater()
