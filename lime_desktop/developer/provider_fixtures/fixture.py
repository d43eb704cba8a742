"""A provider fixture as its file says it: what is asked, what happens, what must be seen of it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field

from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.wire import Maybe, WireModel


class Expected(WireModel):
    """What must be seen. Counts are the least, but for questions: those are exact."""

    status: Literal["completed", "failed"]
    answer: Maybe[str] = None
    """What was said, once and whole."""
    tool_calls: Mapping[str, int] = Field(default_factory=dict)
    """How many ended how."""
    output_refs: int = 0
    """Tool outputs that are referred to and not told in full."""
    artifacts: int = 0
    evidence: int = 0
    pending_actions: int = 0
    """Questions that wait for a person before the first is answered."""
    subagents: int = 0
    diagnostics: tuple[str, ...] = ()
    recovery_hint: bool = False
    """Whether the failure says what to do."""
    loses_the_middle: bool = False
    """Whether a reader that misses an event in the middle has to be put right by the snapshot."""


class ProviderFixture(WireModel):
    """One of the seven."""

    schema_version: Literal["lime-provider-fixture/v1"]
    id: str
    title: str
    prompt: str
    """What to ask a provider that thinks for itself."""
    steps: tuple[JsonObject, ...]
    """What a provider that replays tells: events, and `{ask, allowed, denied}` where it waits for an answer."""
    expected: Expected


def read_fixtures(folder: Path) -> tuple[ProviderFixture, ...]:
    """Every fixture of a folder, by name. Blocks."""
    return tuple(
        ProviderFixture.model_validate(json.loads(path.read_text("utf-8")))
        for path in sorted(folder.glob("*.json"))
    )
