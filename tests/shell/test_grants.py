"""Taking back what was allowed, from the settings."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.permissions import refused_call
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decision import Allowed, NeedsApproval, Question, Risk
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.steps.approval import OWN_ACT
from lime_desktop.shell.approvals.panel import ApprovalsPanel
from tests.host.app_center.opened import center_of, center_without_server, installed
from tests.host.app_center.packages import make_package
from tests.shell.conftest import WAIT_MS, Finish
from tests.shell.stage import Stage, set_stage

ROOT = Path(__file__).parents[2]


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Stage:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.add_samples()
    return made


def test_a_permission_is_taken_back_by_one_click(stage: Stage) -> None:
    registry = stage.services.registry
    registry.grant("hello-lime", "keep-greeting")
    stage.window.show_settings("grants")
    take_back = [
        each
        for each in stage.window.findChildren(QPushButton)
        if each.text() == "Revoke" and each.isVisible()
    ]
    assert len(take_back) == 1
    QTest.mouseClick(take_back[0], Qt.MouseButton.LeftButton)
    app = registry.app("hello-lime")
    assert app is not None
    assert app.granted == frozenset()
    assert not take_back[0].isVisible()


@pytest.mark.parametrize(
    ("locale", "name"),
    [
        ("en", "Revoke: Keep data on this computer"),
        ("zh-CN", "撤销：在这台电脑上保存数据"),
    ],
)
def test_a_button_beside_others_alike_is_named_with_its_thing_as_the_language_writes_it(
    stage: Stage, locale: str, name: str
) -> None:
    """A bug: the colon was the English one in every language."""
    stage.services.settings.change(locale=locale)
    stage.services.registry.grant("hello-lime", "keep-greeting")
    stage.window.show_settings("grants")
    buttons = [each for each in stage.window.findChildren(QPushButton) if each.isVisible()]
    assert name in [each.accessibleName() for each in buttons]


def test_a_permission_reads_as_a_sentence_wherever_it_stands(stage: Stage) -> None:
    """A bug: the settings and the app's page said "Models · run", the review before it a sentence."""

    def lines() -> list[str]:
        return [each.text() for each in stage.window.findChildren(QLabel) if each.isVisible()]

    stage.services.registry.grant("notes", "use-model")
    stage.window.show_settings("grants")
    assert "Use a model, which may cost money" in lines()
    stage.window.show_details("notes")
    assert "Use a model, which may cost money" in lines()
    assert not [each for each in lines() if each.startswith("Models")]


def test_a_never_is_said_listed_and_taken_back_in_the_settings(
    stage: Stage, tmp_path: Path, finish: Finish
) -> None:
    services = stage.services
    package = ROOT / "sample_apps/hello-lime"

    async def scene() -> None:
        async with center_without_server(tmp_path) as center:
            await installed(center, package, "keep-greeting")
            await services.registry.follow(center)
            stage.window.show_settings("grants")
            await pressed("Never allow", lambda: bool(center.permissions.refusals("hello-lime")))
            assert center.permissions.grants("hello-lime") == ()
            stage.window.show_settings("grants")
            await pressed("Ask me again", lambda: not center.permissions.refusals("hello-lime"))
            # A bug: it was said that a permission had been revoked.
            said = services.look.texts("settings.grants.asked-again")
            labels = stage.window.findChildren(QLabel)
            assert [each for each in labels if each.text() == said and each.isVisible()]
            await services.registry.close()

    async def pressed(words: str, is_done: Callable[[], bool]) -> None:
        buttons = stage.window.findChildren(QPushButton)
        [button] = [each for each in buttons if each.text() == words and each.isVisible()]
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await services.registry.close()
        assert is_done()

    _close_places(services.registry)
    finish(scene())


def test_a_never_to_one_kind_of_call_stands_on_the_apps_page(
    stage: Stage, tmp_path: Path, finish: Finish
) -> None:
    """A bug: the page said *Allowed* of the permission and nothing of the never that outweighs it."""
    services = stage.services

    def seen(words: str) -> bool:
        labels = stage.window.findChildren(QLabel)
        return any(each.text() == words for each in labels if each.isVisible())

    async def scene() -> None:
        async with center_without_server(tmp_path) as center:
            await installed(center, ROOT / "sample_apps/hello-lime", "keep-greeting")
            await services.registry.follow(center)
            call = PolicyCall(app_id="hello-lime", capability="lime.storage", method="set")
            await center.permissions.refuse(refused_call(call))
            stage.window.show_details("hello-lime")
            # A bug: *save this*, where nothing was to be seen that it could mean.
            assert seen("Never allowed: save values in its own storage")
            buttons = stage.window.findChildren(QPushButton)
            [again] = [each for each in buttons if each.text() == "Ask me again"]
            QTest.mouseClick(again, Qt.MouseButton.LeftButton)
            await services.registry.close()
            assert center.permissions.refusals("hello-lime") == ()

    _close_places(services.registry)
    finish(scene())


