"""An artifact as the host's own viewer shows it: words to read, without anything that could run."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from pydantic import JsonValue

from lime_desktop.file_names import shown_name
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.artifact_viewers import OwnViewer
from lime_desktop.protocol.acceptance import Acceptance
from lime_desktop.protocol.calls.artifacts import (
    JUDGE_ARTIFACT,
    JudgeArtifactParams,
    StoredArtifact,
)

DecideAcceptance: TypeAlias = Callable[[bool, str | None], Awaitable[Acceptance]]

_LONGEST = 400_000
"""More is cut off: nobody reads it in a window, and an export holds all of it."""


@dataclass(frozen=True, slots=True)
class ShownArtifact:
    """One version of a deliverable."""

    title: str
    kind: str
    version: int
    text: str | None
    """Its content; None where that is a file of another kind."""
    is_data: bool
    """Whether the text is JSON and no prose."""
    media_type: str
    size_bytes: int
    acceptance: Acceptance | None = None
    """What its quality gates say."""
    decide: DecideAcceptance | None = field(default=None, compare=False)
    """Keeps a person's word on it, and says how it stands then."""
    artifact_id: str = ""
    viewer: OwnViewer | None = None
    """The page of its app that shows such things, where that is wanted and there is one."""

    @property
    def file_name(self) -> str:
        """A name to save it under."""
        return shown_name(self.title, ".json" if self.is_data else ".md")


def shown_artifact(
    stored: StoredArtifact, call: CallServer, viewer: OwnViewer | None = None
) -> ShownArtifact:
    """What a person reads of an artifact."""
    content = stored.content
    words = _words(content)
    data = None if content is None else json.dumps(content, indent=2, ensure_ascii=False)
    text = words if words is not None else data
    return ShownArtifact(
        title=stored.title,
        kind=stored.kind,
        version=stored.version,
        text=None if text is None else text[:_LONGEST],
        is_data=words is None,
        media_type=stored.media_type,
        size_bytes=stored.size_bytes,
        acceptance=stored.acceptance,
        decide=partial(_decide, stored, call),
        artifact_id=stored.artifact_id,
        viewer=viewer,
    )


async def _decide(
    stored: StoredArtifact,
    call: CallServer,
    is_accepted: bool,  # noqa: FBT001 - what was pressed, handed on
    note: str | None,
) -> Acceptance:
    asked = JudgeArtifactParams(
        app_id=stored.app_id,
        artifact_id=stored.artifact_id,
        version=stored.version,
        is_accepted=is_accepted,
        note=note,
    )
    return (await call(JUDGE_ARTIFACT, asked)).acceptance


def _words(content: JsonValue) -> str | None:
    """The prose of a content: a text, or the one text that an object holds beside nothing else."""
    match content:
        case str(words):
            return words
        case {"text": str(words)} if len(content) == 1:
            return words
        case _:
            return None
