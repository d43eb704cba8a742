"""The process that reads documents from strangers: one line in, one line out, and little it could do with more.

Run as a module. Takes `{"parser", "path"}` and gives `{"document"}` or `{"problem"}`. Its limits are set before the first
document, so that a file that eats memory ends this process and not the server's.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

from lime_desktop.app_server.documents.packed import parse_docx, parse_xlsx
from lime_desktop.app_server.documents.pages import parse_pdf
from lime_desktop.app_server.documents.parsed import ParsedDocument, bounded
from lime_desktop.protocol.errors import AppError, InvalidInput

MEMORY_BYTES = 2 * 1024**3

_PARSERS: dict[str, Callable[[bytes], ParsedDocument]] = {
    "pdf": parse_pdf,
    "docx": parse_docx,
    "xlsx": parse_xlsx,
}


def main() -> None:
    """Answer until nobody asks any more."""
    _limit()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        sys.stdout.write(json.dumps(_answer(asked["parser"], Path(asked["path"]))) + "\n")
        sys.stdout.flush()


def _answer(parser: str, path: Path) -> dict[str, object]:
    try:
        document = bounded(_PARSERS[parser](path.read_bytes()))
    except AppError as error:
        return {"problem": error.details}
    except (OSError, MemoryError, RecursionError):
        return {"problem": InvalidInput.at_fields([("ref", "document_unreadable")]).details}
    return {"document": document.to_wire()}


def _limit() -> None:
    try:
        import resource  # noqa: PLC0415 - there is none on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # It writes to no file, whatever a document makes it do.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


if __name__ == "__main__":
    main()
