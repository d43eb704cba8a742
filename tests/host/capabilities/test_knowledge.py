"""lime.knowledge: bound by a person, searched with citations, in Chinese and English, kept as the sources are."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.knowledge import indexes
from lime_desktop.app_server.knowledge import service as knowledge_service
from tests.app_server.apps.packages import write_app
from tests.app_server.documents.written import docx, pdf
from tests.host.bridged import Bridged, play

MORE = """\
knowledgeTemplates:
  - {key: handbook, standard: agentknowledge, type: handbook}
  - {key: prices, standard: agentknowledge, type: prices}
"""


def app(folder: Path, name: str = "notes") -> Path:
    wanted = "{lime.knowledge: '>=0.3.0', lime.files: '>=0.3.0'}"
    return write_app(folder, name, capabilities=wanted, more=MORE)


def sources(folder: Path) -> Path:
    folder.mkdir()
    (folder / "travel.md").write_text(
        "# Travel\n\nFlights need approval by a manager.\n\n# Meals\n\nLunch is free.\n"
    )
    (folder / "制度.txt").write_text("报销流程：员工提交申请，经理审批后付款。", encoding="utf-8")
    (folder / "contract.docx").write_bytes(
        docx(("Heading1", "Term"), ("Normal", "It ends in May."))
    )
    (folder / ".hidden.txt").write_text("approval of secrets")
    (folder / "tool.exe").write_bytes(b"approval")
    return folder


async def bind(page: Bridged, folder: Path, key: str = "handbook") -> None:
    page.window.choice = asyncio.get_running_loop().create_future()
    page.window.choice.set_result((folder,))
    await page.value("lime.knowledge.bind", key=key)
    await whole(page, key)


async def whole(page: Bridged, key: str = "handbook") -> dict[str, Any]:
    """The binding once nothing is left to be read."""
    ask = partial(page.value, "lime.knowledge.bindStatus", key=key)
    async with asyncio.timeout(60):
        while (status := await ask())["status"] == "indexing":  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.02)
    return status


async def found(page: Bridged, query: str, **more: Any) -> list[str]:
    answer = await page.value("lime.knowledge.search", query=query, **more)
    return [record["title"] for record in answer["records"]]


def test_what_was_bound_is_found_and_cited(tmp_path: Path) -> None:
    folder = sources(tmp_path / "private")

    async def scene(page: Bridged) -> None:
        assert (await page.value("lime.knowledge.bindStatus", key="handbook"))[
            "status"
        ] == "unbound"
        assert await page.code("lime.knowledge.search", query="approval") == "APP_E003"
        await bind(page, folder)
        status = await page.value("lime.knowledge.bindStatus", key="handbook")
        assert (status["status"], status["sources"], status["passages"]) == ("bound", 3, 4)
        answer = await page.value("lime.knowledge.search", query="Who gives approval?", topK=5)
        assert str(folder) not in str(answer)
        [record] = answer["records"]
        assert (record["title"], record["location"]) == ("travel.md", "Travel ¶1")
        assert record["snippet"] == "Flights need approval by a manager."
        assert record["provenance"]["appId"] == "notes"
        assert await found(page, "审批") == ["制度.txt"]
        assert await found(page, "怎么报销？") == ["制度.txt"]
        assert await found(page, "付") == ["制度.txt"]
        assert await found(page, "May") == ["contract.docx"]
        assert await found(page, "who approves flying?") == ["travel.md"]
        assert await found(page, "a flight with managers") == ["travel.md"]
        assert await found(page, "nothing of that") == []
        assert await page.code("lime.knowledge.search", query="x", template="prices") == "APP_E003"
        assert await page.code("lime.knowledge.search", query="x", template="other") == "APP_E005"

    play(tmp_path / "data", app(tmp_path), scene)


def test_the_index_follows_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = sources(tmp_path / "private")
    monkeypatch.setattr(knowledge_service, "LOOK_S", 60.0)

    async def scene(page: Bridged) -> None:
        await bind(page, folder)
        monkeypatch.setattr(indexes, "LOOK_AGAIN_S", -1.0)
        (folder / "travel.md").write_text("# Trains\n\nTrains are better.\n")
        (folder / "制度.txt").unlink()
        (folder / "new.csv").write_text("item,price\nlime,3\n")
        assert await found(page, "approval") == []
        assert await found(page, "trains") == ["travel.md"]
        assert await found(page, "审批") == []
        assert await found(page, "lime") == ["new.csv"]

    async def later(page: Bridged) -> None:
        assert await found(page, "trains") == ["travel.md"]

    play(tmp_path / "data", app(tmp_path), scene)
    play(tmp_path / "data", app(tmp_path), later)


def test_a_folder_that_the_app_holds_is_bound_without_a_question_and_cited_by_place(
    tmp_path: Path,
) -> None:
    """Ours: dropping a folder was the grant; a citation says which file, page and heading it opens."""
    folder = sources(tmp_path / "private")
    (folder / "trips").mkdir()
    (folder / "torn.pdf").write_bytes(b"%PDF-1.4")
    (folder / "trips" / "boats.pdf").write_bytes(
        pdf("The timetable.", "The ferry leaves at 08:15.")
    )

    async def scene(page: Bridged) -> None:
        page.window.dropped = (folder,)
        [held] = (await page.value("lime.files.takeDropped", persist=True))["files"]
        await page.value("lime.knowledge.bind", key="handbook", ref=held["ref"])
        status = await whole(page)
        assert (status["sources"], status["unread"]) == (5, 1)
        answer = await page.value("lime.knowledge.search", query="ferry")
        record = answer["records"][0]
        assert (record["path"], record["page"]) == ("trips/boats.pdf", 2)
        assert str(tmp_path) not in str(answer)
        parsed = await page.value("lime.files.parse", ref=held["ref"], path=record["path"])
        assert record["snippet"] in parsed["sections"][record["page"] - 1]["text"]
        [meals] = (await page.value("lime.knowledge.search", query="lunch"))["records"]
        assert (meals["path"], meals["section"], "page" in meals) == ("travel.md", "Meals", False)

        assert await page.value("lime.knowledge.unbind", key="handbook") == {"unbound": True}
        assert await page.code("lime.knowledge.search", query="ferry") == "APP_E003"
        assert await page.value("lime.knowledge.unbind", key="handbook") == {"unbound": False}
        assert (folder / "travel.md").is_file()

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_reference_of_another_app_binds_nothing(tmp_path: Path) -> None:
    folder = sources(tmp_path / "private")
    held: list[str] = []

    async def hold(page: Bridged) -> None:
        page.window.dropped = (folder,)
        taken = await page.value("lime.files.takeDropped", persist=True)
        held.append(taken["files"][0]["ref"])

    async def stranger(page: Bridged) -> None:
        for ref in (held[0], str(folder)):
            assert await page.code("lime.knowledge.bind", key="handbook", ref=ref) == "APP_E021"
        status = await page.value("lime.knowledge.bindStatus", key="handbook")
        assert status["status"] == "unbound"

    play(tmp_path / "data", app(tmp_path), hold)
    play(tmp_path / "data", app(tmp_path, "other"), stranger)


def test_a_file_that_is_bound_alone_is_cited_by_its_name(tmp_path: Path) -> None:
    folder = sources(tmp_path / "private")

    async def scene(page: Bridged) -> None:
        await bind(page, folder / "travel.md")
        [record] = (await page.value("lime.knowledge.search", query="lunch"))["records"]
        assert record["path"] == "travel.md"

    play(tmp_path / "data", app(tmp_path), scene)


def many(folder: Path) -> Path:
    folder.mkdir()
    for number in range(60):
        (folder / f"note-{number:02}.md").write_text(
            f"# Note {number}\n\nApproval number {number}.\n"
        )
    return folder


def test_indexing_that_was_cut_off_goes_on_by_itself(tmp_path: Path) -> None:
    """Bug: it stayed failed for ever, and searches answered from a third of the files without a word."""
    folder = many(tmp_path / "private")

    async def begin(page: Bridged) -> None:
        page.window.choice = asyncio.get_running_loop().create_future()
        page.window.choice.set_result((folder,))
        status = await page.value("lime.knowledge.bind", key="handbook")
        assert status["status"] == "indexing"

    async def later(page: Bridged) -> None:
        status = await whole(page)
        assert (status["status"], status["sources"], status["pending"]) == ("bound", 60, 0)
        answer = await page.value("lime.knowledge.search", query="approval", topK=100)
        assert (len(answer["records"]), answer["isPartial"]) == (60, False)

    # The server ends as soon as the work has begun.
    play(tmp_path / "data", app(tmp_path), begin)
    play(tmp_path / "data", app(tmp_path), later)


def test_an_answer_from_a_part_of_the_files_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = many(tmp_path / "private")
    monkeypatch.setattr(knowledge_service, "LOOK_S", 0.0)

    async def scene(page: Bridged) -> None:
        page.window.choice = asyncio.get_running_loop().create_future()
        page.window.choice.set_result((folder,))
        await page.value("lime.knowledge.bind", key="handbook")
        early = await page.value("lime.knowledge.search", query="approval", topK=100)
        assert early["isPartial"]
        assert len(early["records"]) < 60
        await whole(page)
        late = await page.value("lime.knowledge.search", query="approval", topK=100)
        assert (late["isPartial"], late["pending"], len(late["records"])) == (False, 0, 60)

    play(tmp_path / "data", app(tmp_path), scene)


def test_new_changed_and_removed_files_are_noticed_when_somebody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: a folder was looked at when it was bound, and never again."""
    folder = sources(tmp_path / "private")
    monkeypatch.setattr(knowledge_service, "LOOK_S", 60.0)

    async def scene(page: Bridged) -> None:
        await bind(page, folder)
        monkeypatch.setattr(indexes, "LOOK_AGAIN_S", -1.0)
        (folder / "new.csv").write_text("item,price\nlime,3\n")
        (folder / "travel.md").write_text("# Trains\n\nTrains are better.\n")
        (folder / "制度.txt").unlink()
        assert await found(page, "lime") == ["new.csv"]
        assert await found(page, "trains") == ["travel.md"]
        assert await found(page, "审批") == []

    play(tmp_path / "data", app(tmp_path), scene)


