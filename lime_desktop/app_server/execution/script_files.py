"""Scripts for the scripted engine, read from a JSON file, so that a real process can play them.

The file maps an input's text, in which a `*` stands for anything, to its steps. A step is an event, or ``{"ask": event, "allowed":
[steps], "denied": [steps]}``, or ``{"hold": name}``, which waits until the turn is cancelled.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from lime_desktop.app_server.execution.scripted import Ask, Hold, Script, Step
from lime_desktop.protocol.runtime.events import ProposedEvent


class NamedScripts(Mapping[str, Script]):
    """Scripts by the text they answer: the one with just that text, or else the first whose pattern fits."""

    def __init__(self, scripts: Mapping[str, Script]) -> None:
        self._scripts = scripts
        self._patterns = {
            re.compile(".*".join(map(re.escape, name.split("*"))), re.DOTALL): name
            for name in scripts
            if "*" in name
        }

    def __getitem__(self, text: str) -> Script:
        """The script for a text."""
        if text in self._scripts:
            return self._scripts[text]
        return self._scripts[self._fitting(text)]

    def __iter__(self) -> Iterator[str]:
        """Every name, patterns too."""
        return iter(self._scripts)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._scripts)

    def _fitting(self, text: str) -> str:
        for pattern, name in self._patterns.items():
            if pattern.fullmatch(text):
                return name
        raise KeyError(text)


class ScriptFile(Mapping[str, Script]):
    """The scripts of a file as it reads whenever it is asked: who tests several apps writes others for each."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __getitem__(self, text: str) -> Script:
        """The script for a text."""
        return read_scripts(self._path)[text]

    def __iter__(self) -> Iterator[str]:
        """Every name, patterns too."""
        return iter(read_scripts(self._path))

    def __len__(self) -> int:
        """How many there are."""
        return len(read_scripts(self._path))


def read_scripts(path: Path) -> Mapping[str, Script]:
    """Read every script of a file."""
    scripts = cast("dict[str, list[dict[str, Any]]]", json.loads(path.read_text("utf-8")))
    return NamedScripts({name: script_of(steps) for name, steps in scripts.items()})


def script_of(steps: Sequence[Mapping[str, Any]]) -> Script:
    """The steps as they are played."""
    return [_step(step) for step in steps]


def _step(step: Mapping[str, Any]) -> Step:
    if "ask" in step:
        question = ProposedEvent.model_validate(step["ask"])
        return Ask(question, script_of(step.get("allowed", [])), script_of(step.get("denied", [])))
    if "hold" in step:
        return Hold(step["hold"])
    return ProposedEvent.model_validate(step)
