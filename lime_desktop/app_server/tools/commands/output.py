"""What a command's end means to the agent: its output in the declared form, or what went wrong."""

import csv
import io

import msgspec

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.tools.commands.running import CommandEnd
from lime_desktop.app_server.tools.tooling import ToolOutcome

_MAX_ERROR_CHARACTERS = 4_000


def read_end(call_id: str, end: CommandEnd, output_format: str, store: ContentStore) -> ToolOutcome:
    """Judge how a command ended and read what it wrote. Blocks where bytes are kept."""
    if end.was_too_slow:
        return _failed(call_id, "The command took too long and was ended.", "timeout")
    if end.was_cut:
        return _failed(call_id, "The command wrote too much and was ended.", "output_limit")
    if end.exit_code != 0:
        said = (end.stderr or end.stdout).decode("utf-8", "replace")[-_MAX_ERROR_CHARACTERS:]
        return _failed(call_id, f"The command ended with code {end.exit_code}. {said}", "exit_code")
    if output_format == "binary":
        reference = store.put("output", end.stdout)
        return ToolOutcome(call_id, f"{len(end.stdout)} bytes, kept.", refs=(reference,))
    text = end.stdout.decode("utf-8", "replace")
    if not _has_format(output_format, text):
        wrong = f"The command did not write {output_format}, as it was declared to."
        return _failed(call_id, wrong, "malformed_output")
    return ToolOutcome(call_id, text)


def _failed(call_id: str, text: str, category: str) -> ToolOutcome:
    return ToolOutcome(call_id, text, is_error=True, category=category)


def _has_format(output_format: str, text: str) -> bool:
    try:
        match output_format:
            case "json":
                msgspec.json.decode(text)
            case "ndjson":
                for line in filter(str.strip, text.splitlines()):
                    msgspec.json.decode(line)
            case "csv":
                for _ in csv.reader(io.StringIO(text), strict=True):
                    pass
            case _:
                pass
    except (msgspec.DecodeError, csv.Error):
        return False
    return True
