"""Plays a fixture as a provider would: the smallest one there is, and the example for whoever writes another."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, TextIO, cast


def play(lines: TextIO, told: TextIO) -> None:
    """Read what is asked, and tell the steps of the fixture, waiting where it asks. Blocks."""
    asked = json.loads(lines.readline())
    for event in _events(asked["request"]["fixture"]["steps"], lines):
        told.write(json.dumps(event, ensure_ascii=False) + "\n")
        told.flush()


def _events(steps: Sequence[dict[str, Any]], lines: TextIO) -> Iterator[dict[str, Any]]:
    for step in steps:
        if "ask" not in step:
            yield step
            continue
        yield step["ask"]
        answer = cast("dict[str, Any]", json.loads(lines.readline()))["request"]
        branch = "allowed" if answer["behavior"] == "allow" else "denied"
        yield from _events(step[branch], lines)
