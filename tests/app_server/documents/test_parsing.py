"""Documents as text and structure, and what hostile ones can do: nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lime_desktop.app_server.documents.parsed import ParsedDocument
from lime_desktop.app_server.documents.parsing import DocumentParsing
from lime_desktop.protocol.errors import InvalidInput
from tests.app_server.documents.written import docx, packed, pdf, xlsx


def with_parsing(scene: Callable[[DocumentParsing], Awaitable[None]]) -> None:
    async def whole() -> None:
        parsing = DocumentParsing()
        try:
            await asyncio.wait_for(scene(parsing), 60)
        finally:
            await parsing.close()

    asyncio.run(whole())


def read(path: Path, body: bytes) -> ParsedDocument:
    path.write_bytes(body)
    found: list[ParsedDocument] = []

    async def scene(parsing: DocumentParsing) -> None:
        found.append((await parsing.parse(path, path.name))[1])

    with_parsing(scene)
    return found[0]


def test_markdown_keeps_its_headings_and_tables(tmp_path: Path) -> None:
    text = (
        "---\nx: 1\n---\n# 标题\n\nFirst *words*.\n\n## Second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    document = read(tmp_path / "a.md", text.encode())
    assert [(part.title, part.level) for part in document.sections] == [("标题", 1), ("Second", 2)]
    assert document.sections[0].text == "First words."
    assert document.tables == ((("a", "b"), ("1", "2")),)


def test_a_page_is_read_by_what_it_shows(tmp_path: Path) -> None:
    page = "<title>T</title><script>alert('x')</script><h1>Head</h1><p>Seen &amp; kept<style>p{}</style>"
    document = read(tmp_path / "a.html", page.encode())
    assert document.text == "Head\n\nSeen & kept"
    assert document.metadata == {"title": "T"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_text_is_read_in_the_encodings_people_use(tmp_path: Path, encoding: str) -> None:
    assert read(tmp_path / "a.txt", "你好，世界".encode(encoding)).text == "你好，世界"


@pytest.mark.parametrize(
    ("body", "table"),
    [
        (b"a;b\n1;2\n", (("a", "b"), ("1", "2"))),
        (b"a\tb\n1,5\t2\n", (("a", "b"), ("1,5", "2"))),
        (b'"x,y"|b\n"1,2"|"c ""d"""\n', (("x,y", "b"), ("1,2", 'c "d"'))),
        (b"a,b\n1;2,3\n", (("a", "b"), ("1;2", "3"))),
        (b"alone\n", (("alone",),)),
    ],
)
def test_tables_of_values_are_read_whatever_separates_them(
    tmp_path: Path, body: bytes, table: tuple[tuple[str, ...], ...]
) -> None:
    assert read(tmp_path / "a.csv", body).tables == (table,)


def test_data_is_laid_out(tmp_path: Path) -> None:
    assert '"a": 1' in read(tmp_path / "a.json", b'{"a":1}').text


def test_a_page_is_read_in_letters_that_a_person_types(tmp_path: Path) -> None:
    """A bug: Chinese fonts draw a radical and a character with one glyph, and the PDF named the radical."""
    glyphs = {"a": "\u2ed8", "b": "年", "c": "\u2fbc", "d": "\t", "e": "\u2f76", "f": "，"}
    (tmp_path / "a.pdf").write_bytes(pdf("abfcd31de", meaning=glyphs))

    async def scene(parsing: DocumentParsing) -> None:
        _, pages = await parsing.parse(tmp_path / "a.pdf", "a.pdf")
        assert pages.text == "青年，高 31 米"

    with_parsing(scene)


def test_the_formats_of_offices_are_read_in_a_process_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("Page one", "Page two"))
    words = docx(("Heading1", "标题"), ("Normal", "正文"), table=[["a", "b"]])
    (tmp_path / "a.docx").write_bytes(words)
    (tmp_path / "a.xlsx").write_bytes(xlsx("Sheet", [["a", 1], ["b", None]]))

    async def scene(parsing: DocumentParsing) -> None:
        _, pages = await parsing.parse(tmp_path / "a.pdf", "a.pdf")
        assert [(part.page, part.text) for part in pages.sections] == [
            (1, "Page one"),
            (2, "Page two"),
        ]
        _, word = await parsing.parse(tmp_path / "a.docx", "a.docx")
        assert (word.sections[0].title, word.sections[0].text) == ("标题", "正文")
        assert word.tables == ((("a", "b"),),)
        _, sheet = await parsing.parse(tmp_path / "a.xlsx", "a.xlsx")
        assert sheet.tables == ((("a", "1"), ("b", "")),)

    with_parsing(scene)


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("bomb.docx", packed({"word/document.xml": b" " * 50_000_000})),
        ("bomb.xlsx", packed({"xl/workbook.xml": b"\x00" * 50_000_000})),
        ("empty.docx", packed({"x": b""})),
        ("torn.xlsx", b"PK\x03\x04"),
        ("torn.pdf", b"%PDF-1.4 nothing"),
        ("no.pdf", b""),
        ("torn.json", b"{"),
        ("odd.exe", b"MZ"),
        ("large.txt", b"x" * 9_000_000),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_read_is_refused_and_the_next_is_read_all_the_same(
    tmp_path: Path, name: str, body: bytes
) -> None:
    (tmp_path / name).write_bytes(body)
    (tmp_path / "good.pdf").write_bytes(pdf("Good"))

    async def scene(parsing: DocumentParsing) -> None:
        with pytest.raises(InvalidInput):
            await parsing.parse(tmp_path / name, name)
        assert (await parsing.parse(tmp_path / "good.pdf", "good.pdf"))[1].text == "Good"

    with_parsing(scene)


def test_what_is_beyond_the_bounds_is_left_out_and_said(tmp_path: Path) -> None:
    document = read(tmp_path / "a.txt", b"word " * 100_000)
    assert document.truncated
    assert len(document.text) == 400_000