def test_what_was_allowed_several_times_counts_so_often(
    stage: Stage, qtbot: QtBot, tmp_path: Path, finish: Finish
) -> None:
    """A bug: each yes is of its own, and the largest of them was told: *once*, after three."""
    services, stack = stage.services, AsyncExitStack()
    greeting = PolicyCall(
        app_id="hello-lime", capability="lime.storage", method="set", arguments_digest="sha256:1"
    )

    def allow() -> None:
        demand = RuleRef("user.ask", "user", "Settings", "Ask me.")
        question = Question(
            kind="policy_exception",
            title="Save the greeting",
            subject=greeting.subject,
            reasons=(demand,),
            risk=Risk("low", ()),
            leaves_machine=(),
            arguments_summary="",
            suggestions=(),
            if_refused=(),
            remember_scopes=(),
        )
        needed = NeedsApproval(rule=demand, question=question, would_change="Somebody says yes.")
        services.approvals.calls.ask(greeting, needed, {"key": "greeting", "value": "Hi"})
        [yes] = [
            each
            for each in stage.window.findChildren(ApprovalsPanel)[0].findChildren(QPushButton)
            if each.isVisible() and each.property("role") == "primary"
        ]
        qtbot.waitUntil(yes.isEnabled, timeout=WAIT_MS)
        QTest.mouseClick(yes, Qt.MouseButton.LeftButton)
        [given] = services.approvals.calls.facts("hello-lime")
        answered = RuleRef(f"approval.{given.id}", "user", "remembered approvals", "Yes.")
        # Its own press would have been enough: it is one call nevertheless.
        allowed = Allowed(rule=answered, answered_by=(answered, OWN_ACT))
        services.approvals.calls.was_allowed(greeting, allowed)

    opened: list[AppCenter] = []

    async def begin() -> None:
        center = await stack.enter_async_context(center_without_server(tmp_path))
        opened.append(center)
        await installed(center, ROOT / "sample_apps/hello-lime", "keep-greeting")
        services.approvals.follow(center)
        await services.registry.follow(center)

    async def record() -> None:
        await services.approvals.close()
        uses = await opened[0].permissions.uses()
        assert sum(each.count for each in uses) == 3

    async def leave() -> None:
        await services.registry.close()
        await stack.aclose()

    def deeds() -> list[str]:
        labels = stage.window.findChildren(QLabel)
        said = [each.text() for each in labels if each.isVisible()]
        return [each for each in said if "times" in each or "once" in each]

    _close_places(services.registry)
    finish(begin())
    for _ in range(3):
        allow()
    finish(record())
    stage.window.show_settings("grants")
    qtbot.waitUntil(lambda: bool(deeds()), timeout=WAIT_MS)
    [told] = deeds()
    assert "3 times" in told
    finish(leave())


def _close_places(registry: AppRegistry) -> None:
    """Have only what is installed: what is open in place would be shown instead."""
    for app in registry.apps:
        registry.take_off(app.app_id)


PROGRAM = """integrations:
- { key: greet, provider: Greeter, role: greeting, adapter: { kind: cli, command: "sh -c" } }
"""


def test_programs_without_a_sandbox_are_asked_about_in_words_and_taken_back(
    stage: Stage, tmp_path: Path, finish: Finish
) -> None:
    services = stage.services
    package = make_package(tmp_path / "from", more=PROGRAM)

    async def until(is_done: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not is_done():  # noqa: ASYNC110 - widgets tell nobody
                await asyncio.sleep(0.01)

    def runs_unconfined() -> bool:
        app = services.registry.app("notes")
        return app is not None and app.installed is not None and app.installed.runs_unconfined

    def press(words: str) -> None:
        buttons = stage.window.findChildren(QPushButton)
        [button] = [
            each
            for each in buttons
            if words in {each.text(), each.accessibleName()} and each.isVisible()
        ]
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def is_shown(words: str) -> bool:
        labels = stage.window.findChildren(QLabel)
        return any(words in each.text() and each.isVisible() for each in labels)

    async def scene() -> None:
        async with center_of(tmp_path) as center:
            await installed(center, package, "keep")
            await services.registry.follow(center)
            stage.window.show_details("notes")
            assert is_shown("Runs “sh -c” with any command that the app gives it")
            press("Allow…")
            assert is_shown("could read, change or delete your files")
            press("Allow without sandbox")
            await until(runs_unconfined)
            stage.window.show_settings("grants")
            assert is_shown("Run programs without a sandbox")
            press("Revoke: Run programs without a sandbox")
            await until(lambda: not runs_unconfined())
            await services.registry.close()

    _close_places(services.registry)
    finish(scene())
