"""Where no able model answers, the window says so and leads to one; it calls nothing ready that rests on a model (ours)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel
from pytestqt.qtbot import QtBot

from lime_desktop.developer.evals import run_evals
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import now_ms
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.user_profile.settings import read_settings
from lime_desktop.protocol.calls.models import (
    ListModelsResult,
    ModelDescription,
    ModelObstacle,
    ModelQuality,
)
from lime_desktop.shell.pages.app_page import AppPage
from tests.shell.conftest import Finish
from tests.shell.stage import ROOT, Stage, set_stage

_SAMPLES = ROOT / "sample_apps"
_DRAFT_DESK = ("keep-drafts", "use-model", "keep-versions")
_ABOUT_MODELS = "Which model answers for the agents of your apps"


@pytest.fixture
def stage(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop, finish: Finish
) -> Iterator[Stage]:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)

    async def install() -> None:
        await made.install(_SAMPLES / "notes", "keep-notes", "use-model", "keep-documents")
        await run_quality_checks(await made.open_center(), "notes")
        await made.install(_SAMPLES / "hello-lime", "keep-greeting")
        await made.install(_SAMPLES / "draft-desk", *_DRAFT_DESK)

    finish(install())
    yield made
    made.window.shut()
    finish(made.leave())


async def run_quality_checks(center: AppCenter, app_id: str) -> None:
    """Until they were run, an app that requires them is ready with warnings."""
    app = center.installed_app(app_id)
    assert app is not None
    report = run_evals(await center.package(app_id), {})
    await center.eval_outcomes.keep(app_id, app.package_hash, report.outcomes(now_ms()))


def none(reason_code: str) -> ListModelsResult:
    obstacle = ModelObstacle(reason_code=reason_code, message="No.", setup_action="Do it.")
    return ListModelsResult(models=(), obstacle=obstacle)


def answers(quality: ModelQuality) -> ListModelsResult:
    model = ModelDescription(
        engine="e", provider_id="p", model_id="m", title="SmolLM2", quality=quality, is_local=True
    )
    return ListModelsResult(models=(model,), default_model=model)


def tell(stage: Stage, found: ListModelsResult, qtbot: QtBot) -> None:
    """The App Server says which models there are."""

    async def call(_method: object, _params: object) -> ListModelsResult:
        return found

    reading = asyncio.ensure_future(stage.services.models.read(cast("CallServer", call)))
    qtbot.waitUntil(reading.done)
    QTest.qWait(1)  # what was put on the page is shown when Qt's loop turns


def lines(stage: Stage) -> list[str]:
    return [each.text() for each in stage.window.findChildren(QLabel) if each.isVisible()]


def pressable(stage: Stage, name: str) -> list[QAbstractButton]:
    found = stage.window.findChildren(QAbstractButton)
    return [each for each in found if each.isVisible() and name in {each.text(), each.toolTip()}]


def press(stage: Stage, name: str) -> None:
    [found] = pressable(stage, name)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def is_at_models(stage: Stage) -> bool:
    return any(each.startswith(_ABOUT_MODELS) for each in lines(stage))


@pytest.mark.parametrize(
    ("found", "state"),
    [
        (none("weights_missing"), "No model set up"),
        (none("demo_model"), "No model set up"),
        (answers("demo"), "Demo model only"),
    ],
)
def test_an_app_that_wants_a_model_says_that_none_answers_and_leads_to_one(
    stage: Stage, qtbot: QtBot, found: ListModelsResult, state: str
) -> None:
    """A bug: its page said "Ready" and "Nothing to set up." though nobody would have answered."""
    tell(stage, found, qtbot)
    stage.window.show_details("draft-desk")
    said = lines(stage)
    assert "Draft Desk needs a model to answer" in said
    assert state in said
    assert "Ready" not in said
    assert "Nothing to set up." not in said
    press(stage, "Set up a model")
    assert is_at_models(stage)


def test_until_models_are_known_and_once_one_answers_the_page_says_what_is_so(
    stage: Stage, qtbot: QtBot
) -> None:
    stage.window.show_details("draft-desk")
    assert "Ready" not in lines(stage)
    assert "Nothing to set up." not in lines(stage)
    tell(stage, none("weights_missing"), qtbot)
    assert "Draft Desk needs a model to answer" in lines(stage)
    tell(stage, answers("standard"), qtbot)
    assert "Draft Desk needs a model to answer" not in lines(stage)
    assert {"Ready", "Nothing to set up."} <= set(lines(stage))


def test_an_app_whose_model_is_optional_is_ready_without_one_and_says_what_one_adds(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: an app that says "No model is needed" stood there as yellow "No model set up"."""
    tell(stage, none("weights_missing"), qtbot)
    stage.window.show_details("notes")
    said = lines(stage)
    assert {"Ready", "Notes works without a model. With one it can do more"} <= set(said)
    assert not {"No model set up", "Notes needs a model to answer"} & set(said)
    press(stage, "Set up a model")
    assert is_at_models(stage)


