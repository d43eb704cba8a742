"""Notes keeps what a person wrote, whichever release they wrote it with."""

from pathlib import Path

from lime_desktop.protocol.calls.storage_tables import RUN_MIGRATIONS, RunMigrationsParams
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play

APP = Path(__file__).parents[2] / "sample_apps/notes"


def test_notes_of_the_first_release_are_brought_up_to_date(tmp_path: Path) -> None:
    """The standard: migrations never lose what a person wrote."""
    first = write_app(
        tmp_path,
        "notes",
        capabilities="{lime.storage: '>=0.3.0'}",
        more="storage: {namespace: notes, schema: storage/schema.json}",
        files={"storage/schema.json": '{"namespace": "notes", "tables": [{"name": "note"}]}'},
    )
    written = {
        "id": "n1",
        "title": "Garden",
        "body": "Water the lime tree.",
        "tags": ["Home", "green"],
        "attachments": [{"ref": "file-ref:1", "name": "plan.md", "sizeBytes": 9}],
    }

    async def long_ago(page: Bridged) -> None:
        await page.value("lime.storage.tableInsert", table="note", row=written)

    async def now(page: Bridged) -> None:
        run = RunMigrationsParams(app_id=AppId("notes"))
        names = (await page.connection.call(RUN_MIGRATIONS, run, timeout_s=60)).applied
        assert names == ("001_search_text.up.sql", "002_attachments.up.sql")
        note = await page.value("lime.storage.tableGet", table="note", id="n1")
        assert note["row"] == {
            "id": "n1",
            "title": "Garden",
            "body": "Water the lime tree.",
            "tags": ["Home", "green"],
            "isPinned": 0,
            "text": "garden\nwater the lime tree.\n#home #green",
        }
        files = await page.value(
            "lime.storage.tableQuery", table="attachment", where={"noteId": "n1"}
        )
        assert [each["row"]["name"] for each in files["rows"]] == ["plan.md"]

    play(tmp_path / "data", first, long_ago)
    play(tmp_path / "data", APP, now)
