"""Print how far the product meets each demand, as Markdown: ``python -m tests.conformance.report``.

Also writes anew the list of tests that ships with the product, for `lime-desktop conformance`.
"""

import json
import sys
from collections.abc import Iterator, Mapping

from lime_desktop.developer.conformance.demands import SHOWN_BY
from lime_desktop.resources import resources_folder
from tests.conformance.citations import by_requirement, find_citations
from tests.conformance.requirements import (
    APP_REQUIREMENTS,
    PAGE_REQUIREMENTS,
    RUNTIME_REQUIREMENTS,
    Deferral,
    Requirement,
)

PARTS = {
    "Agent App standard: hosts and apps": APP_REQUIREMENTS,
    "Lime runtime profile": RUNTIME_REQUIREMENTS,
    "Packages and open pages": PAGE_REQUIREMENTS,
}


def report() -> str:
    """Give the whole report as Markdown."""
    return "\n".join(_lines(by_requirement(find_citations())))


def _lines(cited: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    yield "# Conformance"
    for title, rows in PARTS.items():
        yield f"\n## {title}\n\n{_summary(rows)}\n"
        yield "| Id | Source | Demand | State |"
        yield "| --- | --- | --- | --- |"
        for row in rows:
            yield f"| {row.id} | {row.source} | {row.sentence} | {_state(row, cited)} |"


def _summary(rows: tuple[Requirement, ...]) -> str:
    deferred = sum(row.deferral is not None for row in rows)
    in_part = sum(row.remainder is not None for row in rows)
    shown = len(rows) - deferred - in_part
    return f"{len(rows)} demands: {shown} shown, {in_part} shown in part, {deferred} deferred."


def _state(row: Requirement, cited: Mapping[str, tuple[str, ...]]) -> str:
    if row.deferral is not None:
        return f"Deferred. {_reason(row.deferral)}"
    tests = "<br>".join(f"`{test}`" for test in cited.get(row.id, ()))
    shown = f"Shown by {tests}"
    return f"{shown}<br>In part. {_reason(row.remainder)}" if row.remainder else shown


def _reason(deferral: Deferral) -> str:
    return f"{deferral.reason} Comes with: {deferral.subject}"


def shown_by() -> str:
    """The tests of each demand, as `lime-desktop conformance` reads them."""
    cited = by_requirement(find_citations())
    return json.dumps(cited, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    (resources_folder() / SHOWN_BY).write_text(shown_by(), encoding="utf-8")
    sys.stdout.write(report() + "\n")
