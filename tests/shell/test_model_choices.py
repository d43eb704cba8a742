"""The first screen offers what is near at hand, uses nothing before it is pressed, and shows nothing of a key (ours)."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.app_server.models.catalogue import SMOLLM2
from lime_desktop.app_server.models.service import LocalModels
from lime_desktop.app_server.models.store import ModelStore
from lime_desktop.app_server.providers.offers import offered_models
from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.app_server.providers.routing import AvailableModels
from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.app_server.providers.store import ProviderStore
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.protocol.calls.model_providers import ProviderPreset
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import Method, WireModel
from lime_desktop.shell.pages.model_choices import ModelChoices
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.resource_folders import Folders
from tests.app_server.model_server import Asked, ModelServer, Reply, failure, model_list
from tests.app_server.providers.kept import open_store, settings
from tests.app_server.runtime_core.runtime import CONTEXT
from tests.shell.conftest import Finish

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60
PLANTED = "sk-planted-in-the-environment"
DEMO = ModelDescription(
    engine="embedded",
    provider_id="embedded",
    model_id=SMOLLM2.model_id,
    title=SMOLLM2.title,
    quality="demo",
    is_local=True,
)
_NAMES = {
    "model/list": "list_models",
    "model/prefer": "prefer_model",
    "modelProvider/findServers": "find_servers",
    "modelProvider/fetchModels": "fetch_models",
    "modelProviderKey/update": "update_key",
}


class Screen:
    """The card on the services it talks to, without the process between them."""

    def __init__(
        self,
        folder: Path,
        store: ProviderStore,
        locale: str,
        presets: tuple[ProviderPreset, ...],
    ) -> None:
        self.store = store
        self.models = LocalModels(ModelStore(folder / "models"), lambda _model: None)
        self.providers = ProviderService(store, self._supply, presets)
        self.failures: list[AppError] = []
        folders = Folders(ROOT / "resources", folder, folder / "settings.json")
        services = Composition(folders, HostSettings(locale=locale))
        self.texts = services.look.texts
        self.card = ModelChoices(services.look, cast("Any", self.call))
        self.card.failed.connect(self.failures.append)

    async def _supply(self) -> AvailableModels:
        listed = await self.store.list()
        offers = [offer for each in listed for offer in offered_models(each, "model")]
        return AvailableModels((*offers, DEMO), await self.store.preferred())

    async def call(
        self, method: Method[Any, Any], params: WireModel, *, timeout_s: float = 1.0
    ) -> WireModel:
        del timeout_s
        owner = self.models if method.name.startswith("localModel/") else self.providers
        name = _NAMES.get(method.name, method.name.partition("/")[2])
        return await getattr(owner, name)(params, CONTEXT)

    @property
    def words(self) -> str:
        return "\n".join(each.text() for each in self.card.findChildren(QLabel))

    def button(self, name: str) -> QPushButton:
        found = [
            each
            for each in self.card.findChildren(QPushButton)
            if name in each.accessibleName() or each.text() == name
        ]
        return found[-1]

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110 - Qt tells nobody when a label changes
                await asyncio.sleep(0.02)


@asynccontextmanager
async def opened(
    folder: Path, qtbot: QtBot, server: ModelServer, locale: str
) -> AsyncGenerator[Screen]:
    near = ProviderPreset(
        preset_id="ollama", settings=settings(server.url, title="Ollama", models=[]), about=""
    )
    keyed = ProviderPreset(
        preset_id="mine",
        settings=settings(server.url, title="Mine", models=[], needsKey=True),
        about="",
    )
    others = (each for each in PRESETS if each.key_page)
    async with open_store(folder) as store:
        screen = Screen(folder, store, locale, (near, keyed, *others))
        qtbot.addWidget(screen.card)
        screen.card.look()
        try:
            yield screen
        finally:
            await screen.models.close()


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_a_server_that_runs_here_is_offered_and_used_by_one_press(
    tmp_path: Path, qtbot: QtBot, finish: Finish, locale: str
) -> None:
    lists = model_list("llama3.2:3b", "nomic-embed-text")

    async def scenario() -> None:
        with ModelServer(otherwise=lists) as server:
            async with opened(tmp_path, qtbot, server, locale) as screen:
                await screen.until(lambda: "llama3.2:3b" in screen.words)
                assert screen.texts("models.now.none") in screen.words
                assert await screen.store.list() == ()
                screen.button("Ollama").click()
                now = screen.texts("models.now.local", model="llama3.2:3b · Ollama")
                await screen.until(lambda: now in screen.words)
                [kept] = await screen.store.list()
                assert [each.model_id for each in kept.settings.models] == ["llama3.2:3b"]
                assert screen.failures == []

    finish(scenario())


def test_a_key_of_the_environment_is_named_and_its_value_shown_nowhere(
    tmp_path: Path, qtbot: QtBot, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEK_API_KEY", PLANTED)

    async def scenario() -> None:
        with ModelServer(otherwise=model_list("m")) as server:
            async with opened(tmp_path, qtbot, server, "en") as screen:
                await screen.until(lambda: "DEEPSEEK_API_KEY" in screen.words)
                shown = [each.text() for each in screen.card.findChildren(QLineEdit)]
                assert PLANTED not in screen.words + "".join(shown)
                assert await screen.store.list() == ()

    finish(scenario())


def test_the_demo_is_marked_and_answers_only_who_chooses_it(
    tmp_path: Path, qtbot: QtBot, finish: Finish
) -> None:
    async def scenario() -> None:
        with ModelServer(otherwise=model_list()) as server:
            async with opened(tmp_path, qtbot, server, "en") as screen:
                await screen.until(lambda: "SmolLM2" in screen.words)
                none = screen.texts("models.now.none")
                assert screen.texts("settings.models.demo") in screen.words
                assert none in screen.words
                screen.button(screen.texts("models.demo.use")).click()
                used = screen.texts("models.now.demo", model=DEMO.title)
                await screen.until(lambda: used in screen.words)
                screen.button(screen.texts("models.demo.stop")).click()
                await screen.until(lambda: none in screen.words)

    finish(scenario())


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_the_card_never_says_of_a_model_that_it_answers_and_that_none_was_found(
    tmp_path: Path, qtbot: QtBot, finish: Finish, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    """A bug: a model answered, and the line below it said that no model and no key was found."""
    for each in ("DEEPSEEK_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(each, raising=False)

    async def scenario() -> None:
        with ModelServer(otherwise=failure(500)) as server:
            async with opened(tmp_path, qtbot, server, locale) as screen:
                nothing, no_more = map(
                    screen.texts, ("models.found.nothing", "models.found.no_more")
                )
                await screen.until(lambda: nothing in screen.words)
                screen.button(screen.texts("models.demo.use")).click()
                used = screen.texts("models.now.demo", model=DEMO.title)
                await screen.until(lambda: used in screen.words)
                assert (nothing in screen.words, no_more in screen.words) == (False, True)
                screen.button(screen.texts("models.found.again")).click()
                await screen.until(lambda: no_more in screen.words)
                assert nothing not in screen.words

    finish(scenario())


def test_a_model_that_was_set_up_elsewhere_is_known_when_the_card_is_seen_again(
    tmp_path: Path, qtbot: QtBot, finish: Finish
) -> None:
    """A bug: after the settings, the welcome went on saying that no model is set up."""

    async def scenario() -> None:
        with ModelServer(otherwise=model_list()) as server:
            async with opened(tmp_path, qtbot, server, "en") as screen:
                none = screen.texts("models.now.none")
                screen.card.show()
                await screen.until(lambda: none in screen.words)
                screen.card.hide()
                await screen.store.create("harbor", settings(server.url, title="Harbor Lab"))
                screen.card.show()
                await screen.until(lambda: none not in screen.words)
                assert "test-model · Harbor Lab" in screen.words

    finish(scenario())


def test_a_key_can_be_written_once_it_is_known_for_whom(
    tmp_path: Path, qtbot: QtBot, finish: Finish
) -> None:
    """A bug: while the App Server started, a nameless provider took a key, and its button did nothing."""

    async def scenario() -> None:
        with ModelServer(otherwise=model_list("m")) as server:
            async with opened(tmp_path, qtbot, server, "en") as screen:
                field = screen.card.findChildren(QLineEdit)[-1]
                use = screen.button(screen.texts("models.key.use"))
                assert not field.isEnabled()
                assert not use.isEnabled()
                await screen.until(use.isEnabled)
                assert field.isEnabled()
                assert screen.card.findChildren(QComboBox)[-1].currentText() == "Mine"

    finish(scenario())


def test_a_key_that_is_refused_leaves_nothing_behind_and_one_that_is_taken_answers(
    tmp_path: Path, qtbot: QtBot, finish: Finish
) -> None:
    def answer(asked: Asked) -> Reply:
        sent = asked.headers.get("authorization") or asked.headers.get("Authorization")
        return failure(401, "invalid_api_key") if sent == "Bearer wrong" else model_list("m")

    async def scenario() -> None:
        with ModelServer(otherwise=answer) as server:
            async with opened(tmp_path, qtbot, server, "en") as screen:
                await screen.until(lambda: "Ollama" in screen.words)
                field = screen.card.findChildren(QLineEdit)[-1]
                use = screen.button(screen.texts("models.key.use"))
                field.setText("wrong")
                use.click()
                assert field.text() == ""
                await screen.until(lambda: bool(screen.failures))
                assert screen.failures[0].details["reasonCode"] == "key_refused"
                await screen.until(use.isEnabled)
                assert await screen.store.list() == ()
                field.setText("right")
                use.click()
                now = screen.texts("models.now.remote", model="m · Mine")
                await screen.until(lambda: now in screen.words)

    finish(scenario())
