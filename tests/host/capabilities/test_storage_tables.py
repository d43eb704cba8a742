"""lime.storage tables from the bridge to an app's own file and back."""

import json
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.protocol.calls.app_data import (
    RESTORE_APP_DATA,
    SNAPSHOT_APP_DATA,
    RestoreAppDataParams,
    SnapshotAppDataParams,
)
from lime_desktop.protocol.calls.storage_tables import (
    LIST_MIGRATIONS,
    RUN_MIGRATIONS,
    STORAGE_CHANGED,
    ListMigrationsParams,
    RunMigrationsParams,
    StorageChangedNotification,
)
from lime_desktop.protocol.errors import StorageMigrationFailed
from lime_desktop.protocol.ids import AppId
from tests.app_server.apps.packages import write_app
from tests.host.bridged import Bridged, play

APP = AppId("notes")
COPY = "0123456789abcdef"
SCHEMA = {
    "namespace": "notes",
    "tables": [{"name": "note", "primaryKey": "id"}, {"name": "tag", "primaryKey": "name"}],
    "indexes": [{"table": "note", "fields": ["status", "rank"]}],
}


def notes(folder: Path, schema: object = SCHEMA, **migrations: str) -> Path:
    scripts = {f"storage/migrations/{name}.sql": script for name, script in migrations.items()}
    return write_app(
        folder,
        capabilities="{lime.storage: '>=0.3.0'}",
        more="storage: {namespace: notes, schema: storage/schema.json}",
        files={"storage/schema.json": json.dumps(schema), **scripts},
    )


async def fill(page: Bridged, rows: list[dict[str, Any]]) -> None:
    operations = [{"op": "insert", "table": "note", "row": row} for row in rows]
    await page.value("lime.storage.transaction", operations=operations)


async def found(page: Bridged, **query: Any) -> list[Any]:
    page_of_rows = await page.value("lime.storage.tableQuery", table="note", **query)
    return [row["id"] for row in page_of_rows["rows"]]


def test_a_row_lives_from_insert_to_delete(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        row = {"id": "a", "title": "你好", "by": None}
        kept = await page.value("lime.storage.tableInsert", table="note", row=row)
        assert (kept["id"], kept["row"], kept["version"]) == ("a", row, 1)
        changed = await page.value(
            "lime.storage.tableUpdate", table="note", id="a", changes={"title": "再见"}, ifVersion=1
        )
        assert (changed["row"]["title"], changed["row"]["by"], changed["version"]) == (
            "再见",
            None,
            2,
        )
        replaced = await page.value("lime.storage.tableUpsert", table="note", row={"id": "a"})
        assert (replaced["row"], replaced["version"]) == ({"id": "a"}, 3)
        assert await page.value("lime.storage.tableGet", table="note", id="a") == replaced
        for was_there in (True, False):
            assert await page.value("lime.storage.tableDelete", table="note", id="a") is was_there
        assert await page.value("lime.storage.tableGet", table="note", id="a") is None

    play(tmp_path / "data", notes(tmp_path), scene)


def test_the_host_gives_a_key_to_a_row_without_one(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        first = await page.value("lime.storage.tableInsert", table="tag", row={"hue": 1})
        assert first["row"] == {"hue": 1, "name": first["id"]}

    play(tmp_path / "data", notes(tmp_path), scene)


def test_refusals_name_what_is_wrong(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        await fill(page, [{"id": "a"}])
        insert, update = "lime.storage.tableInsert", "lime.storage.tableUpdate"
        assert await page.code(insert, table="note", row={"id": "a"}) == "APP_E205"
        assert await page.code(insert, table="nothing", row={}) == "APP_E206"
        assert await page.code(insert, table="note", row={"id": True}) == "APP_E014"
        assert await page.code(insert, table="note", row={"password": "x"}) == "APP_E208"
        assert await page.code(insert, table="note", row={"text": "x " * 300_000}) == "APP_E201"
        assert await page.code(update, table="note", id="b", changes={}) == "APP_E204"
        stale: dict[str, Any] = {"table": "note", "id": "a", "changes": {}, "ifVersion": 9}
        assert await page.code(update, **stale) == "APP_E205"
        assert await page.code(update, table="note", id="a", changes={"id": "b"}) == "APP_E014"
        query = "lime.storage.tableQuery"
        assert await page.code(query, table="note", where={"x') --": 1}) == "APP_E014"
        assert await page.code(query, table="note", where={"x": {"like": "%"}}) == "APP_E014"
        assert await page.code(query, table="note", cursor="bm9uc2Vuc2U=") == "APP_E014"

    play(tmp_path / "data", notes(tmp_path), scene)


def test_what_belongs_together_happens_together(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        operations = [
            {"op": "set", "key": "last", "value": 1},
            {"op": "insert", "table": "note", "row": {"id": "a"}},
            {"op": "insert", "table": "note", "row": {"id": "a"}},
        ]
        assert await page.code("lime.storage.transaction", operations=operations) == "APP_E205"
        assert await page.value("lime.storage.get", key="last") is None
        assert await found(page) == []
        done = await page.value("lime.storage.transaction", operations=operations[:2])
        assert [result["updatedAt"] != "" for result in done["results"]] == [True, True]
        usage = await page.value("lime.storage.getUsage")
        assert (usage["keys"], usage["rows"]) == (1, 1)
        assert 0 < usage["usedBytes"] < usage["quotaBytes"]

    play(tmp_path / "data", notes(tmp_path), scene)


ROWS = [
    {"id": 1, "status": "open", "rank": 3, "title": "Äpfel", "tags": {"first": "red"}},
    {"id": 2, "status": "open", "rank": 1, "title": "pears"},
    {"id": 3, "status": "done", "rank": 2.5, "title": "APRICOTS"},
    {"id": 4, "status": None, "rank": "high"},
    {"id": 5},
]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"status": "open"}, [1, 2]),
        ({"status": {"eq": None}}, [4, 5]),
        ({"status": {"ne": "open"}}, [3, 4, 5]),
        ({"status": {"ne": None}}, [1, 2, 3]),
        ({"status": {"in": ["done", None]}}, [3, 4, 5]),
        ({"status": {"in": []}}, []),
        ({"rank": {"gt": 1}}, [1, 3]),
        ({"rank": {"gte": 1, "lt": 3}}, [2, 3]),
        ({"rank": {"lte": "high"}}, [4]),
        ({"title": {"startsWith": "AP"}}, [3]),
        ({"title": {"contains": "äPF"}}, [1]),
        ({"tags.first": "red"}, [1]),
        ({"status": "open", "rank": 1}, [2]),
    ],
)
def test_rows_are_found_by_what_their_fields_are(
    tmp_path: Path, where: dict[str, Any], expected: list[int]
) -> None:
    async def scene(page: Bridged) -> None:
        await fill(page, ROWS)
        assert await found(page, where=where) == expected

    play(tmp_path / "data", notes(tmp_path), scene)


