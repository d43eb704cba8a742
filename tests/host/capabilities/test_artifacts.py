"""lime.artifacts: declared kinds, versions, viewers, exporters, bytes by reference."""

import asyncio
import base64
import io
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play

MORE = """\
entries:
  - {key: main, kind: page, title: Main, route: /}
artifactTypes:
  - {key: report, viewer: /reports, exporters: [markdown, json, html]}
  - {key: table, exporters: [csv]}
  - {key: chart, exporters: [svg, png]}
  - {key: book, exporters: [zip]}
"""


def app(folder: Path) -> Path:
    wanted = "{lime.artifacts: '>=0.3.0', lime.files: '>=0.3.0'}"
    return write_app(folder, capabilities=wanted, more=MORE)


def test_a_deliverable_is_kept_in_versions_and_shown_by_its_viewer(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        create = "lime.artifacts.create"
        first = await page.value(create, kind="report", title="Q1", content={"text": "一"})
        second = await page.value(
            create, type="report", data={"text": "二"}, artifactId=first["id"]
        )
        assert (second["id"], second["version"], second["title"]) == (first["id"], 2, "Q1")
        other = await page.value(create, kind="table", data=[{"a": 1}])
        listed = await page.value("lime.artifacts.list")
        assert [(each["id"], each["version"], each["content"]) for each in listed] == [
            (other["id"], 1, None),
            (first["id"], 2, None),
        ]
        assert [each["kind"] for each in await page.value("lime.artifacts.list", kind="table")] == [
            "table"
        ]
        opened = await page.value("lime.artifacts.open", artifactId=first["id"])
        assert (opened["opened"], opened["artifact"]["content"]) == (True, {"text": "二"})
        assert page.window.asked == [("viewer", f"/reports?artifact={first['id']}")]
        assert (await page.value("lime.artifacts.open", id=other["id"]))["opened"] is True
        assert page.window.asked[1:] == [("artifact", "table")]

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_viewer_sees_the_artifact_it_was_opened_for_and_no_other(tmp_path: Path) -> None:
    """Ours: what an app shows beside one artifact reaches no other of its artifacts, by any call."""

    async def scene(page: Bridged) -> None:
        make = "lime.artifacts.create"
        mine = (await page.value(make, kind="report", content={"text": "one"}))["id"]
        other = (await page.value(make, kind="report", content={"text": "two"}))["id"]
        page.only_artifact = mine
        page.bridge.renew()
        listed = await page.value("lime.artifacts.list")
        assert [(each["id"], each["content"]) for each in listed] == [(mine, None)]
        assert await page.value("lime.artifacts.list", kind="table") == []
        opened = await page.value("lime.artifacts.open", artifactId=mine)
        assert opened["artifact"]["content"] == {"text": "one"}
        assert page.window.asked == [], "it is shown already"
        exported = await page.value("lime.artifacts.export", id=mine, format="json")
        assert exported["artifactId"] == mine
        assert str(tmp_path) not in str((opened, exported))
        for call in ("lime.artifacts.open", "lime.artifacts.export", "lime.ui.openArtifact"):
            for name in ("artifactId", "id"):
                assert await page.code(call, **{name: other}) == "APP_E150", call
        changed = {"kind": "report", "content": {"text": "mine"}, "artifactId": other}
        assert await page.code(make, **changed) == "APP_E150"
        changed["artifactId"] = mine
        assert (await page.value(make, **changed))["version"] == 2

    play(tmp_path / "data", app(tmp_path), scene)


def test_refusals(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        create = "lime.artifacts.create"
        assert await page.code(create, kind="other", content=1) == "APP_E005"
        assert await page.code(create, kind="report") == "APP_E014"
        assert await page.code(create, kind="report", content=1, artifactId="x") == "APP_E150"
        assert await page.code("lime.artifacts.open", artifactId="x") == "APP_E150"
        made = await page.value(create, kind="report", content=1)
        export = "lime.artifacts.export"
        assert await page.code(export, artifactId=made["id"], format="rtf") == "APP_E001"
        assert await page.code(export, artifactId=made["id"], format="csv") == "APP_E014"

    play(tmp_path / "data", app(tmp_path), scene)


@pytest.mark.parametrize(
    ("kind", "form", "name", "text"),
    [
        ("report", None, "Q1_ one.md", "# Q1: one\n\nHi <b>\n"),
        ("report", "html", "Q1_ one.html", "<h1>Q1: one</h1>\n<p>Hi &lt;b&gt;</p>"),
        ("report", "txt", "Q1_ one.txt", "Hi <b>\n"),
        ("report", "json", "Q1_ one.json", '"text": "Hi <b>"'),
    ],
)
def test_it_is_written_in_the_formats_of_its_kind(
    tmp_path: Path, kind: str, form: str | None, name: str, text: str
) -> None:
    async def scene(page: Bridged) -> None:
        made = await page.value(
            "lime.artifacts.create", kind=kind, title="Q1: one", content={"text": "Hi <b>"}
        )
        wanted = {} if form is None else {"format": form}
        written = await page.value("lime.artifacts.export", artifactId=made["id"], **wanted)
        assert written["fileName"] == name
        read = await page.value("lime.files.readRef", ref=written["ref"])
        assert text in read["content"]

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_table_computes_nothing_where_it_is_opened(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        rows = [{"a": "=1+1", "b": 1}, {"b": None, "c": "x"}]
        made = await page.value("lime.artifacts.create", kind="table", content=rows)
        written = await page.value("lime.artifacts.export", artifactId=made["id"])
        read = await page.value("lime.files.readRef", ref=written["ref"])
        assert read["content"] == "a,b,c\r\n'=1+1,1,\r\n,,x\r\n"

    play(tmp_path / "data", app(tmp_path), scene)


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n and more").decode()


def test_a_picture_of_a_deliverable_is_written_as_a_picture(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        drawn = SVG.format('<rect width="3" height="2" fill="#fff"/><text x="1">一 &lt; 2</text>')
        made = await page.value(
            "lime.artifacts.create", kind="chart", title="Q1", content={"svg": drawn, "png": PNG}
        )
        for form, encoding, content in (("svg", "utf-8", drawn), ("png", "base64", PNG)):
            written = await page.value("lime.artifacts.export", artifactId=made["id"], format=form)
            assert written["fileName"] == f"Q1.{form}"
            read = await page.value("lime.files.readRef", ref=written["ref"], encoding=encoding)
            assert read["content"] == content

    play(tmp_path / "data", app(tmp_path), scene)


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        '<a href="https://e.example">x</a>',
        '<rect onclick="alert(1)"/>',
        '<rect fill="url(https://e.example/x)"/>',
        '<image href="file:///etc/passwd"/>',
        '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
        '<rect xmlns="http://other.example/"/>',
        '<style>@import "https://e.example"</style>',
        "<rect>",
    ],
)
def test_a_drawing_that_could_do_something_is_not_written(tmp_path: Path, inside: str) -> None:
    """Ours: what an app drew must not run where a person opens the file."""

    async def scene(page: Bridged) -> None:
        for content in ({"svg": SVG.format(inside)}, {"svg": f"<!DOCTYPE x>{SVG.format('')}"}, {}):
            made = await page.value("lime.artifacts.create", kind="chart", content=content)
            assert (
                await page.code("lime.artifacts.export", artifactId=made["id"], format="svg")
                == "APP_E014"
            )

    play(tmp_path / "data", app(tmp_path), scene)


@pytest.mark.parametrize("png", ["", "not base64!", base64.b64encode(b"<html>").decode(), 4])
def test_what_is_no_picture_is_not_written_as_one(tmp_path: Path, png: object) -> None:
    async def scene(page: Bridged) -> None:
        made = await page.value("lime.artifacts.create", kind="chart", content={"png": png})
        refused = await page.code("lime.artifacts.export", artifactId=made["id"], format="png")
        assert refused == "APP_E014"

    play(tmp_path / "data", app(tmp_path), scene)


def test_several_files_are_written_as_one_archive_with_names_that_are_fit(tmp_path: Path) -> None:
    files = [
        {"path": "Garden.md", "text": "一"},
        {"path": "garden.md", "text": "two"},
        {"path": "../../etc/passwd", "text": "three"},
        {"path": "C:\\a\\con.md", "text": "four"},
    ]

    async def scene(page: Bridged) -> None:
        create = "lime.artifacts.create"
        made = await page.value(create, kind="book", title="Notes", content={"files": files})
        written = await page.value("lime.artifacts.export", artifactId=made["id"])
        assert written["fileName"] == "Notes.zip"
        read = await page.value("lime.files.readRef", ref=written["ref"], encoding="base64")
        with zipfile.ZipFile(io.BytesIO(base64.b64decode(read["content"]))) as archive:
            held = {name: archive.read(name).decode() for name in archive.namelist()}
        assert held == {
            "Garden.md": "一",
            "garden 2.md": "two",
            "etc/passwd": "three",
            "C_/a/_con.md": "four",
        }
        for wrong in ({}, {"files": "x"}, {"files": [{"path": "x"}]}, {"files": [1]}):
            made = await page.value(create, kind="book", content=wrong)
            assert await page.code("lime.artifacts.export", artifactId=made["id"]) == "APP_E014"

    play(tmp_path / "data", app(tmp_path), scene)


def test_large_content_comes_and_goes_as_a_file(tmp_path: Path) -> None:
    chosen = tmp_path / "scan.pdf"
    chosen.write_bytes(b"%PDF bytes")

    async def scene(page: Bridged) -> None:
        page.window.choice = asyncio.get_running_loop().create_future()
        page.window.choice.set_result((chosen,))
        [file] = (await page.value("lime.files.pick"))["files"]
        made = await page.value("lime.artifacts.create", kind="report", ref=file["ref"])
        assert made["content"] is None
        chosen.unlink()
        written = await page.value("lime.artifacts.export", artifactId=made["id"])
        assert written["fileName"] == "report.pdf"
        assert (await page.value("lime.files.readRef", ref=written["ref"]))[
            "content"
        ] == "%PDF bytes"

    play(tmp_path / "data", app(tmp_path), scene)


async def exported(page: Bridged, artifact_id: str, form: str) -> bytes:
    file = await page.value("lime.artifacts.export", artifactId=artifact_id, format=form)
    assert file["fileName"].endswith(f".{form}")
    read = await page.value("lime.files.readRef", ref=file["ref"], encoding="base64")
    return base64.b64decode(read["content"])


PLAN = """# Ferry

It leaves at **9:40**.

- Tickets
  - return

| day | from |
| - | - |
| Monday | quay 2 |

![pier](https://example.com/pier.png)
"""


def test_prose_is_written_for_office_programs(tmp_path: Path) -> None:
    """The standard: exporters of a kind; the same content is the same bytes."""
    from docx import Document  # noqa: PLC0415 - heavy, as in the product
    from pptx import Presentation  # noqa: PLC0415

    async def scene(page: Bridged) -> None:
        made = await page.value(
            "lime.artifacts.create", kind="report", title="Plan", content={"markdown": PLAN}
        )
        body = await exported(page, made["id"], "docx")
        document = Document(io.BytesIO(body))
        written = [(each.style.name, each.text) for each in document.paragraphs if each.style]
        assert written == [
            ("Title", "Plan"),
            ("Heading 1", "Ferry"),
            ("Normal", "It leaves at 9:40."),
            ("List Bullet", "Tickets"),
            ("List Bullet 2", "return"),
            ("Normal", "pier"),
        ]
        assert [run.text for run in document.paragraphs[2].runs if run.bold] == ["9:40"]
        [table] = document.tables
        assert [[cell.text for cell in row.cells] for row in table.rows] == [
            ["day", "from"],
            ["Monday", "quay 2"],
        ]
        assert await exported(page, made["id"], "docx") == body
        show = Presentation(io.BytesIO(await exported(page, made["id"], "pptx")))
        titles = [slide.shapes.title.text for slide in show.slides if slide.shapes.title]
        assert titles == ["Plan", "Ferry"]

    play(tmp_path / "data", app(tmp_path), scene)


def test_rows_are_written_as_a_sheet_in_which_nothing_is_computed(tmp_path: Path) -> None:
    """Ours: a text that begins like a formula would run where the file is opened."""
    from openpyxl import load_workbook  # noqa: PLC0415 - heavy, as in the product

    async def scene(page: Bridged) -> None:
        rows = [{"name": "=1+1", "amount": 2.5}, {"name": "Lime", "amount": None}]
        rows += [{"name": "2026-11-02", "amount": "2026-02-30"}]
        made = await page.value("lime.artifacts.create", kind="table", title="T", content=rows)
        book = load_workbook(io.BytesIO(await exported(page, made["id"], "xlsx")))
        cells = [[(cell.value, cell.data_type) for cell in row] for row in book.worksheets[0]]
        assert cells == [
            [("name", "s"), ("amount", "s")],
            [("=1+1", "s"), (2.5, "n")],
            [("Lime", "s"), (None, "n")],
            # A day is one that a sheet can reckon with; a day that there is not stays as it was written.
            [(datetime(2026, 11, 2), "d"), ("2026-02-30", "s")],  # noqa: DTZ001 - a sheet knows no zones
        ]
        prose = await page.value("lime.artifacts.create", kind="report", content="Hi")
        asked = {"artifactId": prose["id"], "format": "xlsx"}
        assert await page.code("lime.artifacts.export", **asked) == "APP_E014"

    play(tmp_path / "data", app(tmp_path), scene)


def test_prose_is_printed_as_pdf_and_as_a_picture(tmp_path: Path) -> None:
    """The standard: exporters of a kind. What a text refers to is not loaded."""
    from pypdf import PdfReader  # noqa: PLC0415 - heavy, as in the product

    async def scene(page: Bridged) -> None:
        made = await page.value(
            "lime.artifacts.create", kind="report", title="Plan", content={"markdown": PLAN}
        )
        pdf = PdfReader(io.BytesIO(await exported(page, made["id"], "pdf")))
        assert "It leaves at 9:40" in " ".join(pdf.pages[0].extract_text().split())
        picture = await exported(page, made["id"], "png")
        assert picture.startswith(b"\x89PNG")
        long = await page.value("lime.artifacts.create", kind="report", content="line\n\n" * 5_000)
        asked = {"artifactId": long["id"], "format": "png"}
        assert await page.code("lime.artifacts.export", **asked) == "APP_E014"

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_kinds_schema_is_held(tmp_path: Path) -> None:
    """The standard: an artifact type names its schema."""
    more = "artifactTypes: [{key: report, schema: ./artifacts/report.schema.json}]\n"
    schema = '{"type": "object", "required": ["body"]}'
    package = write_app(
        tmp_path,
        capabilities="{lime.artifacts: '>=0.3.0'}",
        more=more,
        files={"artifacts/report.schema.json": schema},
    )

    async def scene(page: Bridged) -> None:
        create = "lime.artifacts.create"
        assert await page.code(create, kind="report", content={"text": "x"}) == "APP_E014"
        made = await page.value(create, kind="report", content={"body": "x"})
        assert "acceptance" not in made
        assert len(await page.value("lime.artifacts.list")) == 1

    play(tmp_path / "data", package, scene)
