"""A report as JUnit XML, which every CI service reads."""

import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

from lime_desktop.developer.testing.outcomes import TestOutcome, TestReport

_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(reports: Mapping[str, TestReport]) -> bytes:
    """One suite per test file, named with its package where there are several."""
    root = ElementTree.Element("testsuites", name=", ".join(reports))
    for package, report in reports.items():
        prefix = f"{package}/" if len(reports) > 1 else ""
        for file in dict.fromkeys(each.file for each in report.outcomes):
            outcomes = [each for each in report.outcomes if each.file == file]
            _add_suite(root, f"{prefix}{file}", outcomes)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _add_suite(
    root: ElementTree.Element, file: str, outcomes: Sequence[TestOutcome]
) -> ElementTree.Element:
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=file,
        tests=str(len(outcomes)),
        failures=str(sum(not each.has_passed for each in outcomes)),
        time=_seconds(sum(each.took_ms for each in outcomes)),
    )
    for each in outcomes:
        _add_case(suite, each)
    return suite


def _add_case(suite: ElementTree.Element, outcome: TestOutcome) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=outcome.file,
        name=_clean(outcome.name),
        time=_seconds(outcome.took_ms),
    )
    if not outcome.has_passed:
        words = outcome.problem.splitlines()[0]
        failure = ElementTree.SubElement(case, "failure", message=_clean(words))
        failure.text = _clean(outcome.problem)
    if outcome.console:
        said = ElementTree.SubElement(case, "system-out")
        said.text = _clean("\n".join(outcome.console))


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1_000:.3f}"
