"""What was seen of an open page decides the demands on it (ours)."""

import pytest

from lime_desktop.developer.conformance.page_judges import PAGE_JUDGES
from lime_desktop.developer.conformance.report import Verdict
from lime_desktop.developer.conformance.seen_page import SeenCall, SeenPage, SeenTest, read_calls
from lime_desktop.developer.page_problems import POLICY_BLOCKED, SCRIPT_FAILED
from lime_desktop.developer.recording.lines import FromAppLine, ToAppLine

GREETED = SeenCall("app:ready")
DENIED = SeenCall("lime.files.pick", "APP_E002")
UNDECLARED = SeenCall("lime.files.pick", "APP_E005")


@pytest.mark.parametrize(
    ("page", "failed"),
    [
        pytest.param(SeenPage((GREETED,), (), (SeenTest("opens"),)), set[str](), id="sound"),
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
            SeenPage((GREETED,), (), (SeenTest("adds", "nothing was added"),)),
            {"RUN-06"},
            id="test",
            marks=pytest.mark.requirement("RUN-06"),
        ),
    ],
)
def test_each_mishap_fails_its_own_demand(page: SeenPage, failed: set[str]) -> None:
    verdicts = {demand: judge(page).verdict for demand, judge in PAGE_JUDGES.items()}
    assert {demand for demand, each in verdicts.items() if each is Verdict.FAILS} == failed


def test_a_recording_tells_what_was_asked_and_what_was_refused() -> None:
    invoke = {"capability": "lime.files", "method": "pick"}
    lines = (
        FromAppLine(message={"type": "app:ready", "requestId": "1"}),
        ToAppLine(at=1, message={"type": "host:response", "requestId": "1"}),
        FromAppLine(message={"type": "capability:invoke", "requestId": "2", "payload": invoke}),
        ToAppLine(
            at=2, message={"type": "host:error", "requestId": "2", "payload": {"code": "APP_E002"}}
        ),
        # A page that was loaded anew counts from one again.
        FromAppLine(message={"type": "app:ready", "requestId": "1"}),
    )
    assert read_calls(lines) == (GREETED, DENIED, GREETED)
