"""What was seen of an open page decides the demands on it (ours)."""

import pytest

from lime_desktop.developer.conformance.page_judges import PAGE_JUDGES
from lime_desktop.developer.conformance.report import Verdict
from lime_desktop.developer.conformance.seen_page import PageWatch, SeenPage
from lime_desktop.developer.events import CallEvent, ProblemsEvent
from lime_desktop.developer.page_problems import POLICY_BLOCKED, SCRIPT_FAILED
from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.protocol.errors import CapabilityNotDeclared, PermissionDenied

GREETED = CallEvent(name="app:ready")
DENIED = CallEvent(name="lime.files.pick", refusal=PermissionDenied.code)
UNDECLARED = CallEvent(name="lime.files.pick", refusal=CapabilityNotDeclared.code)


def _test(name: str, problem: str = "") -> TestOutcome:
    return TestOutcome(file="a.page.js", name=name, problem=problem)


@pytest.mark.parametrize(
    ("page", "failed"),
    [
        pytest.param(SeenPage((GREETED,), (), (_test("opens"),)), set[str](), id="sound"),
        pytest.param(SeenPage(), {"RUN-01"}, id="silent", marks=pytest.mark.requirement("RUN-01")),
        pytest.param(
            SeenPage((GREETED,), (SCRIPT_FAILED.found("Uncaught"),)),
            {"RUN-02"},
            id="script",
            marks=pytest.mark.requirement("RUN-02"),
        ),
        pytest.param(
            SeenPage((GREETED,), (POLICY_BLOCKED.found("Refused to load"),)),
            {"RUN-03"},
            id="policy",
            marks=pytest.mark.requirement("RUN-03"),
        ),
        pytest.param(
            SeenPage((GREETED, UNDECLARED)),
            {"RUN-04"},
            id="undeclared",
            marks=pytest.mark.requirement("RUN-04"),
        ),
        pytest.param(
            SeenPage((GREETED, DENIED)),
            {"RUN-05"},
            id="denied",
            marks=pytest.mark.requirement("RUN-05"),
        ),
        pytest.param(
            SeenPage((GREETED,), (), (_test("adds", "nothing was added"),)),
            {"RUN-06"},
            id="test",
            marks=pytest.mark.requirement("RUN-06"),
        ),
    ],
)
def test_each_mishap_fails_its_own_demand(page: SeenPage, failed: set[str]) -> None:
    verdicts = {demand: judge(page).verdict for demand, judge in PAGE_JUDGES.items()}
    assert {demand for demand, each in verdicts.items() if each is Verdict.FAILS} == failed


def test_what_is_told_while_the_app_is_open_is_kept_even_if_the_next_page_is_sound() -> None:
    watch, problem, outcome = PageWatch(), SCRIPT_FAILED.found("Uncaught"), _test("opens")
    for event in (
        GREETED,
        ProblemsEvent(problems=(problem,)),
        ProblemsEvent(problems=()),
        DENIED,
        outcome,
    ):
        watch.hear(event)
    assert watch.seen == SeenPage((GREETED, DENIED), (problem,), (outcome,))
    assert watch.seen.asked == ("app:ready",)
