"""An artifact as the host's own viewer shows it: words to read, without anything that could run."""

import json
from dataclasses import dataclass

from pydantic import JsonValue

from lime_desktop.file_names import shown_name
from lime_desktop.protocol.calls.artifacts import StoredArtifact

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

    @property
    def file_name(self) -> str:
        """A name to save it under."""
        return shown_name(self.title, ".json" if self.is_data else ".md")


def shown_artifact(stored: StoredArtifact) -> ShownArtifact:
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
    )


def _words(content: JsonValue) -> str | None:
    """The prose of a content: a text, or the one text that an object holds beside nothing else."""
    match content:
        case str(words):
            return words
        case {"text": str(words)} if len(content) == 1:
            return words
        case _:
            return None
