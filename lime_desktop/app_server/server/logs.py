"""The server's log: one JSON object a line on standard error, with trace ids, without content.

An exception is logged by its kind and its place. Its text is left out: it may quote what a person
wrote, or worse.
"""

import logging
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import TextIO

import msgspec

_EXTRA = ("method", "traceId", "code", "sessionId", "clientName", "count", "names", "reason")


class JsonFormatter(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the record's own words and its named extras, and nothing else."""
        entry: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        entry |= {name: vars(record)[name] for name in _EXTRA if name in vars(record)}
        if record.exc_info and (error := record.exc_info[1]):
            entry["exception"] = _describe(error, record.exc_info[2])
        return msgspec.json.encode(entry, enc_hook=repr).decode("utf-8", "replace")


def _describe(error: BaseException, trace: TracebackType | None) -> dict[str, object]:
    frames = traceback.extract_tb(trace)
    return {
        "kind": type(error).__qualname__,
        "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
        "cause": type(error.__cause__).__qualname__ if error.__cause__ else None,
    }


def _is_ours_or_grave(record: logging.LogRecord) -> bool:
    """What a library says in passing may hold requests and answers; only its warnings are for us."""
    return record.levelno >= logging.WARNING or record.name.startswith("lime_desktop")


def log_to(stream: TextIO = sys.stderr, *, level: str = "WARNING") -> None:
    """Send every log of this process there, and nowhere else."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(_is_ours_or_grave)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(capture=True)
