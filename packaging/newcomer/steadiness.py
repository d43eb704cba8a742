"""Which tests failed, which took their worker with them, and which fail only now and then? Reads what pytest wrote."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from xml.etree import ElementTree as Xml

LOST_WORKER = 70
"""How pytest ends where a worker went down, whatever else happened; none of its own codes is as high."""
# What pytest-xdist says of a worker that ended in the middle; a test past its time limit ends its worker too.
_WORKER_ENDED = re.compile(r"worker '\w+' crashed")


@dataclass(frozen=True)
class Failures:
    """The tests that did not pass, by name."""

    failed: tuple[str, ...] = ()
    ended_worker: tuple[str, ...] = ()
    """Those whose worker crashed or hung. Running them again proves nothing: what else it held is lost."""


def read_failures(report: Path) -> Failures:
    """Read pytest's JUnit report. Without a report it is not known what ran, which counts as a lost worker."""
    try:
        cases = list(Xml.parse(report).iter("testcase"))  # noqa: S314 - written by our own pytest a moment ago
    except (OSError, Xml.ParseError):
        return Failures(ended_worker=("(pytest wrote no report)",))
    failed = [case for case in cases if case.find("failure") is not None or _error(case)]
    ended = [case for case in failed if _WORKER_ENDED.search(_error(case))]
    return Failures(_names(failed), _names(ended))


def remember_unsteady(file: Path, tests: Iterable[str]) -> dict[str, int]:
    """Count once more each test that failed among the others and passed alone; gives how often each has so far."""
    counts = _read_counts(file)
    for name in tests:
        counts[name] = counts.get(name, 0) + 1
    file.write_text(json.dumps(counts, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return counts


def _error(case: Xml.Element) -> str:
    found = case.find("error")
    return "" if found is None else f"{found.get('message', '')} {found.text or ''}"


def _names(cases: Iterable[Xml.Element]) -> tuple[str, ...]:
    names = (f"{case.get('classname', '')}.{case.get('name', '')}".strip(".") for case in cases)
    return tuple(dict.fromkeys(names))


def _read_counts(file: Path) -> dict[str, int]:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    counts = cast("dict[str, object]", kept) if isinstance(kept, dict) else {}
    return {name: count for name, count in counts.items() if isinstance(count, int)}
