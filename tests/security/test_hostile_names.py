"""Words of an app never become a path: what the product writes for it lands in the product's own folder, or not at all."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.package import load_package
from lime_desktop.app_server.files.references import open_references
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play

HOSTILE_KEYS = ["{there}", "../../../{name}", "..", "a/../../../../{name}", "C:\\{name}"]


def told(folder: Path) -> dict[Path, bytes]:
    """Every file below a folder, and what is in it."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("key", HOSTILE_KEYS)
def test_a_key_that_is_a_path_is_refused_and_overwrites_nothing(tmp_path: Path, key: str) -> None:
    """Bug: `lime.knowledge.export` wrote over a file that a template's key named."""
    private, home = tmp_path / "sources", tmp_path / "home"
    for folder in (private, home):
        folder.mkdir()
    (private / "a.md").write_text("Lunch is free.")
    (home / "diary.md").write_text("my own words")
    named = key.format(there=home / "diary", name="diary")
    more = f"knowledgeTemplates:\n  - {{key: '{named}', standard: agentknowledge, type: x}}\n"
    app = write_app(tmp_path, "notes", capabilities="{lime.knowledge: '>=0.3.0'}", more=more)
    refused = [p for p in load_package(open_folder(app)).problems if p.code == "KEY_NOT_A_NAME"]
    assert [(p.file, p.key_path) for p in refused] == [("APP.md", "knowledgeTemplates[0].key")]
    assert all(p.line and p.fix for p in refused)
    before = told(home) | told(private)

    async def scene(page: Bridged) -> None:
        page.window.choice = asyncio.get_running_loop().create_future()
        page.window.choice.set_result((private,))
        await page("lime.knowledge.bind", key=named)
        await page("lime.knowledge.export", key=named, format="markdown")

    play(tmp_path / "data", app, scene)
    assert told(home) | told(private) == before


@pytest.mark.parametrize("name", ["{there}.md", "../../../diary.md", "..", "a/../../diary.md", ""])
def test_a_file_that_the_product_writes_stays_in_its_own_folder(tmp_path: Path, name: str) -> None:
    """The second wall: whatever is asked for by whichever service, nothing that is there is touched."""
    diary = tmp_path / "diary.md"
    diary.write_text("my own words")

    async def scenario() -> Path:
        references = open_references(tmp_path / "data")
        try:
            asked = name.format(there=diary.with_suffix(""))
            return (await references.write(AppId("notes"), asked, b"theirs")).path
        finally:
            references.close()

    written = asyncio.run(scenario())
    assert written.is_relative_to(tmp_path / "data" / "app-files")
    assert (written.read_bytes(), diary.read_text()) == (b"theirs", "my own words")


@pytest.mark.parametrize("title", ["../../../../escaped", "/escaped", "..\\escaped", "esc\0aped"])
def test_a_deliverables_title_and_format_are_no_path(tmp_path: Path, title: str) -> None:
    async def scene(page: Bridged) -> None:
        made: Any = await page(
            "lime.artifacts.create", kind="note", title=title, content={"text": "x"}
        )
        if made["ok"]:
            asked = {"artifactId": made["value"]["artifactId"]}
            await page("lime.artifacts.export", **asked)
            await page("lime.artifacts.export", **asked, format="../../../../escaped")

    app = write_app(tmp_path, "notes", capabilities="{lime.artifacts: '>=0.3.0'}")
    play(tmp_path / "data", app, scene)
    escaped = {path for path in tmp_path.rglob("*") if "escaped" in path.name}
    assert all(path.is_relative_to(tmp_path / "data" / "app-files") for path in escaped)
