"""Demands on the host that an app of our own tried: the probe of `resources/conformance`, opened like any other app.

The name of each of its checks begins with the ids of the demands that it shows.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from lime_desktop.developer.conformance.report import Finding, Verdict, fails, holds
from lime_desktop.developer.conformance.runtime_checks import check_runtime
from lime_desktop.developer.testing.outcomes import TestOutcome
from lime_desktop.developer.testing.plan import TestPlan

PROBE = "conformance/probe"
PROBE_ENTRY = "probe"
_ID = re.compile(r"\b(?:APP|RT)-\d\d\b")


def probe_plan(resources: Path, pictures: Path) -> TestPlan:
    """How the host is tried: the probe's own tests, and what is tried on the App Server behind it."""
    return TestPlan(package=resources / PROBE, pictures=pictures, behind=check_runtime)


def shown_ids(name: str) -> set[str]:
    """Which demands a check shows, by its name."""
    return set(_ID.findall(name.partition(":")[0]))


def judge_tried(demand_id: str, outcomes: Iterable[TestOutcome]) -> Finding | None:
    """What trying came to; None where nothing tried this demand."""
    tried = [each for each in outcomes if demand_id in shown_ids(each.name)]
    if not tried:
        return None
    seen = [f"{each.file}: {each.name.partition(': ')[2]}" for each in tried]
    if broken := [f"{each.name}: {each.problem.splitlines()[0]}" for each in tried if each.problem]:
        return fails("This host was tried, and did not hold.", *broken)
    return holds("This host was tried by an app made for it, and held.", *seen)


def joined(findings: Sequence[Finding]) -> Finding:
    """One finding of several about the same demand: a failure wins, and what holds brings its evidence."""
    for verdict in (Verdict.FAILS, Verdict.HOLDS):
        alike = [each for each in findings if each.verdict is verdict]
        if alike:
            evidence = tuple(line for each in alike for line in each.evidence)
            return alike[0].model_copy(update={"evidence": evidence})
    return findings[0]