@pytest.mark.parametrize("direction", ["asc", "desc"])
def test_pages_joined_are_the_whole_in_order(tmp_path: Path, direction: str) -> None:
    async def scene(page: Bridged) -> None:
        await fill(page, ROWS)
        order = [{"field": "status", "direction": direction}, {"field": "rank"}]
        whole = await found(page, orderBy=order)
        joined: list[Any] = []
        more: dict[str, Any] = {}
        while True:
            answer = await page.value(
                "lime.storage.tableQuery", table="note", orderBy=order, limit=2, **more
            )
            joined += [row["id"] for row in answer["rows"]]
            if "nextCursor" not in answer:
                break
            more = {"cursor": answer["nextCursor"]}
        assert joined == whole
        assert len(whole) == 5

    play(tmp_path / "data", notes(tmp_path), scene)


def test_a_row_that_is_found_is_the_row_that_was_kept(tmp_path: Path) -> None:
    """Ours: the text of a page is written by the database; nothing in a row may come out otherwise than it went in."""
    awkward: dict[str, Any] = {
        "id": 'a"b\\c\u2028\n',
        "none": None,
        "nested": {"empty": {}, "list": [1, -0.5, 1e300, 2**53, True, [[]], ""]},
        "text": '你好 😀 \x00 </script> {"rows":[]}',
        'k"ey': 1,
    }

    async def scene(page: Bridged) -> None:
        await fill(page, [awkward, {"id": 7}])
        one = await page.value("lime.storage.tableGet", table="note", id=awkward["id"])
        other = await page.value("lime.storage.tableGet", table="note", id=7)
        assert one["row"] == awkward
        answer = await page.value("lime.storage.tableQuery", table="note")
        assert answer == {"rows": [other, one]}

    play(tmp_path / "data", notes(tmp_path), scene)