def test_an_app_that_asks_no_model_is_ready_without_one(stage: Stage, qtbot: QtBot) -> None:
    tell(stage, none("weights_missing"), qtbot)
    stage.window.show_details("hello-lime")
    assert {"Ready", "Nothing to set up."} <= set(lines(stage))
    assert not pressable(stage, "Set up a model")


def test_the_page_of_an_app_opens_at_its_head(stage: Stage, qtbot: QtBot) -> None:
    """A bug: it opened where the page of the app before was left, past its own name."""
    stage.window.resize(900, 400)
    stage.window.show_details("notes")
    [page] = [each for each in stage.window.findChildren(AppPage) if each.isVisible()]
    bar = page.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    stage.window.show_details("draft-desk")
    QTest.qWait(1)  # what has the keyboard is brought in sight when Qt's loop turns
    assert bar.value() == 0


def test_home_offers_a_model_until_there_is_one(stage: Stage, qtbot: QtBot) -> None:
    stage.window.show_home()
    assert not pressable(stage, "Set up a model")
    tell(stage, none("weights_missing"), qtbot)
    press(stage, "Set up a model")
    assert is_at_models(stage)
    stage.window.show_home()
    tell(stage, answers("standard"), qtbot)
    assert not pressable(stage, "Set up a model")


def test_a_provider_that_lacks_its_key_is_mended_among_the_providers(
    stage: Stage, qtbot: QtBot
) -> None:
    stage.window.show_home()
    tell(stage, none("key_missing"), qtbot)
    assert "The provider has no API key." in lines(stage)
    press(stage, "Set up a model")
    assert stage.services.look.texts("settings.providers.about") in lines(stage)


def test_who_puts_the_offer_away_is_not_offered_it_again(
    stage: Stage, qtbot: QtBot, tmp_path: Path
) -> None:
    stage.window.show_home()
    tell(stage, none("weights_missing"), qtbot)
    press(stage, "Hide this offer")
    QTest.qWait(1)
    assert not pressable(stage, "Set up a model")
    stage.services.settings.flush()
    assert read_settings(tmp_path / "settings.json").is_model_offer_closed


