"""Nothing that looks like a credential leaves in an export: its whole text is withheld, and that is recorded.

The log refuses fields that are named like keys; this looks at what people and tools wrote into texts.
"""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from lime_desktop.app_package.credential_patterns import PATTERNS
from lime_desktop.protocol.runtime.events import RuntimeEvent

WITHHELD = "[withheld: it looks like a credential]"


class Withholding:
    """Encodes documents, and counts what it kept back in each file."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def encode(
        self, file: str, document: Mapping[str, JsonValue], indent: int | None = None
    ) -> bytes:
        """The document as JSON text, the same bytes for the same document."""
        body = _json(document, indent)
        if not _looks_secret(body):
            return body
        return _json(self._clean(file, dict(document)), indent)

    def encode_event(self, file: str, event: RuntimeEvent) -> bytes:
        """An event as one line, in the very form in which the log has it."""
        line = event.to_json().encode() + b"\n"
        return self.encode(file, event.to_wire()) if _looks_secret(line) else line

    def records(self, at: str) -> list[JsonValue]:
        """One entry per file that something was kept back from."""
        return [
            {
                "redaction_id": f"redaction:{number}",
                "target_ref": file,
                "redaction_kind": "withhold",
                "reason": f"{count} texts look like credentials.",
                "applied_by": "lime-desktop",
                "applied_at": at,
            }
            for number, (file, count) in enumerate(sorted(self.counts.items()), 1)
        ]

    def _clean(self, file: str, value: JsonValue) -> JsonValue:
        # Recursion is bounded: every document here was read by a parser with a depth limit.
        if isinstance(value, dict):
            return {name: self._clean(file, part) for name, part in value.items()}
        if isinstance(value, list):
            return [self._clean(file, part) for part in value]
        if isinstance(value, str) and _looks_secret(value.encode("utf-8", "replace")):
            self.counts[file] = self.counts.get(file, 0) + 1
            return WITHHELD
        return value


def _looks_secret(text: bytes) -> bool:
    return any(
        known.pattern.search(text)
        for known in PATTERNS
        if any(mark in text for mark in known.marks)
    )


def _json(document: JsonValue | Mapping[str, JsonValue], indent: int | None) -> bytes:
    separators = (",", ":") if indent is None else None
    text = json.dumps(
        document, ensure_ascii=False, sort_keys=True, indent=indent, separators=separators
    )
    return text.encode("utf-8", "backslashreplace") + b"\n"