def test_others_hear_which_rows_changed_and_never_what_they_hold(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        heard: list[StorageChangedNotification] = []
        page.connection.listen(STORAGE_CHANGED, heard.append)
        await fill(page, [{"id": "a", "title": "private"}])
        await page.value("lime.storage.set", key="k", value="private")
        await page.value("lime.storage.delete", key="nothing")
        told = [change.to_wire() for each in heard for change in each.changes]
        assert told == [
            {"op": "insert", "table": "note", "id": "a", "version": 1},
            {"op": "set", "key": "k"},
        ]

    play(tmp_path / "data", notes(tmp_path), scene)


def test_the_migrations_of_a_fresh_app_run_by_themselves(tmp_path: Path) -> None:
    script = "INSERT INTO note (id, body) VALUES ('first', json('{\"id\":\"first\"}'));"

    async def scene(page: Bridged) -> None:
        assert await found(page) == ["first"]

    play(tmp_path / "data", notes(tmp_path, **{"001_seed": script}), scene)


CREATES = """
    /* 1.0; with what it is looked up by */
    CREATE TABLE note (id TEXT PRIMARY KEY, title TEXT NOT NULL, rank INTEGER, "odd name" TEXT);
    CREATE INDEX note_by_title ON note (title);
    -- the same again, spelt otherwise
    create table if not exists [Tag] (name TEXT PRIMARY KEY);
    CREATE TABLE mine (x);
"""


def test_a_migration_may_create_the_tables_that_its_schema_declares(tmp_path: Path) -> None:
    """Ours: such a statement says what is there already. No row is lost, and the named columns can be queried."""

    async def fresh(page: Bridged) -> None:
        await fill(page, [{"id": "a", "title": "Limes", "rank": 2}, {"id": "b", "title": "Figs"}])
        assert await found(page, orderBy=[{"field": "title"}]) == ["b", "a"]

    async def updated(page: Bridged) -> None:
        done = await page.connection.call(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP))
        assert done.applied == ("002_more.sql",)
        assert await found(page) == ["a"]
        row = await page.value("lime.storage.tableGet", table="note", id="a")
        assert row["row"] == {"id": "a", "title": "Limes", "rank": 2, "shout": "LIMES"}

    more = """
        CREATE TABLE note (id TEXT PRIMARY KEY, title TEXT);
        DELETE FROM note WHERE title = 'Figs';
        UPDATE note SET body = json_set(body, '$.shout', upper(title)) WHERE rank > 1;
    """
    data = tmp_path / "data"
    play(data, notes(tmp_path / "1", **{"001_create": CREATES}), fresh)
    play(data, notes(tmp_path / "2", **{"001_create": CREATES, "002_more": more}), updated)


@pytest.mark.requirement("APP-48")
def test_data_is_migrated_on_request_and_brought_back_from_its_copy(tmp_path: Path) -> None:
    """The standard: an upgrade never overwrites what a person has, and can be undone."""
    rename = """
        -- one statement over every row; this semicolon; ends nothing
        UPDATE note SET body = json_set(json_remove(body, '$.title'), '$.name', body ->> 'title');
    """

    async def before(page: Bridged) -> None:
        await fill(page, [{"id": "a", "title": "A"}])

    async def after(page: Bridged) -> None:
        assert await page.code("lime.storage.tableQuery", table="note") == "APP_E202"
        asked = ListMigrationsParams(app_id=APP)
        assert (await page.connection.call(LIST_MIGRATIONS, asked)).pending == ("001_rename.sql",)
        copy = SnapshotAppDataParams(app_id=APP, snapshot_id=COPY)
        await page.connection.call(SNAPSHOT_APP_DATA, copy)
        done = await page.connection.call(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP))
        assert done.applied == ("001_rename.sql",)
        row = await page.value("lime.storage.tableGet", table="note", id="a")
        assert row["row"] == {"id": "a", "name": "A"}
        again = await page.connection.call(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP))
        assert again.applied == ()
        back = RestoreAppDataParams(app_id=APP, snapshot_id=COPY)
        await page.connection.call(RESTORE_APP_DATA, back)
        assert (await page.connection.call(LIST_MIGRATIONS, asked)).applied == ()

    play(tmp_path / "data", notes(tmp_path), before)
    play(tmp_path / "data", notes(tmp_path, **{"001_rename": rename}), after)


