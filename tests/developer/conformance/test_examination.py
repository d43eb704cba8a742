"""What breaks a demand is reported under that demand's id; everything else is left as it was (ours)."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lime_desktop.developer.conformance.declarations import DECLARATIONS
from lime_desktop.developer.conformance.demands import ALL_DEMANDS, UNTRIED
from lime_desktop.developer.conformance.host_judges import HOST_JUDGES
from lime_desktop.developer.conformance.package_judges import PACKAGE_JUDGES
from lime_desktop.developer.conformance.page_judges import PAGE_JUDGES
from lime_desktop.developer.conformance.report import Report, Verdict
from lime_desktop.developer.conformance.runtime_checks import CHECKS
from lime_desktop.developer.conformance.seen_page import SeenPage
from lime_desktop.developer.conformance.tried_host import PROBE, shown_ids
from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.resources import resources_folder
from tests.developer.conformance.conftest import Examine

WRITTEN = re.compile(r'^test\("([^"]+)"', re.MULTILINE)


def failed(report: Report) -> set[str]:
    return {each.id for each in report.failures}


def verdict(report: Report, demand: str) -> Verdict:
    return next(each.verdict for each in report.judgements if each.id == demand)


def test_every_demand_is_judged_once_in_its_order(examined: Examine) -> None:
    assert [each.id for each in examined().judgements] == [each.id for each in ALL_DEMANDS]


def test_a_sound_package_fails_in_nothing(examined: Examine) -> None:
    report = examined()
    assert report.failures == ()
    assert report.counts[Verdict.HOLDS] > 15
    assert all(each.why for each in report.judgements)


def _without_manifest(package: Path) -> None:
    (package / "APP.md").unlink()


def _append(name: str, text: str) -> Callable[[Path], object]:
    def change(package: Path) -> None:
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.read_text("utf-8") if file.exists() else ""
        file.write_text(before + text, "utf-8")

    return change


def _replace(name: str, old: str, new: str) -> Callable[[Path], object]:
    def change(package: Path) -> None:
        before = (package / name).read_text("utf-8")
        assert old in before
        (package / name).write_text(before.replace(old, new, 1), "utf-8")

    return change


def _frontmatter(text: str) -> Callable[[Path], object]:
    return _replace("APP.md", "---\n", f"---\n{text}\n")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(
            _without_manifest,
            {"PKG-01", "APP-01", "APP-04", "APP-53"},
            id="no APP.md",
            marks=pytest.mark.requirement("PKG-01"),
        ),
        pytest.param(
            _append("leaked.env", f"KEY=AKIA{'QZ7X' * 4}\n"),
            {"PKG-01", "APP-57"},
            id="key",
        ),
        pytest.param(
            _append("skills/empty/notes.md", "Nothing here.\n"), {"PKG-01", "APP-63"}, id="skill"
        ),
        pytest.param(
            _append("storage/migrations/001_more.sql", "CREATE TABLE more (a TEXT);\n"),
            {"APP-48"},
            id="migration",
        ),
        pytest.param(
            _replace("app.errors.yaml", "APP_E", "APP_X"),
            {"PKG-01", "PKG-03"},
            id="error code",
            marks=pytest.mark.requirement("PKG-03"),
        ),
        pytest.param(
            _replace("app.i18n.yaml", "supportedLocales: [", "supportedLocales: [fr, "),
            {"PKG-02"},
            id="language",
            marks=pytest.mark.requirement("PKG-02"),
        ),
        pytest.param(
            _append("app.requirements.yaml", "requirements: [{id: r1, text: Keep notes}]\n"),
            {"APP-65"},
            id="a requirement that nobody serves",
            marks=pytest.mark.requirement("APP-65"),
        ),
        pytest.param(_frontmatter("endOfLifeAt: 2020-01-01T00:00:00Z"), {"APP-10"}, id="over"),
        pytest.param(_frontmatter("bypassPermissions: true"), {"PKG-01", "APP-55"}, id="bypass"),
    ],
)
def test_a_broken_app_fails_the_demand_it_breaks(
    package: Path, examined: Examine, change: Callable[[Path], object], expected: set[str]
) -> None:
    change(package)
    assert failed(examined()) == expected


def test_a_page_that_was_not_opened_is_not_judged(examined: Examine) -> None:
    [ready] = [each for each in examined("No screen.").judgements if each.id == "RUN-01"]
    assert (ready.verdict, ready.why) == (Verdict.NOT_CHECKED, "No screen.")


def test_what_only_the_hosts_tests_show_names_them_and_claims_nothing(examined: Examine) -> None:
    report = examined(SeenPage())
    [shown] = [each for each in report.judgements if each.id == "RT-01"]
    assert (shown.verdict, shown.evidence) == (Verdict.NOT_CHECKED, ("tests/x.py::test_it",))


def test_the_host_refuses_strange_messages_as_the_report_says(examined: Examine) -> None:
    report = examined()
    assert [verdict(report, each) for each in ("APP-24", "APP-25")] == [Verdict.HOLDS] * 2
    assert set(report.host.refused).isdisjoint(report.host.offered)


def test_every_demand_is_judged_tried_or_left_out_for_a_reason() -> None:
    files = (resources_folder() / PROBE / "tests").glob("*.page.js")
    written = [name for file in files for name in WRITTEN.findall(file.read_text("utf-8"))]
    tried = {demand for name in (*written, *CHECKS) for demand in shown_ids(name)}
    judged = {*DECLARATIONS, *PACKAGE_JUDGES, *PAGE_JUDGES, *HOST_JUDGES}
    assert (tried | judged).isdisjoint(UNTRIED)
    assert tried | judged | set(UNTRIED) == {each.id for each in ALL_DEMANDS}


def test_what_was_tried_on_the_host_counts_and_a_failure_wins(examined: Examine) -> None:
    names = ("APP-23 RT-10: both hold", "APP-24: the bridge does not hold")
    outcomes = [
        TestOutcome(file="probe", name=name, problem=problem)
        for name, problem in zip(names, ("", "It was taken.\nat line 3"), strict=True)
    ]
    report = examined(host=outcomes)
    assert [verdict(report, each) for each in ("APP-23", "RT-10")] == [Verdict.HOLDS] * 2
    [broken] = [each for each in report.judgements if each.id == "APP-24"]
    assert broken.verdict is Verdict.FAILS, "the host's own tables say that it holds"
    assert broken.evidence == ("APP-24: the bridge does not hold: It was taken.",)
    assert verdict(report, "APP-60") is Verdict.NOT_CHECKED
