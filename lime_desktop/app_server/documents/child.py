"""The process that reads documents from strangers: bytes in, one line out, and little it could do with more.

Run as a module. Takes a line `{"parser", "bytes"}` and that many bytes after it, and gives `{"document"}` or
`{"problem"}`. It opens no file of a person's: what it reads is handed to it. Its limits are set before the first
document, so that a file that eats memory ends this process and not the server's.
"""

import json
import sys
from collections.abc import Callable

from lime_desktop.app_server.documents.marked_text import parse_html, parse_markdown
from lime_desktop.app_server.documents.packed import parse_docx, parse_xlsx
from lime_desktop.app_server.documents.pages import parse_pdf
from lime_desktop.app_server.documents.parsed import ParsedDocument, bounded
from lime_desktop.app_server.documents.plain_text import parse_csv, parse_json, parse_text
from lime_desktop.child_limits import limit_this_process
from lime_desktop.protocol.errors import AppError, InvalidInput

PARSERS: dict[str, Callable[[bytes], ParsedDocument]] = {
    "text": parse_text,
    "markdown": parse_markdown,
    "html": parse_html,
    "csv": parse_csv,
    "json": parse_json,
    "pdf": parse_pdf,
    "docx": parse_docx,
    "xlsx": parse_xlsx,
}


def main() -> None:
    """Answer until nobody asks any more."""
    # It writes to no file, whatever a document makes it do.
    limit_this_process()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        body = sys.stdin.buffer.read(asked["bytes"])
        sys.stdout.write(json.dumps(_answer(asked["parser"], body)) + "\n")
        sys.stdout.flush()


def parse(parser: str, body: bytes) -> ParsedDocument:
    """Read a document within the bounds.

    Raises:
        InvalidInput: it cannot be read.
    """
    try:
        return bounded(PARSERS[parser](body))
    except AppError:
        raise
    except Exception as error:
        # A parser that stumbles over a stranger's bytes may raise anything.
        raise InvalidInput.at_fields([("ref", "document_unreadable")]) from error


def _answer(parser: str, body: bytes) -> dict[str, object]:
    try:
        return {"document": parse(parser, body).to_wire()}
    except AppError as error:
        return {"problem": error.details}


if __name__ == "__main__":
    main()
