"""Settings tell what left this machine by an app's agents beside what its pages sent (ours)."""

from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.protocol.calls.agent_tasks import PlaceTraffic, ReadAgentTrafficResult
from lime_desktop.protocol.errors import AppServerUnavailable
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.undo import Removals
from lime_desktop.shell.settings import privacy
from lime_desktop.shell.settings.section import EngineFacts, SectionContext
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.shell.conftest import Finish
from tests.shell.services import for_settings

ROOT = Path(__file__).parents[2]
CLOUD = PlaceTraffic(host="api.example", requests=3, bytes_sent=2048, bytes_received=512)
SENT = ReadAgentTrafficResult(places=(CLOUD,), programs=("Codex",))


class AtOnce:
    """Does a section's work when the test says so."""

    def __init__(self) -> None:
        self.begun: list[Any] = []

    def start(self, work: Any) -> None:
        self.begun.append(work)


def shown(
    folder: Path, qtbot: QtBot, finish: Finish, answer: ReadAgentTrafficResult | None, locale: str
) -> str:
    async def call(method: object, params: object) -> ReadAgentTrafficResult:
        del method, params
        if answer is None:
            raise AppServerUnavailable("There is none")
        return answer

    services = Composition(
        Folders(ROOT / "resources", folder, folder / "settings.json"), HostSettings(locale=locale)
    )
    services.registry.add([ROOT / "sample_apps/hello-lime"])
    work = AtOnce()
    holder = QWidget()
    qtbot.addWidget(holder)
    notices = Notices(services.look, services.folders, services.registry)
    notices.float_over(holder)
    context = SectionContext(
        services.look,
        for_settings(services),
        EngineFacts(lambda: ("1", "1")),
        cast("Any", call),
        cast("Any", work),
        lambda _words, _level: None,
        lambda _app_id: None,
        lambda _app_id: None,
        notices.offer_undo,
        Removals(holder, notices),
        QScrollArea(holder),
    )
    privacy.build(context).setParent(holder)
    for each in work.begun:
        finish(each)
    return "\n".join(each.text() for each in holder.findChildren(QLabel))


@pytest.mark.parametrize(
    ("locale", "answer", "words"),
    [
        (
            "en",
            SENT,
            ("KB sent", "api.example", "3 requests", "Agents", "count: Codex."),
        ),
        ("zh-CN", SENT, ("api.example", "请求 3 次", "智能体", "无法统计：Codex。")),
        ("en", None, ("0 bytes sent by pages", "Agent traffic is not available")),
    ],
)
def test_what_agents_sent_is_in_the_sum_and_what_nobody_can_count_is_said(
    tmp_path: Path,
    qtbot: QtBot,
    finish: Finish,
    locale: str,
    answer: ReadAgentTrafficResult | None,
    words: tuple[str, ...],
) -> None:
    text = shown(tmp_path, qtbot, finish, answer, locale)
    assert [each for each in words if each not in text] == []
