"""Documents in every format that is read, written by hand: small, whole, and without another library's help."""

import io
import zipfile

from openpyxl import Workbook

_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def docx(*paragraphs: tuple[str, str], table: list[list[str]] | None = None) -> bytes:
    """A Word document from pairs of style and text."""
    body = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
        for style, text in paragraphs
    )
    rows = "".join(
        "<w:tr>"
        + "".join(f"<w:tc><w:p><w:r><w:t>{cell}</w:t></w:r></w:p></w:tc>" for cell in row)
        + "</w:tr>"
        for row in table or []
    )
    written = (
        f'<w:document xmlns:w="{_WORD}"><w:body>{body}<w:tbl>{rows}</w:tbl></w:body></w:document>'
    )
    return packed({"word/document.xml": written.encode()})


def xlsx(title: str, rows: list[list[object]]) -> bytes:
    """A workbook of one sheet."""
    workbook = Workbook()
    sheet = workbook.worksheets[0]
    sheet.title = title
    for row in rows:
        sheet.append(row)
    body = io.BytesIO()
    workbook.save(body)
    return body.getvalue()


def packed(files: dict[str, bytes]) -> bytes:
    """A zip file."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return body.getvalue()


def pdf(*pages: str, meaning: dict[str, str] | None = None) -> bytes:
    """A PDF with one line of ASCII text on each page, and what each letter's glyph stands for if that is another."""
    stated = "".join(
        f"<{ord(glyph):02X}> <{ord(letter):04X}>\n" for glyph, letter in (meaning or {}).items()
    )
    letters = f"{len(meaning or {})} beginbfchar\n{stated}endbfchar".encode()
    objects: list[bytes] = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(letters), letters),
    ]
    kids: list[str] = []
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica {'/ToUnicode 3 0 R' * bool(meaning)} >>"
    for text in pages:
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
        content = len(objects) + 1
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R "
            f"/Resources << /Font << /F1 {font} >> >> >>".encode()
        )
    objects[1] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(kids)}] >>".encode()
    body = b"%PDF-1.4\n"
    places: list[int] = []
    for number, written in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return body + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        start,
    )
