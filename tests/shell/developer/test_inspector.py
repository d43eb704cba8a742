"""A developer looks into an open app: every message with its rule, sent again, exported; refusals with their remedy (ours)."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.developer.simulation import Simulation
from lime_desktop.shell.inspector.panel import InspectorPanel
from tests.shell.open_desktop import OpenDesktop

pytestmark = pytest.mark.system
WAIT_MS = 60_000


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[OpenDesktop]:
    opened = OpenDesktop(tmp_path, qtbot, loop)
    yield opened
    opened.close()


def opened_inspector(desktop: OpenDesktop) -> InspectorPanel:
    desktop.tab.toggle_inspector()
    assert desktop.tab.inspector is not None
    return desktop.tab.inspector


def test_a_developer_sees_what_an_app_asks_and_why_it_is_answered_so(
    desktop: OpenDesktop, qtbot: QtBot, tmp_path: Path
) -> None:
    panel = opened_inspector(desktop)
    desktop.start_server()
    desktop.tab.reload()
    desktop.save("Bonjour")
    desktop.sees("status", "Saved")
    [saved] = [row for row in panel.timeline.rows if row.call == "lime.storage.set"]
    assert (saved.decision, saved.outcome) == ("allow", "ok")
    assert saved.rule is not None

    panel.timeline.show_row(panel.timeline.rows.index(saved))
    details = panel.timeline.details
    details.edit(details.text.replace("Bonjour", "Servus"))
    details.resend()
    qtbot.waitUntil(lambda: panel.timeline.rows[-1].outcome == "ok", timeout=WAIT_MS)
    assert "Servus" in json.dumps(panel.timeline.rows[-1].answer)

    panel.timeline.export(str(tmp_path / "said.har"))
    entries = json.loads((tmp_path / "said.har").read_text("utf-8"))["log"]["entries"]
    assert len(entries) == len(panel.timeline.rows)

    panel.turn_to(panel.state)
    qtbot.waitUntil(lambda: "Servus" in panel.state.shown_values(), timeout=WAIT_MS)

    desktop.run("fetch('https://api.example.com/').catch(() => {}); 1")
    qtbot.waitUntil(lambda: bool(panel.refusals.violations), timeout=WAIT_MS)
    assert panel.refusals.violations[0].host == "api.example.com"

    page = desktop.tab.view.page()
    panel.turn_to(panel.tools)
    assert page.devToolsPage() is not None

    # What is acted holds for this view, by the ways it would come about, and ends with the inspector.
    act = desktop.tab.simulated.act
    [permission] = desktop.tab.app().package.manifest.permissions
    act(Simulation(denied=(permission,), locale="zh-CN"))
    desktop.sees("save", "保存")
    desktop.save("Hallo")
    desktop.sees("problem-code", "permission_denied")
    assert desktop.tab.simulated.notice.isVisible()
    act(Simulation(absent=frozenset({"lime.storage"})))
    desktop.tab.reload()
    desktop.sees("problem-code", "capability_unavailable")
    act(Simulation(server="dead", is_offline=True))
    desktop.tab.reload()
    desktop.sees("problem-code", "capability_unavailable")
    assert desktop.run("d.defaultView.navigator.onLine") is False

    desktop.tab.toggle_inspector()
    assert desktop.tab.inspector is None
    assert page.devToolsPage() is None
    assert not desktop.tab.simulated.notice.isVisible()
    desktop.run("d.getElementById('retry').click()")
    desktop.sees("greeting", "Servus")
    assert desktop.run("d.defaultView.navigator.onLine") is True
