"""Every screen of the shell, by name. Whoever makes a screen adds a row: it is then photographed in every look,
its texts are checked for room, and its widgets for names that a screen reader can say.
"""

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QPushButton

from lime_desktop.app_server.runtime_core.log.schema import RUNTIME
from lime_desktop.database.backups import make_backup
from lime_desktop.database.database import open_database
from lime_desktop.developer.simulation import Simulation
from lime_desktop.host.app_server_client.supervisor import Down
from lime_desktop.protocol.approvals import ApprovalKind
from lime_desktop.protocol.errors import AppServerUnavailable, DatabaseDamaged, ProviderNotReady
from lime_desktop.shell.surfaces.chat.surface import ChatSurface
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from lime_desktop.shell.window.layout import DrawerPlace
from tests.shell import inspected, questions
from tests.shell.center_screens import CENTER_SCREENS
from tests.shell.stage import ROOT, Stage
from tests.shell.told_session import talk

ShowScreen = Callable[[Stage], Awaitable[None]]


async def _empty_home(stage: Stage) -> None:
    stage.window.show_home()


async def _home(stage: Stage) -> None:
    stage.add_samples()
    stage.window.show_home()


async def _home_at_start(stage: Stage) -> None:
    stage.window.await_apps(is_reading=True)
    stage.window.show_home()


async def _home_at_work(stage: Stage) -> None:
    """Where to go on, what waits, what is open, and something that can be undone."""
    stage.add_samples()
    stage.add_every_kind()
    for key in ("strategist", "report"):
        stage.window.open_entry("every-kind", key)
    stage.services.approvals.queue.ask(questions.OTHERS[0], lambda _answer: None)
    stage.window.show_home()
    stage.window.take_off_list("hello-lime")


def _beside_a_question(section: str) -> ShowScreen:
    async def show(stage: Stage) -> None:
        stage.window.resize(900, 600)
        await _settings(section)(stage)
        stage.services.approvals.queue.ask(questions.OTHERS[0], lambda _answer: None)

    return show


async def _app(stage: Stage) -> None:
    stage.add_samples()
    stage.window.show_details("hello-lime")


async def _granted(stage: Stage) -> None:
    stage.add_samples()
    stage.services.registry.grant("hello-lime", "keep-greeting")
    stage.window.show_settings("grants")


def _settings(section: str) -> ShowScreen:
    async def show(stage: Stage) -> None:
        stage.add_samples()
        stage.window.show_settings(section)

    return show


def _question(kind: ApprovalKind) -> ShowScreen:
    async def show(stage: Stage) -> None:
        stage.add_samples()
        stage.window.show_home()
        for question in (questions.OF_EACH_KIND[kind], *questions.OTHERS):
            stage.services.approvals.queue.ask(question, lambda _answer: None)

    return show


def _entry(key: str) -> ShowScreen:
    async def show(stage: Stage) -> None:
        stage.add_every_kind()
        stage.window.open_entry("every-kind", key)

    return show


async def _split(stage: Stage) -> None:
    stage.add_every_kind()
    stage.window.open_entry("every-kind", "strategist")
    stage.window.open_entry("every-kind", "report", beside=True)


async def _welcome(stage: Stage) -> None:
    stage.add_samples()
    stage.window.show_welcome()


async def _palette(stage: Stage) -> None:
    stage.add_every_kind()
    stage.window.show_palette()


async def _chat(stage: Stage) -> None:
    stage.add_every_kind()
    stage.window.open_entry("every-kind", "strategist")
    surface = stage.window.workspace.current
    assert isinstance(surface, ChatSurface)
    surface.show_views(talk())


async def _no_model(stage: Stage) -> None:
    stage.add_every_kind()
    stage.window.open_entry("every-kind", "strategist")
    details = {"reasonCode": "key_missing"}
    stage.window.notices.problem(ProviderNotReady("The provider has no API key.", details=details))


async def _drawer(stage: Stage) -> None:
    await _chat(stage)
    stage.window.findChildren(DrawerPlace)[0].show()
    stage.window.drawer.show_views(talk())


def _damage() -> DatabaseDamaged:
    message = "The database runtime.db or the disk under it is damaged."
    return DatabaseDamaged(message, details={"database": "runtime.db"})


async def _trouble(stage: Stage) -> None:
    lines = ('{"level":"error","message":"the data folder cannot be opened"}',)
    stage.window.show_server(Down(_damage().message, 2.0, failure=_damage(), last_lines=lines))