def test_a_disk_that_was_taken_out_takes_nothing_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = sources(tmp_path / "private")
    monkeypatch.setattr(knowledge_service, "LOOK_S", 60.0)

    async def scene(page: Bridged) -> None:
        await bind(page, folder)
        monkeypatch.setattr(indexes, "LOOK_AGAIN_S", -1.0)
        folder.rename(tmp_path / "elsewhere")
        assert await found(page, "approval") == ["travel.md"]
        status = await page.value("lime.knowledge.bindStatus", key="handbook")
        assert "not there now" in status["message"]
        (tmp_path / "elsewhere").rename(folder)
        assert await found(page, "approval") == ["travel.md"]
        # A look that began before the disk came back may still be the last one; the next one finds it.
        async with asyncio.timeout(60):
            while (await whole(page)).get("message") is not None:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)

    play(tmp_path / "data", app(tmp_path), scene)


def test_each_template_and_each_app_has_its_own(tmp_path: Path) -> None:
    first, second = sources(tmp_path / "first"), sources(tmp_path / "second")
    (second / "travel.md").write_text("Approval is never needed.")

    async def scene(page: Bridged) -> None:
        await bind(page, first)
        await bind(page, second, "prices")
        assert len(await found(page, "approval")) == 2
        assert len(await found(page, "approval", template="prices")) == 1

    async def stranger(page: Bridged) -> None:
        assert await page.code("lime.knowledge.search", query="approval") == "APP_E003"

    play(tmp_path / "data", app(tmp_path), scene)
    play(tmp_path / "data", app(tmp_path, "other"), stranger)