@pytest.mark.requirement("APP-45")
@pytest.mark.parametrize(
    "script",
    [
        "ATTACH DATABASE 'elsewhere.db' AS other;",
        "PRAGMA writable_schema = ON;",
        "PRAGMA journal_mode = DELETE;",
        "SELECT load_extension('x');",
        "COMMIT; DELETE FROM note;",
        "DELETE FROM lime_entry;",
        "UPDATE lime_usage SET used_bytes = 0;",
        "DROP TABLE schema_version;",
        "SELECT value_json FROM lime_entry;",
        "ALTER TABLE lime_entry RENAME TO mine;",
        "CREATE TABLE lime_more (x);",
        "CREATE TRIGGER t AFTER INSERT ON note BEGIN DELETE FROM lime_entry; END;",
        "CREATE VIRTUAL TABLE v USING fts5(x);",
        "CREATE VIEW v AS SELECT * FROM lime_entry;",
        "CREATE TEMP TABLE t (x);",
        "SELECT zeroblob(100000000);",
        "ALTER TABLE note RENAME COLUMN body TO text;",
        "DELETE FROM note; this is no SQL;",
        # The columns that an author names are read from the row, and no row is written piece by piece.
        "CREATE TABLE note (id TEXT, title TEXT); UPDATE note SET title = 'x';",
        "CREATE TABLE note AS SELECT 'b' AS id, '{}' AS body;",
        "DROP TABLE note; CREATE TABLE note (id TEXT);",
    ],
)
def test_a_migration_reaches_its_apps_rows_and_nothing_else(tmp_path: Path, script: str) -> None:
    """The standard: host state is not writable by an app's migrations; a failed one changes nothing."""

    async def before(page: Bridged) -> None:
        await fill(page, [{"id": "a"}])
        await page.value("lime.storage.set", key="k", value=1)

    async def after(page: Bridged) -> None:
        with pytest.raises(StorageMigrationFailed):
            await page.connection.call(RUN_MIGRATIONS, RunMigrationsParams(app_id=APP))
        assert await page.value("lime.storage.get", key="k") == 1
        assert await page.code("lime.storage.tableGet", table="note", id="a") == "APP_E202"

    async def as_it_was(page: Bridged) -> None:
        assert await found(page) == ["a"]

    data = tmp_path / "data"
    play(data, notes(tmp_path / "old"), before)
    play(data, notes(tmp_path / "new", **{"001_bad": script}), after)
    play(data, notes(tmp_path / "old"), as_it_was)
    assert not [*data.rglob("rehearsal-*"), *data.rglob("elsewhere.db*")]


def test_a_migration_that_was_edited_after_it_ran_is_refused(tmp_path: Path) -> None:
    async def ran(page: Bridged) -> None:
        assert await found(page) == []

    async def edited(page: Bridged) -> None:
        assert await page.code("lime.storage.tableQuery", table="note") == "APP_E207"

    data = tmp_path / "data"
    play(data, notes(tmp_path / "old", **{"001_a": "SELECT 1;"}), ran)
    play(data, notes(tmp_path / "new", **{"001_a": "SELECT 2;"}), edited)


@pytest.mark.parametrize("name", ["lime_entry", "schema_version", "sqlite_x", 'a"b', "1st"])
def test_a_table_of_the_hosts_own_name_is_not_made(tmp_path: Path, name: str) -> None:
    async def scene(page: Bridged) -> None:
        assert await page.code("lime.storage.tableQuery", table="x") == "APP_E203"

    schema = {"namespace": "notes", "tables": [{"name": name}]}
    play(tmp_path / "data", notes(tmp_path, schema), scene)


def test_a_view_hears_what_changes_in_its_apps_data_and_never_the_values(tmp_path: Path) -> None:
    """What published SDKs call `changes`."""

    async def scene(page: Bridged) -> None:
        wish = {"capability": "lime.storage", "topic": "changes"}
        assert (await page.send("capability:subscribe", wish))["ok"] is True
        await page.value("lime.storage.set", key="a", value="private")
        heard = (await page.pushed.get())["payload"]
        assert heard["payload"] == {"changes": [{"op": "set", "key": "a"}]}
        other = await page.send("capability:subscribe", {**wish, "topic": "other"})
        assert other["details"]["appErrorCode"] == "APP_E024"

    play(tmp_path / "data", notes(tmp_path), scene)


@pytest.mark.requirement("APP-44", "APP-46")
def test_two_apps_of_the_same_namespace_share_no_value_and_no_row(tmp_path: Path) -> None:
    """The standard: an app's data are isolated, wherever several share an engine."""
    named = "storage: {namespace: notes, schema: ./storage/schema.json}\n"
    packages = [
        write_app(
            tmp_path / name,
            name,
            capabilities="{lime.storage: '>=0.3.0'}",
            more=named,
            files={"storage/schema.json": json.dumps(SCHEMA)},
        )
        for name in ("notes", "other")
    ]

    async def keeps(page: Bridged) -> None:
        await page.value("lime.storage.set", key="mine", value=1)
        await page.value("lime.storage.tableInsert", table="note", row={"id": "mine"})

    async def sees_nothing(page: Bridged) -> None:
        assert await page.value("lime.storage.get", key="mine") is None
        assert await found(page) == []

    async def has_both(page: Bridged) -> None:
        assert await page.value("lime.storage.get", key="mine") == 1
        assert await found(page) == ["mine"]

    mine, others = packages
    play(tmp_path / "data", mine, keeps)
    play(tmp_path / "data", others, sees_nothing)
    play(tmp_path / "data", mine, has_both)