async def _trouble_while_at_work(stage: Stage) -> None:
    stage.add_samples()
    stage.window.show_settings("general")
    await _trouble(stage)


async def _backups(stage: Stage) -> None:
    database = stage.folder / "app-server/runtime.db"
    open_database(database, RUNTIME).close()
    await asyncio.to_thread(make_backup, stage.folder)
    await _trouble(stage)
    press(stage, "trouble.restore")


async def _no_backup(stage: Stage) -> None:
    await _trouble(stage)
    press(stage, "trouble.restore")


def press(stage: Stage, key: str) -> None:
    """Press the button with these words."""
    words = stage.services.look.texts(key)
    next(
        each
        for each in stage.window.findChildren(QPushButton)
        if each.isVisible() and each.text() == words
    ).click()


def _inspector(page: str) -> ShowScreen:
    async def show(stage: Stage) -> None:
        stage.services.registry.add([ROOT / "sample_apps/hello-lime"])
        stage.services.registry.grant("hello-lime", "keep-greeting")
        stage.window.open_entry("hello-lime", "greeting")
        stage.window.tabs.toggle_inspector()
        tab = stage.window.workspace.current
        assert isinstance(tab, AppTab)
        panel = tab.inspector
        assert panel is not None
        for text in inspected.MESSAGES:
            tab.session.receive(text)
        panel.timeline.show_row(1)
        panel.refusals.add(inspected.VIOLATION)
        if page == "recording":
            file = stage.services.folders.data / "session.jsonl"
            file.write_text(inspected.RECORDING, encoding="utf-8")
            panel.recording.open(str(file))
        if page == "simulation":
            tab.simulated.act(Simulation(locale="zh-CN", server="dead", is_small=True))
        panel.turn_to(getattr(panel, page))
        await stage.settle()

    return show


async def _server_away(stage: Stage) -> None:
    stage.add_samples()
    stage.window.show_server(Down("it ended with code 1", 4.0))
    stage.window.notices.problem(AppServerUnavailable("The App Server went away", trace_id="t-1"))
    stage.window.progress.begin("server")


async def _app_notices(stage: Stage) -> None:
    """What apps say, beside what the window says itself."""
    await _entry("strategist")(stage)
    notices, texts = stage.window.notices, stage.services.look.texts
    notices.toast(texts("report.copied"), "success")
    notices.say("every-kind", "Your session expired. Type your key again.", "error")
    notices.say("every-kind", "每周报告已保存。The weekly report is kept. " * 6, "success")


SCREENS: dict[str, ShowScreen] = {
    "home-empty": _empty_home,
    "home": _home,
    "home-at-start": _home_at_start,
    "home-at-work": _home_at_work,
    "settings-general-narrow": _beside_a_question("general"),
    "settings-storage-narrow": _beside_a_question("storage"),
    "settings-grants-narrow": _beside_a_question("grants"),
    "app-details": _app,
    "settings-general": _settings("general"),
    "settings-providers": _settings("providers"),
    "settings-tools": _settings("tools"),
    "settings-grants-empty": _settings("grants"),
    "settings-grants": _granted,
    "settings-privacy": _settings("privacy"),
    "settings-models": _settings("models"),
    "settings-agents": _settings("agents"),
    "settings-storage": _settings("storage"),
    "settings-developer": _settings("developer"),
    "settings-about": _settings("about"),
    **{f"approval-{kind}": _question(kind) for kind in questions.OF_EACH_KIND},
    "welcome": _welcome,
    "palette": _palette,
    "chat-empty": _entry("strategist"),
    "chat": _chat,
    "chat-no-model": _no_model,
    "run-drawer": _drawer,
    "command": _entry("report"),
    "background-task": _entry("sync"),
    "artifacts": _entry("papers"),
    "workflow": _entry("flow"),
    "split": _split,
    "inspector": _inspector("timeline"),
    "inspector-refusals": _inspector("refusals"),
    "inspector-state": _inspector("state"),
    "inspector-simulation": _inspector("simulation"),
    "inspector-recording": _inspector("recording"),
    "server-away": _server_away,
    "trouble": _trouble,
    "trouble-at-work": _trouble_while_at_work,
    "trouble-backups": _backups,
    "trouble-no-backup": _no_backup,
    **CENTER_SCREENS,
    "app-notices": _app_notices,
}
