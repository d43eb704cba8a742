"""The process that prints a document: a page of HTML in, a PDF or a picture of it out, and little it could do with more.

Run as a module. Takes a line `{"form", "pageSize"}` and the page after it, to the end; gives the bytes. Nothing in a page runs or is
fetched: what it refers to, on this machine or elsewhere, is left blank. Its limits are set before the page is read.
"""

import json
import os
import sys
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QMarginsF, QSizeF, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QImage,
    QImageWriter,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
)

from lime_desktop.child_limits import limit_this_process
from lime_desktop.resources import resources_folder

_MEMORY_BYTES = 1024 * 1024 * 1024
_PROCESSOR_S = 50
_MARGIN_MM = 18.0
_WIDTH = 800
_BORDER = 40
_SCALE = 2
_TALLEST = 12_000
"""Of a picture, in its own points: more is no picture that anybody looks at."""
_SIZES = {"A4": QPageSize.PageSizeId.A4, "Letter": QPageSize.PageSizeId.Letter}
_STYLE = "body { font-size: 11pt; } table { border-collapse: collapse; } td, th { border: 1px solid #888; padding: 4px; }"


class _ClosedDocument(QTextDocument):
    """A document that loads nothing, wherever it lies."""

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802 - Qt's own name
        del kind, name
        return None


def main() -> None:
    """Print one page, and end; with 3 where it cannot be printed."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication(["print"])
    _load_fonts()
    # It writes to no file, whatever a page makes it do.
    limit_this_process(memory_bytes=_MEMORY_BYTES, processor_s=_PROCESSOR_S)
    asked = json.loads(sys.stdin.buffer.readline())
    page = sys.stdin.buffer.read().decode("utf-8", "replace")
    body = draw(page) if asked["form"] == "png" else print_pdf(page, asked.get("pageSize", "A4"))
    if body is None:
        sys.exit(3)
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()
    del application


def print_pdf(page: str, size: str) -> bytes:
    """The page on sheets."""
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(_SIZES.get(size, QPageSize.PageSizeId.A4)))
    margin = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    writer.setPageMargins(margin, QPageLayout.Unit.Millimeter)
    writer.setCreator("Lime Desktop")
    _laid_out(page).print_(writer)
    return bytes(buffer.data().data())


def draw(page: str) -> bytes | None:
    """The page as one picture; None where it is too long for one."""
    document = _laid_out(page)
    document.setTextWidth(_WIDTH)
    height = document.size().height()
    if height > _TALLEST:
        return None
    size = QSizeF(_WIDTH + 2 * _BORDER, height + 2 * _BORDER) * _SCALE
    image = QImage(size.toSize(), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.scale(_SCALE, _SCALE)
    painter.translate(_BORDER, _BORDER)
    document.drawContents(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def _laid_out(page: str) -> QTextDocument:
    document = _ClosedDocument()
    document.setDefaultStyleSheet(_STYLE)
    document.setHtml(page)
    return document


def _load_fonts() -> None:
    for file in sorted((resources_folder() / "fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(file))
    QGuiApplication.setFont(QFont("Inter"))


if __name__ == "__main__":
    main()
