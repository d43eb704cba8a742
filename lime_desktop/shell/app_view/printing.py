"""A page on paper or as a PDF: the person says where it goes, in a dialog of the host's own, and that is all that goes.

Only the app's frame is printed: of the page around it, which is the host's, one would see no more than what fits the
window. No engine's or system's dialog is shown, so that the words are the window's and no key meant for the page counts.
"""

import asyncio
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtPrintSupport import QPrinter, QPrinterInfo
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWidgets import QComboBox, QWidget

from lime_desktop.file_names import shown_name
from lime_desktop.host.view.downloads import save_file
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import HostActionFailed
from lime_desktop.shell.dialogs.choosers import accepted, choose_save_path
from lime_desktop.shell.dialogs.question_dialog import QuestionDialog
from lime_desktop.shell.widgets.parts import button

_MAKING_S = 60.0
"""How long the engine may take; a page without end is given up."""
_DOTS_PER_INCH = 300


class PrintDialog(QuestionDialog):
    """Where to: a PDF, or one of this computer's printers."""

    def __init__(self, parent: QWidget, texts: Texts, app_title: str) -> None:
        self.choice = QComboBox()
        self.choice.setAccessibleName(texts("print.where"))
        self.choice.addItem(texts("print.pdf"), "")
        for name in QPrinterInfo.availablePrinterNames():
            self.choice.addItem(name, name)
        super().__init__(
            parent, texts("print.title"), texts("print.text", app=app_title), self.choice
        )
        self._texts = texts
        self.offer(texts("choose.either.cancel"), button("", lambda: None, "primary"))
        self._name_yes()
        self.choice.currentIndexChanged.connect(self._name_yes)
        self.choice.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def printer(self) -> str:
        """The printer's name; none for a PDF."""
        return str(self.choice.currentData())

    def _name_yes(self) -> None:
        [yes] = self.answers
        yes.setText(self._texts("print.yes" if self.printer else "print.save"))


async def print_page(
    parent: QWidget, texts: Texts, app_title: str, page: QWebEnginePage
) -> str | None:
    """Ask where to, and do it. What was done, in words, or nothing where the person left.

    Raises:
        HostActionFailed: the engine made nothing of it, or the file or the printer took nothing.
    """
    dialog = PrintDialog(parent, texts, app_title)
    if not await accepted(dialog):
        return None
    name = dialog.printer
    if name:
        await asyncio.sleep(0)
        paint_pages(await make_pdf(page), QPrinter(QPrinterInfo.printerInfo(name)))
        return texts("print.sent", printer=name)
    target = await choose_save_path(parent, texts, app_title, shown_name(app_title, ".pdf"))
    if target is None:
        return None
    target = target if target.suffix else target.with_suffix(".pdf")
    return await _save(await make_pdf(page), target, texts)


async def make_pdf(page: QWebEnginePage) -> bytes:
    """The app's frame as a PDF.

    Raises:
        HostActionFailed: there is no app in the page, or the engine made nothing of it in time.
    """
    frames = page.mainFrame().children()
    if not frames:
        raise HostActionFailed("The page shows no app.")
    made: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def take(body: QByteArray) -> None:
        if not made.done():
            made.set_result(bytes(body.data()))

    frames[0].printToPdf(take)
    try:
        body = await asyncio.wait_for(made, _MAKING_S)
    except TimeoutError as late:
        raise HostActionFailed("The page took too long to print.") from late
    if not body:
        raise HostActionFailed("The engine could not print this page.")
    return body


def paint_pages(pdf: bytes, printer: QPrinter) -> int:
    """Put a PDF on paper, each page as large as the sheet allows. How many there were.

    Raises:
        HostActionFailed: the printer took nothing.
    """
    from PySide6.QtPdf import QPdfDocument  # noqa: PLC0415 - only who prints pays for it

    buffer = QBuffer()
    buffer.setData(QByteArray(pdf))
    buffer.open(QBuffer.OpenModeFlag.ReadOnly)
    document = QPdfDocument()
    document.load(buffer)
    printer.setResolution(_DOTS_PER_INCH)
    painter = QPainter()
    if not painter.begin(printer):
        raise HostActionFailed("The printer does not take the page.")
    sheet = painter.viewport().size()
    for number in range(document.pageCount()):
        if number:
            printer.newPage()
        wanted = document.pagePointSize(number).toSize()
        fitted = wanted.scaled(sheet, Qt.AspectRatioMode.KeepAspectRatio)
        painter.drawImage(_centred(fitted, sheet), document.render(number, fitted))
    painter.end()
    return document.pageCount()


def _centred(size: QSize, sheet: QSize) -> QRect:
    corner = QPoint((sheet.width() - size.width()) // 2, 0)
    return QRect(corner, size)


async def _save(pdf: bytes, target: Path, texts: Texts) -> str:
    def write(path: Path) -> None:
        path.write_bytes(pdf)

    await save_file(target, write)
    return texts("print.saved", file=target.name)
