"""What a page may have its window show, and how often (ours: no page fills the screen, none steps in front unseen)."""

import asyncio
from typing import Any

import pytest

from lime_desktop.host.view.rate_limited_shell import BURST_LINKS, BURST_TOASTS, RateLimitedShell
from lime_desktop.host.view.shell_port import FileQuestion, SecretQuestion
from lime_desktop.host.view.shown_artifact import ShownArtifact
from lime_desktop.protocol.errors import PolicyDenied, RateLimited
from tests.host.requests.test_app_requests import Page, Window

ARTIFACT = ShownArtifact("Limes", "report", 2, "# Green", False, "text/markdown", 7)  # noqa: FBT003 - a value


def code_of(refusal: dict[str, Any]) -> str:
    return refusal["details"]["appErrorCode"]


@pytest.fixture
def page() -> Page:
    return Page()


def test_a_flood_of_notices_is_refused_before_the_window_hears_of_it(page: Page) -> None:
    answers = [page.ask("host:toast", {"message": "Look!"}) for _ in range(1_500)]
    answers += [page.invoke("lime.ui", "toast", message="Look!") for _ in range(1_500)]
    refused = [each for each in answers if not each["ok"]]
    assert {code_of(each) for each in refused} == {"APP_E019"}
    # A slow machine may let a second or two pass meanwhile.
    assert len(page.window.asked) == 3_000 - len(refused) < 300


def test_notices_are_taken_again_as_time_goes_by() -> None:
    now_s = 100.0
    window = Window()
    shell = RateLimitedShell(window, lambda: now_s)
    for _ in range(BURST_TOASTS):
        shell.show_toast("Hi", "info")
    with pytest.raises(RateLimited):
        shell.show_toast("Hi", "info")
    now_s += 1.0
    shell.show_toast("Later", "info")
    assert window.asked[-1] == ("toast info", "Later")


def test_one_link_is_asked_about_at_a_time(page: Page) -> None:
    page.ask("host:openExternal", {"url": "https://one.example/"})
    page.window.is_asking = True
    refused = page.ask("host:openExternal", {"url": "https://two.example/"})
    assert code_of(refused) == "APP_E019"
    assert page.window.asked == [("link", "https://one.example/")]


def test_links_that_need_no_question_are_few_as_well() -> None:
    window = Window()
    shell = RateLimitedShell(window, lambda: 100.0)
    for _ in range(BURST_LINKS):
        shell.offer_link("https://agreed.example/")
    with pytest.raises(RateLimited):
        shell.offer_link("https://agreed.example/")
    assert len(window.asked) == BURST_LINKS


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("host:openExternal", {"url": "https://example.com/"}),
        ("host:navigate", {"entryKey": "greeting"}),
    ],
)
def test_a_page_that_nobody_sees_brings_nothing_to_the_front(
    page: Page, kind: str, payload: dict[str, str]
) -> None:
    page.window.is_seen = False
    assert page.ask(kind, payload)["stableCode"] == "policy_denied"
    assert page.window.asked == []


def test_a_page_that_nobody_sees_still_gives_notice_and_turns_within_itself(page: Page) -> None:
    page.window.is_seen = False
    page.ask("host:toast", {"message": "Done"})
    page.ask("host:navigate", {"route": "/about"})
    assert page.window.asked == [("toast info", "Done"), ("route", "/about")]


@pytest.mark.parametrize(("is_seen", "refusal"), [(True, RateLimited), (False, PolicyDenied)])
def test_nothing_else_opens_over_an_open_question_or_from_an_unseen_page(
    is_seen: bool,  # noqa: FBT001 - a case
    refusal: type[Exception],
) -> None:
    window = Window()
    window.is_seen, window.is_asking = is_seen, True
    shell = RateLimitedShell(window)
    with pytest.raises(refusal):
        shell.show_artifact(ARTIFACT)
    for asking in (
        shell.choose_files(FileQuestion()),
        shell.choose_save_path("a.txt"),
        shell.ask_secret(SecretQuestion("key")),
    ):
        with pytest.raises(refusal):
            asyncio.run(asking)
    assert window.asked == []


def test_a_run_that_is_shown_already_follows_an_unseen_page_and_no_other_opens() -> None:
    window = Window()
    shell = RateLimitedShell(window)
    window.is_seen = False
    with pytest.raises(PolicyDenied):
        shell.show_run("session_1")
    window.shown_run = "session_1"
    shell.show_run("session_2")
    assert window.asked == [("run", "session_2")]