def test_what_the_sources_say_can_be_written_to_a_file(tmp_path: Path) -> None:
    folder = sources(tmp_path / "private")

    async def scene(page: Bridged) -> None:
        await bind(page, folder)
        written = await page.value("lime.knowledge.export", key="handbook", format="text")
        assert (written["format"], written["sizeBytes"] > 50) == ("text", True)
        assert written["ref"].startswith("file-ref:")

    play(tmp_path / "data", app(tmp_path), scene)


def notebook(folder: Path) -> Path:
    more = """\
storage: {namespace: notebook, schema: storage/schema.json}
knowledgeTemplates:
  - key: pages
    standard: agentknowledge
    type: notebook
    required: true
    source: {table: page, text: body}
"""
    return write_app(
        folder,
        "notebook",
        capabilities="{lime.knowledge: '>=0.3.0', lime.storage: '>=0.3.0'}",
        more=more,
        files={"storage/schema.json": '{"namespace": "notebook", "tables": [{"name": "page"}]}'},
    )


def test_rows_of_an_app_s_own_are_found_as_soon_as_they_are_kept(tmp_path: Path) -> None:
    """Ours: what an app keeps it may look up, and nobody has to bind it."""

    async def keep(page: Bridged, **row: str | int) -> None:
        await page.value("lime.storage.tableUpsert", table="page", row=row)

    async def hits(page: Bridged, query: str) -> list[tuple[str, str | int]]:
        answer = await page.value("lime.knowledge.search", query=query, template="pages")
        return [(record["title"], record["rowId"]) for record in answer["records"]]

    async def scene(page: Bridged) -> None:
        status = await page.value("lime.knowledge.bindStatus", key="pages")
        assert status["status"] == "bound"
        assert await hits(page, "anything") == []
        await keep(page, id="a", title="Garden", body="# Trees\n\nWater the lime tree on Mondays.")
        await keep(page, id=7, title="行程", body="周一去上海开会。")
        assert await hits(page, "when to water the tree?") == [("Garden", "a")]
        assert await hits(page, "上海") == [("行程", 7)]
        await keep(page, id="a", title="Garden", body="Nothing grows.")
        assert await hits(page, "water") == []
        assert await page.value("lime.storage.tableDelete", table="page", id=7) is True
        assert await hits(page, "上海") == []
        await keep(page, id="b", title="Only a name")
        assert await hits(page, "name") == [("Only a name", "b")]

    async def later(page: Bridged) -> None:
        assert await hits(page, "grows") == [("Garden", "a")]

    play(tmp_path / "data", notebook(tmp_path), scene)
    play(tmp_path / "data", notebook(tmp_path), later)