def test_home_offers_no_model_where_no_app_wants_one(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> None:
    del loop
    made = set_stage(tmp_path, "light")
    qtbot.addWidget(made.window)
    made.services.registry.add([_SAMPLES / "hello-lime"])
    made.window.show_home()
    tell(made, none("weights_missing"), qtbot)
    assert not pressable(made, "Set up a model")
    made.window.shut()


def test_the_page_names_the_publisher_first_and_exact_facts_one_click_deeper(stage: Stage) -> None:
    """A bug: it named nobody, and ended in a path with a hash."""
    stage.window.show_details("notes")
    assert "by Lime Desktop" in lines(stage)
    app = stage.services.registry.app("notes")
    assert app is not None
    exact = (str(app.path), app.projection.provenance.package_hash)
    assert not [each for each in lines(stage) if any(fact in each for fact in exact)]
    press(stage, "Details")
    said = "\n".join(lines(stage))
    assert all(fact in said for fact in exact)
    stage.services.registry.revoke("notes", "use-model")
    QTest.qWait(1)
    assert str(app.path) in "\n".join(lines(stage)), "what was opened stays open"
    stage.window.show_details("hello-lime")
    assert "sha256:" not in "\n".join(lines(stage))


@pytest.mark.parametrize(
    ("locale", "name"), [("en", "Minimum score in quality checks"), ("zh-CN", "质量检查的最低分")]
)
def test_a_check_of_an_app_is_named_in_plain_words(stage: Stage, locale: str, name: str) -> None:
    """A bug: its settings said "Minimum score for “answer_sources”"."""
    stage.services.settings.change(locale=locale)
    stage.window.show_overlays("notes")
    assert name in lines(stage)
    assert not [each for each in lines(stage) if "answer_sources" in each]


def test_what_the_author_says_about_the_app_is_one_click_deep_and_its_links_are_asked_about(
    stage: Stage, tmp_path: Path, finish: Finish
) -> None:
    """Ours: what a manifest says of people, terms and places is shown, and nothing of it opens by itself."""
    said = """author: {name: Ada Byron, email: ada@example.com}
license: Apache-2.0
repository: {type: git, url: "https://code.example.com/said"}
support: {email: help@example.com, url: "https://help.example.com", responseSla: Within two days}
distribution: {pricing: freemium, billingModel: subscription, trialDays: 14}
compliance: {privacyPolicyUrl: "https://example.com/privacy", certifications: [soc2]}
releasedAt: "2026-01-02T03:04:05Z"
changelog: ./CHANGES.md
"""
    folder = tmp_path / "said"
    folder.mkdir()
    head = (
        "manifestVersion: 0.10.0\nname: said\nversion: 1.0.0\nstatus: ready\nappType: agent-app\n"
    )
    text = f"---\n{head}description: It says a lot of itself.\n{said}---\n\n# Said\n\nA guide.\n"
    (folder / "APP.md").write_text(text, encoding="utf-8")
    (folder / "CHANGES.md").write_text("1.0.0 brings the first letter.\n", encoding="utf-8")
    finish(stage.install(folder))
    stage.window.show_details("said")
    assert not [each for each in lines(stage) if "Ada Byron" in each]
    press(stage, "About this app")
    shown = "\n".join(lines(stage))
    for words in (
        "Author: Ada Byron (ada@example.com)",
        "License: Apache-2.0",
        "Source code: https://code.example.com/said",
        "Help by email: help@example.com",
        "Answers to questions: Within two days",
        "Price: Free, with paid features",
        "Payment: Subscription",
        "Days to try it: 14",
        "Privacy policy: https://example.com/privacy",
        "Certificates that the author claims: SOC2",
        "Released: 2026-01-02",
        "1.0.0 brings the first letter.",
    ):
        assert words in shown
    opening = next(
        each
        for each in stage.window.findChildren(QAbstractButton)
        if each.accessibleName() == "Open: Privacy policy"
    )
    opening.click()
    asked = stage.window.findChild(QDialog)
    assert asked is not None
    assert any("example.com/privacy" in each.text() for each in asked.findChildren(QLabel))
    asked.reject()


_SAYS_EVERYTHING = """author: {name: Ada Byron, email: ada@example.com}
maintainers: [{name: Bea, role: core, url: "https://bea.example.com"}]
contributors: [{name: Cid}]
publisher:
  {publisherId: acme, name: acme, email: pub@example.com, country: DE, homepage: "https://acme.example.com"}
createdAt: "2026-01-01T00:00:00Z"
updatedAt: "2026-01-02T00:00:00Z"
releasedAt: "2026-01-03T00:00:00Z"
homepage: "https://home.example.com"
documentation: "https://docs.example.com"
issues: "https://issues.example.com"
repository: "https://code.example.com"
changelog: "https://new.example.com"
support:
  email: help@example.com
  url: "https://help.example.com"
  statusPageUrl: "https://status.example.com"
  discordUrl: "https://discord.example.com"
  slackUrl: "https://slack.example.com"
  discussionsUrl: "https://talk.example.com"
  responseSla: Within two days
license: Apache-2.0
licenseUrl: "https://license.example.com"
copyright: Ada 2026
distribution: {pricing: paid, billingModel: tiered, trialDays: 7, regions: [DE, FR], channel: beta}
compliance:
  privacyPolicyUrl: "https://privacy.example.com"
  termsOfServiceUrl: "https://terms.example.com"
  dpaUrl: "https://dpa.example.com"
  subprocessorsUrl: "https://sub.example.com"
  certifications: [gdpr]
  exportControl: EAR99
"""


_EVERYTHING = (
    "Author: Ada Byron (ada@example.com)",
    "Maintained by: Bea (core, https://bea.example.com)",
    "With contributions by: Cid",
    "Publisher's email: pub@example.com",
    "Publisher's country: DE",
    "First published: 2026-01-01",
    "Last changed: 2026-01-02",
    "Released: 2026-01-03",
    "Website: https://home.example.com",
    "Publisher's website: https://acme.example.com",
    "Documentation: https://docs.example.com",
    "Help: https://help.example.com",
    "Report a problem: https://issues.example.com",
    "Service status: https://status.example.com",
    "Discussions: https://talk.example.com",
    "Discord server: https://discord.example.com",
    "Slack workspace: https://slack.example.com",
    "Source code: https://code.example.com",
    "What's new: https://new.example.com",
    "Help by email: help@example.com",
    "Answers to questions: Within two days",
    "License: Apache-2.0",
    "Copyright: Ada 2026",
    "Full license text: https://license.example.com",
    "Privacy policy: https://privacy.example.com",
    "Terms of service: https://terms.example.com",
    "Data processing agreement: https://dpa.example.com",
    "Who else processes data: https://sub.example.com",
    "Price: Paid",
    "Payment: In tiers",
    "Days to try it: 7",
    "Offered in: DE; FR",
    "Maturity: Beta",
    "Certificates that the author claims: GDPR",
    "Export control: EAR99",
)


def test_nothing_that_the_author_says_about_the_app_is_left_out(
    stage: Stage, tmp_path: Path, finish: Finish
) -> None:
    """The standard: author, dates, links, support, license, price and terms can be read on the app's page."""
    folder = tmp_path / "said"
    folder.mkdir()
    head = (
        "manifestVersion: 0.10.0\nname: said\nversion: 1.0.0\nstatus: ready\nappType: agent-app\n"
    )
    text = f"---\n{head}description: It says all.\n{_SAYS_EVERYTHING}---\n\n# Said\n\nA guide.\n"
    (folder / "APP.md").write_text(text, encoding="utf-8")
    finish(stage.install(folder))
    stage.window.show_details("said")
    press(stage, "About this app")
    shown = lines(stage)
    begin = shown.index(_EVERYTHING[0])
    assert tuple(shown[begin : begin + len(_EVERYTHING)]) == _EVERYTHING


def _granted(stage: Stage) -> frozenset[str]:
    app = stage.services.registry.app("notes")
    assert app is not None
    return frozenset(app.granted)


def test_a_double_click_on_revoke_revokes_one_permission_and_can_be_undone(
    stage: Stage, qtbot: QtBot
) -> None:
    """A bug: a step more in *Setup* pushed the next *Revoke* under the pointer, and the second press took that too."""
    window = stage.window
    window.resize(800, 500)
    window.show_details("notes")
    page = window.findChildren(AppPage)[0]
    before = _granted(stage)
    QTest.qWait(1)  # it is laid out when Qt's loop turns
    pressed = pressable(stage, "Revoke")[1]
    name = pressed.accessibleName().removeprefix("Revoke")
    pressed.setFocus()
    page.ensureWidgetVisible(pressed, 0, 40)
    QCursor.setPos(pressed.mapToGlobal(pressed.rect().center()))
    there = pressed.mapTo(window, pressed.rect().center())
    handle = window.windowHandle()
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, there)
    qtbot.waitUntil(lambda: len(pressable(stage, "Revoke")) == len(before) - 1, timeout=30_000)
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, there)
    [gone] = before - _granted(stage)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused.accessibleName() == f"Allow{name}"
    # The pointer is where it was, over what took the place of the pressed button.
    assert focused.rect().contains(focused.mapFromGlobal(QCursor.pos()))
    press(stage, "Undo")
    qtbot.waitUntil(lambda: gone in _granted(stage), timeout=30_000)
    assert _granted(stage) == before


def test_a_double_click_on_revoke_is_told_once(stage: Stage, qtbot: QtBot) -> None:
    """A bug: both halves came before the row was drawn anew, and two notices offered to undo one thing."""
    stage.window.show_details("hello-lime")
    [revoke] = pressable(stage, "Revoke")
    QTest.mouseClick(revoke, Qt.MouseButton.LeftButton)
    QTest.mouseClick(revoke, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not pressable(stage, "Revoke"), timeout=30_000)
    press(stage, "Undo")
    qtbot.waitUntil(lambda: bool(pressable(stage, "Revoke")), timeout=30_000)
    assert not pressable(stage, "Undo")
