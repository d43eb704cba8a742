"""Models and agents in the settings: one click, a bar, stop, remove; a form and how to fill it in."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.acp.agents import agents_in
from lime_desktop.app_server.models.service import LocalModels
from lime_desktop.app_server.models.store import ModelStore
from lime_desktop.app_server.providers.routing import AvailableModels
from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.app_server.providers.store import ProviderStore, open_provider_store
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.host.user_profile.settings import HostSettings
from lime_desktop.protocol.calls.external_agents import LIST_AGENTS
from lime_desktop.protocol.calls.local_models import LIST_LOCAL_MODELS
from lime_desktop.protocol.calls.model_providers import (
    FindServersResult,
    ListProvidersResult,
    ProviderSettings,
)
from lime_desktop.protocol.calls.models import (
    ListModelsResult,
    ModelDescription,
    ModelObstacle,
    PreferModelParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import TraceId
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.notices.undo import Removals
from lime_desktop.shell.settings import agents, models, providers
from lime_desktop.shell.settings.provider_form import ProviderForm
from lime_desktop.shell.settings.section import EngineFacts, SectionContext
from lime_desktop.shell.startup.composition import Composition
from lime_desktop.shell.widgets.focus import focus_first
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Work
from tests.app_server.models.wheels import gguf
from tests.shell.conftest import Finish
from tests.shell.services import for_settings

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60
CONTEXT = CallContext(trace_id=TraceId("trace_test"))


class Sections:
    """A section on the services it talks to, without the process between them."""

    def __init__(self, folder: Path, qtbot: QtBot, locale: str) -> None:
        self.said: list[str] = []
        self.shown: list[QWidget] = []
        self.failures: list[AppError] = []
        self.answering = ListModelsResult(models=())
        self.prefer: Callable[[PreferModelParams], ListModelsResult] | None = None
        self.late: asyncio.Event | None = None
        """Holds the next list of agents back, as a busy server may."""
        self.models = LocalModels(ModelStore(folder / "models"), lambda _model: None)
        self.agents = agents_in(folder)
        self.holder = QWidget()
        qtbot.addWidget(self.holder)
        folders = Folders(ROOT / "resources", folder, folder / "settings.json")
        services = Composition(folders, HostSettings(locale=locale))
        self.notices = Notices(services.look, services.folders, services.registry)
        self.notices.float_over(self.holder)
        self.context = SectionContext(
            services.look,
            for_settings(services),
            EngineFacts(lambda: ("1", "1")),
            cast("Any", self.call),
            Work(self.holder, self.failures.append),
            lambda words, _level: self.said.append(words),
            lambda _app_id: None,
            lambda _app_id: None,
            self.notices.offer_undo,
            Removals(self.holder, self.notices),
            QScrollArea(self.holder),
        )

    def show(self, widget: QWidget) -> QWidget:
        self.shown.append(widget)
        return widget

    async def call(
        self, method: Method[Any, Any], params: WireModel, *, timeout_s: float = 1.0
    ) -> WireModel:
        del timeout_s
        if isinstance(params, PreferModelParams) and self.prefer is not None:
            self.answering = self.prefer(params)
            return self.answering
        if method.name == "model/list":
            return self.answering
        if method.name == "modelProvider/list":
            return ListProvidersResult(providers=(), presets=())
        if method.name == "modelProvider/findServers":
            return FindServersResult(servers=())
        if method is LIST_AGENTS and self.late is not None:
            found, late = await cast("Any", self.agents).list(params, CONTEXT), self.late
            self.late = None
            await late.wait()
            return found
        owner = self.models if method.name.startswith("localModel/") else self.agents
        return await getattr(owner, method.name.partition("/")[2])(params, CONTEXT)

    async def until(self, is_so: Callable[[], bool], what: str) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():  # noqa: ASYNC110 - Qt tells nobody when a label changes
                await asyncio.sleep(0.02)
        assert is_so(), what


def texts_in(widget: QWidget) -> str:
    return "\n".join(each.text() for each in widget.findChildren(QLabel))


def shown_button(widget: QWidget, text: str) -> QPushButton | None:
    found = [each for each in widget.findChildren(QPushButton) if each.text() == text]
    return next((each for each in found if each.isVisibleTo(widget)), None)


@pytest.fixture
def make_sections(
    qtbot: QtBot, tmp_path: Path, finish: Finish
) -> Iterator[Callable[[str], Sections]]:
    made: list[Sections] = []

    def make(locale: str) -> Sections:
        made.append(Sections(tmp_path, qtbot, locale))
        return made[-1]

    yield make
    for each in made:
        # As the page does when another section is shown.
        each.context.work.end()
        finish(each.models.close())
        for widget in each.shown:
            delete(widget)


@pytest.fixture
def sections(make_sections: Callable[[str], Sections]) -> Sections:
    return make_sections("en")


def test_models_are_listed_with_what_they_are_worth(sections: Sections, finish: Finish) -> None:
    async def scenario() -> None:
        shown = sections.show(models.build(sections.context))
        await sections.until(lambda: "SmolLM2" in texts_in(shown), "the list came")
        assert "mostly wrong" in texts_in(shown)
        assert "Qwen2.5" in texts_in(shown)
        assert shown_button(shown, "Download") is not None
        assert "Demo" in texts_in(shown)
        assert shown_button(shown, "Remove") is None

    finish(scenario())


def test_the_keyboard_begins_at_the_choice_of_a_model_and_stays_there(
    sections: Sections, finish: Finish
) -> None:
    """A bug: it began at "Add a file…" at the end of the page, which was the first to be known."""

    async def scenario() -> None:
        shown = sections.show(models.build(sections.context))
        shown.show()
        focus_first(shown)
        await sections.until(lambda: "SmolLM2" in texts_in(shown), "the list came")
        box = shown.focusWidget()
        assert isinstance(box, QComboBox)
        assert box.currentText() == "First available (none now)"

    finish(scenario())


def test_the_order_of_models_stays_when_one_is_chosen_so_that_arrows_reach_every_one(
    sections: Sections, finish: Finish
) -> None:
    """A bug: the chosen model moved to the top, and Down went to and fro between two of three."""
    listed = tuple(
        ModelDescription(
            engine="e", provider_id="p", provider_title="P", model_id=each, title=each.title()
        )
        for each in ("gamma", "alpha", "beta")
    )

    def prefer(params: PreferModelParams) -> ListModelsResult:
        """As the server does: whoever is preferred is listed first, and answers."""
        chosen = next((each for each in listed if params.model and params.model.means(each)), None)
        rest = tuple(each for each in listed if each is not chosen)
        first = (chosen,) if chosen else ()
        return ListModelsResult(
            models=(*first, *rest), default_model=chosen or listed[0], preferred_model=params.model
        )

    async def scenario() -> None:
        sections.answering = prefer(PreferModelParams(model=None))
        sections.prefer = prefer
        shown = sections.show(models.build(sections.context))
        shown.show()
        focus_first(shown)
        box = shown.focusWidget()
        assert isinstance(box, QComboBox)
        await sections.until(lambda: box.count() == 1 + len(listed), "the models came")
        for name in ("Alpha", "Beta", "Gamma"):
            QTest.keyClick(box, Qt.Key.Key_Down)
            await sections.until(lambda: f"Current model: {name}." in texts_in(shown), name)  # noqa: B023 - waited for here
            assert box.currentText().startswith(name)

    finish(scenario())


def test_a_model_set_up_in_a_terminal_is_told_while_the_page_is_open(
    sections: Sections, finish: Finish
) -> None:
    """A bug: it went on saying that no model can answer, until the person turned away and back. And by its name."""
    good = ModelDescription(
        engine="e", provider_id="walk", provider_title="Walk Server", model_id="good", title="Good"
    )

    async def scenario() -> None:
        shown = sections.show(models.build(sections.context))
        await sections.until(lambda: "No model can answer yet" in texts_in(shown), "none so far")
        standing = sections.context.services.models
        sections.answering = ListModelsResult(models=(good,), default_model=good)
        await standing.read(cast("Any", sections.call))
        await sections.until(lambda: "Current model: Good." in texts_in(shown), "it is told")
        assert "Your questions are sent to Walk Server." in texts_in(shown)
        sections.answering = ListModelsResult(models=())
        await standing.read(cast("Any", sections.call))
        await sections.until(lambda: "No model can answer yet" in texts_in(shown), "it is gone")
        await standing.close()

    finish(scenario())


def test_a_list_that_was_asked_for_before_shows_nothing_old(
    sections: Sections, finish: Finish
) -> None:
    """A bug: where the first list came last, an agent that had just been added was not to be seen."""

    async def scenario() -> None:
        sections.late = late = asyncio.Event()
        shown = sections.show(agents.build(sections.context))
        await sections.until(lambda: sections.late is None, "the first list is on its way")
        name, command = shown.findChildren(QLineEdit)
        name.setText("My Agent")
        command.setText(f"{sys.executable} -m 'my agent'")
        add = shown_button(shown, "Add")
        assert add is not None
        add.click()
        await sections.until(lambda: "'my agent'" in texts_in(shown), "it is listed")
        late.set()
        await asyncio.sleep(0)
        await sections.context.work._tasks.finish(PATIENCE_S)
        assert "'my agent'" in texts_in(shown)

    finish(scenario())


def test_a_file_is_installed_and_removed_by_a_click(
    sections: Sections, finish: Finish, tmp_path: Path
) -> None:
    own = tmp_path / "mine.gguf"
    own.write_bytes(gguf("Mine", padding=100_000))

    async def scenario() -> None:
        listed = models._ModelList(sections.context)
        shown = sections.show(listed.widget)
        listed.install_file(str(own))
        await sections.until(lambda: "In use" in texts_in(shown), "it is installed")
        assert all(not bar.isVisibleTo(shown) for bar in shown.findChildren(QProgressBar))
        remove = shown_button(shown, "Remove")
        assert remove is not None
        remove.click()
        await sections.until(lambda: "Mine" not in texts_in(shown), "it is gone from sight")
        [key] = sections.context.removals._pending
        sections.notices.findChildren(QToolButton)[-1].click()
        listing = sections.context.call
        await sections.until(lambda: not sections.context.removals.is_removed(key), "it is gone")
        found = await listing(LIST_LOCAL_MODELS, HostOnlyParams(), timeout_s=1.0)
        assert "Mine" not in [each.title for each in found.models]
        assert sections.failures == []

    finish(scenario())


def test_a_file_that_is_no_model_says_so_on_its_card(
    sections: Sections, finish: Finish, tmp_path: Path
) -> None:
    other = tmp_path / "picture.gguf"
    other.write_bytes(b"no model")

    async def scenario() -> None:
        listed = models._ModelList(sections.context)
        sections.show(listed.widget)
        listed.install_file(str(other))
        await sections.until(lambda: "SmolLM2" in texts_in(listed.widget), "the list came")
        await sections.until(lambda: not sections.models._installing, "it was refused")

    finish(scenario())
    assert sections.failures == []


def test_an_agent_is_added_listed_and_removed(sections: Sections, finish: Finish) -> None:
    async def scenario() -> None:
        shown = sections.show(agents.build(sections.context))
        assert "Agent Client Protocol" in texts_in(shown)
        name, command = shown.findChildren(QLineEdit)
        add = shown_button(shown, "Add")
        assert add is not None
        add.click()
        assert sections.said == ["Enter a name and the command that starts the agent."]
        name.setText("My Agent")
        command.setText(f"{sys.executable} -m 'my agent'")
        add.click()
        await sections.until(lambda: "'my agent'" in texts_in(shown), "it is listed")
        assert name.text() == ""
        [agent] = await sections.agents.all()
        assert (agent.agent_id, agent.command[1:]) == ("my-agent", ("-m", "my agent"))
        remove = shown_button(shown, "Remove")
        assert remove is not None
        remove.click()
        await sections.until(lambda: "No agents yet." in texts_in(shown), "it is gone")
        undo = sections.notices.findChildren(QPushButton)[-1]
        assert undo.text() == "Undo"
        undo.click()
        await sections.until(lambda: "'my agent'" in texts_in(shown), "it is back")
        assert len(await sections.agents.all()) == 1

    finish(scenario())


def test_both_sections_speak_chinese(
    make_sections: Callable[[str], Sections], finish: Finish
) -> None:
    sections = make_sections("zh-CN")

    async def scenario() -> None:
        shown = sections.show(models.build(sections.context))
        await sections.until(lambda: "大多不正确" in texts_in(shown), "the list came")
        assert "如何添加" in texts_in(sections.show(agents.build(sections.context)))

    finish(scenario())


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_a_form_that_stood_open_writes_over_nothing_that_was_changed_elsewhere(
    make_sections: Callable[[str], Sections], tmp_path: Path, finish: Finish, locale: str
) -> None:
    """A bug: saving put back what the command line had changed meanwhile."""
    sections = make_sections(locale)

    async def scene(store: ProviderStore, context: SectionContext) -> None:
        stated = ProviderSettings(
            title="One", protocol="openai-compatible", base_url="http://127.0.0.1:1/v1"
        )
        provider = await store.create("p1", stated)
        looked_again: list[bool] = []
        form = ProviderForm(context, provider, looked_again.append)
        sections.show(form.widget)
        elsewhere = stated.model_copy(update={"rank": 7})
        await store.change("p1", lambda _: elsewhere)
        form.save()
        await sections.until(lambda: bool(looked_again), "shown anew")
        assert sections.said == [context.look.texts("settings.providers.more.changed")]
        assert (await store.read("p1")).settings == elsewhere

    on_providers(sections, tmp_path, finish, scene)


def test_a_provider_is_ready_once_it_has_answered_and_a_terminal_is_followed(
    sections: Sections, tmp_path: Path, finish: Finish
) -> None:
    """A bug: a provider that nobody had reached was called ready, and one set up in a terminal was not shown."""
    stated = ProviderSettings.model_validate(
        {"title": "Walk", "baseUrl": "http://127.0.0.1:1/v1", "models": [{"modelId": "good"}]}
        | {"protocol": "openai-compatible", "needsKey": False}
    )

    async def scene(store: ProviderStore, context: SectionContext) -> None:
        shown, standing = sections.show(providers.build(context)), context.services.models
        await sections.until(lambda: "No providers yet" in texts_in(shown), "none so far")
        await store.create("p1", stated)
        await standing.read(cast("Any", sections.call))
        await sections.until(lambda: "Not tested yet" in texts_in(shown), "it is told")
        await store.record_answer("p1")
        elsewhere = ModelObstacle(reason_code="key_missing", message="", setup_action="")
        sections.answering = ListModelsResult(models=(), obstacle=elsewhere)
        await standing.read(cast("Any", sections.call))
        await sections.until(lambda: "Ready" in texts_in(shown), "it answered")
        await standing.close()

    on_providers(sections, tmp_path, finish, scene)


def on_providers(
    sections: Sections,
    folder: Path,
    finish: Finish,
    scene: Callable[[ProviderStore, SectionContext], Coroutine[Any, Any, None]],
) -> None:
    """A scene on a real file of providers, as another process may change it."""
    secrets = open_secret_store(folder, lambda: None)
    store = open_provider_store(folder, secrets)
    service = ProviderService(store, no_supply)

    async def call(method: Method[Any, Any], params: Any, *, timeout_s: float = 1.0) -> WireModel:
        del timeout_s
        return await getattr(service, method.name.partition("/")[2])(params, CONTEXT)

    try:
        finish(scene(store, replace(sections.context, call=cast("Any", call))))
    finally:
        store.close()
        secrets.close()
    assert not sections.failures


async def no_supply() -> AvailableModels:
    return AvailableModels(())
