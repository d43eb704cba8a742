"""Screens that need an App Server behind them: for pictures, too slow to be walked through in every look."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

from PySide6.QtWidgets import QPushButton, QScrollArea

from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.protocol.calls.files import GRANT_FILES, GrantFilesParams
from lime_desktop.protocol.calls.knowledge import BIND_KNOWLEDGE, BindKnowledgeParams
from lime_desktop.protocol.calls.model_providers import (
    CREATE_PROVIDER,
    CreateProviderParams,
    ProviderSettings,
)
from lime_desktop.protocol.calls.models import PREFER_MODEL, ModelChoice, PreferModelParams
from lime_desktop.protocol.calls.secrets import BIND_SECRET, BindSecretParams
from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.window.app_tab.app_tab import AppTab
from tests.shell.stage import Stage, set_stage

MEETING = """Decided: the spring catalogue goes to print on 12 March.

Open: who proofreads the Chinese pages? Mei asks the agency, and says by Friday what it costs.

Next time: prices, and the stand at the fair."""
NOTES = (
    ("Packing for the lake", "Two towels, the small tent, matches. Ben brings the stove.", "trip"),
    ("Lime tree", "Water it on Mondays, a litre at most. More light from October on.", "garden"),
    ("Tuesday meeting", MEETING, "work"),
)
PATIENCE_S = 60

ShowLive = Callable[[Stage], Awaitable[None]]


def set_live_stage(folder: Path, look: str) -> Stage:
    """A stage with a real App Server; it ends with the stage."""

    async def introduce(connection: AppServerConnection) -> None:
        await registration.introduce(connection)

    command = app_server_command(folder / "app-server")
    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=introduce)
    stage = set_stage(folder, look, server)
    registration = AppRegistration(stage.services.registry, stage.services.setup.was_registered)
    return stage


async def notes(stage: Stage) -> None:
    """Notes with something in it."""
    stage.add_samples()
    for permission in ("keep-notes", "use-model", "keep-documents"):
        stage.services.registry.grant("notes", permission)
    async with asyncio.timeout(PATIENCE_S):
        await _start(stage)
        await stage.server.call(RUN_MIGRATIONS, RunMigrationsParams(app_id=AppId("notes")))
        await stage.services.setup.read(stage.server.call, "notes")
        stage.window.open_entry("notes", "notebook")
        tab = stage.window.workspace.current
        assert isinstance(tab, AppTab)
        for title, body, tag in NOTES:
            await _write(stage, tab, {"title": title, "labels": tag, "body": body})


async def given(stage: Stage) -> None:
    """Setup Tour with what it asked for: a secret, a folder and a file of the person's."""
    stage.add_samples()
    folder = stage.folder / "Handbook"
    folder.mkdir(parents=True)
    (folder / "rules.md").write_text("Water the lime tree on Mondays.")
    app_id, call = AppId("setup-tour"), stage.server.call
    async with asyncio.timeout(PATIENCE_S):
        await _start(stage)
        await call(BIND_SECRET, BindSecretParams(app_id=app_id, slot="any_word", value="planted"))
        bound = BindKnowledgeParams(app_id=app_id, key="handbook", paths=(str(folder),))
        await call(BIND_KNOWLEDGE, bound)
        opened = GrantFilesParams(app_id=app_id, paths=(str(folder / "rules.md"),))
        await call(GRANT_FILES, opened)
        await stage.services.setup.read(call, app_id)
        stage.window.show_details(app_id)
        await _until(stage, lambda: take_back_buttons(stage))
        last = take_back_buttons(stage)[-1]
        for area in stage.window.findChildren(QScrollArea):
            if area.isAncestorOf(last):
                await stage.settle()
                area.ensureWidgetVisible(last)


def take_back_buttons(stage: Stage) -> list[QPushButton]:
    """The ways to take back what was given."""
    words = stage.services.look.texts("given.take-back")
    buttons = stage.window.findChildren(QPushButton)
    return [each for each in buttons if each.text() == words and each.isVisible()]


async def _start(stage: Stage) -> None:
    stage.server.start()
    stage.afterwards(stage.server.stop())
    while not isinstance(stage.server.state, Running):
        await stage.settle()


def _with_providers(section: str) -> ShowLive:
    async def show(stage: Stage) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await _start(stage)
            await _set_up(stage)
            stage.window.show_settings(section)
            await _until(
                stage, lambda: _buttons(stage, "more-of-provider") or section != "providers"
            )
            for more in _buttons(stage, "more-of-provider")[:1]:
                more.click()

    return show


async def _set_up(stage: Stage) -> None:
    """A server nearby with models and limits, and one whose key is still missing."""
    near: dict[str, object] = {
        "title": "ModelLibrary server",
        "protocol": "openai-compatible",
        "baseUrl": "http://127.0.0.1:9/v1",
        "needsKey": False,
        "models": [{"modelId": "qwen3-32b"}, {"modelId": "gemma3-12b"}],
        "limits": {"monthlyCost": {"amount": 20}},
        "network": {"proxyUrl": "http://proxy.example.com:3128"},
    }
    settings = ProviderSettings.model_validate(near)
    call = stage.server.call
    await call(CREATE_PROVIDER, CreateProviderParams(provider_id="workshop", settings=settings))
    await call(CREATE_PROVIDER, CreateProviderParams(provider_id="openai", preset_id="openai"))
    chosen = ModelChoice(provider_id="workshop", model_id="gemma3-12b")
    await call(PREFER_MODEL, PreferModelParams(model=chosen))


async def _until(stage: Stage, is_so: Callable[[], object]) -> None:
    while not is_so():
        await stage.settle()


def _buttons(stage: Stage, name: str) -> list[QPushButton]:
    return stage.window.findChildren(QPushButton, name)


async def _write(stage: Stage, tab: AppTab, fields: dict[str, str]) -> None:
    await _come_true(stage, tab, "d?.querySelector('.welcome, #title') !== null")
    await _run(tab, "d.getElementById('new').click()")
    await _come_true(stage, tab, "d.getElementById('title')?.value === ''")
    for name, text in fields.items():
        await _run(
            tab,
            f"const field = d.getElementById({json.dumps(name)}); field.value = {json.dumps(text)};"
            "field.dispatchEvent(new Event('input'))",
        )
    await _come_true(stage, tab, "d.querySelector('.saving').textContent === 'Saved'")


async def _come_true(stage: Stage, tab: AppTab, condition: str) -> None:
    while not tab.session.is_ready or await _run(tab, condition) is not True:
        await stage.settle()


async def _run(tab: AppTab, script: str) -> object:
    answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()
    inside = f"{{ const d = document.querySelector('iframe')?.contentDocument; {script} }}"
    tab.view.page().runJavaScript(inside, 0, answer.set_result)
    return await answer


LIVE_SCREENS: dict[str, ShowLive] = {
    "notes": notes,
    "app-given": given,
    "providers": _with_providers("providers"),
    "models": _with_providers("models"),
}
