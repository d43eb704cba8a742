"""Demands that only an open page answers."""

from collections import Counter
from collections.abc import Callable, Mapping

from lime_desktop.app_package.problems import ProblemKind
from lime_desktop.developer.conformance.declarations import told
from lime_desktop.developer.conformance.report import Finding, does_not_apply, fails, holds
from lime_desktop.developer.conformance.seen_page import READY, SeenPage
from lime_desktop.developer.page_problems import (
    FILE_NOT_SERVED,
    POLICY_BLOCKED,
    REFUSED_BY_HOST,
    SCRIPT_FAILED,
)
from lime_desktop.protocol.errors import CapabilityMethodUnknown, CapabilityNotDeclared

_UNDECLARED = {CapabilityNotDeclared.code, CapabilityMethodUnknown.code}


def _says_ready(page: SeenPage) -> Finding:
    times = page.asked.count(READY)
    if not times:
        broken = [f"{each.name}: {each.problem}" for each in page.tests if each.problem]
        return fails("The page never said that it is ready.", *broken)
    return holds("The page greeted the host.", f"{READY} × {times}")


def _runs_clean(page: SeenPage) -> Finding:
    return _without(page, SCRIPT_FAILED, FILE_NOT_SERVED)


def _keeps_to_its_origin(page: SeenPage) -> Finding:
    return _without(page, POLICY_BLOCKED, REFUSED_BY_HOST)


def _without(page: SeenPage, *kinds: ProblemKind) -> Finding:
    codes = {each.code for each in kinds}
    found = [told(each) for each in page.problems if each.code in codes]
    if found:
        return fails("It went wrong while the page was open.", *found)
    return holds("Nothing of the kind was seen while the page was open.")


def _calls_what_it_declares(page: SeenPage) -> Finding:
    broken = _refused(page, is_undeclared=True)
    if broken:
        return fails("The page called what the manifest does not declare.", *broken)
    return holds("Every call was declared.", *_counted(page))


def _is_not_refused(page: SeenPage) -> Finding:
    broken = _refused(page, is_undeclared=False)
    return fails("The host refused a call.", *broken) if broken else holds("No call was refused.")


def _refused(page: SeenPage, *, is_undeclared: bool) -> list[str]:
    return [
        f"{each.name}: {each.refusal}"
        for each in page.refused
        if (each.refusal in _UNDECLARED) == is_undeclared
    ]


def _counted(page: SeenPage) -> list[str]:
    return [f"{name} × {times}" for name, times in Counter(page.asked).items()]


def _passes_its_tests(page: SeenPage) -> Finding:
    if not page.tests:
        return does_not_apply("The app has no tests of its page.")
    if broken := [f"{each.name}: {each.problem}" for each in page.tests if each.problem]:
        return fails("A test failed.", *broken)
    return holds("All passed.", *(f"{each.file}: {each.name}" for each in page.tests))


PAGE_JUDGES: Mapping[str, Callable[[SeenPage], Finding]] = {
    "RUN-01": _says_ready,
    "RUN-02": _runs_clean,
    "RUN-03": _keeps_to_its_origin,
    "RUN-04": _calls_what_it_declares,
    "RUN-05": _is_not_refused,
    "RUN-06": _passes_its_tests,
}
