"""Scripts for the scripted engine, read from a JSON file, so that a real process can play them.

The file maps an input's text to its steps. A step is an event, or ``{"ask": event, "allowed":
[steps], "denied": [steps]}``, or ``{"hold": name}``, which waits until the turn is cancelled.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from lime_desktop.app_server.execution.scripted import Ask, Hold, Script, Step
from lime_desktop.protocol.runtime.events import ProposedEvent


def read_scripts(path: Path) -> dict[str, Script]:
    """Read every script of a file."""
    scripts = cast("dict[str, list[dict[str, Any]]]", json.loads(path.read_text("utf-8")))
    return {name: _steps(steps) for name, steps in scripts.items()}


def _steps(steps: list[dict[str, Any]]) -> Script:
    return [_step(step) for step in steps]


def _step(step: Mapping[str, Any]) -> Step:
    if "ask" in step:
        question = ProposedEvent.model_validate(step["ask"])
        return Ask(question, _steps(step.get("allowed", [])), _steps(step.get("denied", [])))
    if "hold" in step:
        return Hold(step["hold"])
    return ProposedEvent.model_validate(step)
