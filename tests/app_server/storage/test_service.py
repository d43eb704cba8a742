"""An app keeps what it is told, and nothing of it reaches another (the standard: its own namespace only)."""

import asyncio
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.app_server.storage.service import MAX_VALUE_BYTES, AppStorage
from lime_desktop.protocol.errors import (
    CredentialRefused,
    DataReadOnly,
    DiskFull,
    InvalidInput,
    MessageTooLarge,
    ShuttingDown,
    StorageQuotaExceeded,
)
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.runtime.payload_rules import is_key_like
from tests.app_server.for_apps import provenance
from tests.app_server.storage.kept import NOW, Kept, open_kept, tell_nobody
from tests.jsonrpc.conversation import run


def test_a_value_comes_back_with_its_time_and_its_origin(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            app = Kept(storage, "notes")
            kept = await app.set("greeting", {"text": "你好", "by": None})
            assert await app.entries() == [kept]
            assert await app.get_text("greeting") == '{"text":"你好","by":null}'
            assert (kept.updated_at, kept.provenance) == (NOW, provenance("notes"))

    run(scene())


def test_values_outlive_the_server(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            await Kept(storage, "notes").set("greeting", "Hi")
        async with open_kept(tmp_path) as storage:
            assert await Kept(storage, "notes").get("greeting") == "Hi"

    run(scene())


@pytest.mark.requirement("APP-44", "APP-46")
def test_each_app_has_a_file_of_its_own_and_sees_nothing_else(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            mine, others = Kept(storage, "notes"), Kept(storage, "Notes")
            await mine.set("greeting", "mine")
            assert await others.get("greeting") is None
            assert await others.pages(10) == [[]]
            assert not await others.delete("greeting")
            assert await mine.get("greeting") == "mine"

    run(scene())
    assert len(list(tmp_path.glob("*.db"))) == 2


@pytest.mark.parametrize(
    "app_id", ["../../up", "/etc/passwd", "CON", "a\0b", "..", "名", "x" * 256]
)
def test_no_app_id_leads_out_of_the_folder(tmp_path: Path, app_id: str) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path / "apps") as storage:
            await Kept(storage, app_id).set("k", 1)

    run(scene())
    assert [path.name for path in tmp_path.iterdir()] == ["apps"]
    assert [path.suffix for path in (tmp_path / "apps").iterdir()] == [".db"]


def test_a_list_is_in_the_order_of_the_keys_and_in_pages(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            app = Kept(storage, "notes")
            for key in ("b", "é", "a/2", "a", "a/10"):
                await app.set(key, key)
            assert await app.pages(2) == [["a", "a/10"], ["a/2", "b"], ["é"]]
            assert await app.pages(5) == [["a", "a/10", "a/2", "b", "é"]]

    run(scene())


def test_a_page_of_large_values_ends_early(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            app = Kept(storage, "notes")
            for key in "abc":
                await app.set(key, "x " * (MAX_VALUE_BYTES // 2 - 2))
            assert await app.pages(100) == [["a"], ["b"], ["c"]]
            assert [each.key for each in await app.entries(limit=3)] == ["a"]
            assert [each.key for each in await app.entries("a", 3)] == ["b"]
            with pytest.raises(MessageTooLarge):
                await app.entries()

    run(scene())


def test_the_quota_counts_what_is_kept_and_a_refused_write_changes_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path, quota_bytes=3_000) as storage:
            app = Kept(storage, "notes")
            await app.set("a", "x " * 500)
            with pytest.raises(StorageQuotaExceeded) as caught:
                await app.set("b", "x " * 1_000)
            assert caught.value.details["quotaBytes"] == 3_000
            assert await app.pages(10) == [["a"]]
            await app.set("a", "replaced")
            await app.set("b", "x " * 900)
            await app.delete("b")
            await app.set("c", "x " * 900)

    run(scene())


def test_one_value_has_its_own_limit(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            with pytest.raises(StorageQuotaExceeded):
                await Kept(storage, "notes").set("a", "x " * MAX_VALUE_BYTES)

    run(scene())


@pytest.mark.requirement("APP-57")
@pytest.mark.parametrize("key", ["apiKey", "accessToken", "secrets/crm", "user.password", "密码"])
def test_a_key_named_like_a_credential_is_refused(tmp_path: Path, key: str) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            with pytest.raises(CredentialRefused):
                await Kept(storage, "notes").set(key, "x")

    run(scene())


@pytest.mark.requirement("APP-57", "APP-66")
@pytest.mark.parametrize(
    "value", [{"deep": [{"apiKey": "x"}]}, "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"]
)
def test_a_value_that_looks_like_a_credential_is_refused_and_not_repeated(
    tmp_path: Path, value: object
) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            app = Kept(storage, "notes")
            with pytest.raises(CredentialRefused) as caught:
                await app.set("a", value)
            assert "ghp_" not in str(caught.value.to_data())
            assert await app.get("a") is None

    run(scene())


@pytest.mark.parametrize(
    "text", ["", "{", "NaN", "1e999", '"\\ud800"', "[" * 100_000, "1" * 5_000, "'x'"]
)
def test_what_is_not_json_is_refused(tmp_path: Path, text: str) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            with pytest.raises(InvalidInput):
                await Kept(storage, "notes").set_text("a", text)

    run(scene())


def test_a_write_that_names_another_app_as_its_origin_is_the_callers_all_the_same(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            forged = f',"provenance":{provenance("other").to_json()},"appId":"other"'
            kept = await Kept(storage, "notes").set_text("a", "1", forged)
            assert (kept.app_id, kept.provenance) == ("notes", provenance("notes"))
            assert await Kept(storage, "other").entries() == []

    run(scene())


def test_a_folder_that_cannot_be_written_is_said_by_its_code(tmp_path: Path) -> None:
    async def scene() -> None:
        (tmp_path / "apps").write_text("in the way")
        async with open_kept(tmp_path / "apps") as storage:
            with pytest.raises(DataReadOnly):
                await Kept(storage, "notes").set("a", 1)

    run(scene())


def test_a_full_disk_is_said_by_its_code_and_what_was_kept_stays(tmp_path: Path) -> None:
    async def scene() -> None:
        files = AppFiles(tmp_path)
        app = Kept(AppStorage(files, lambda: NOW, tell_nobody), "notes")
        await app.set("a", 1)
        async with files.use(AppId("notes")) as database:
            # SQLite's own limit stands in for the disk's: it ends in the same error.
            await database.write(
                lambda connection: connection.execute("PRAGMA max_page_count=20").fetchone()
            )
        with pytest.raises(DiskFull):
            await app.set("b", "x " * 100_000)
        assert await app.pages(10) == [["a"]]
        await files.close()

    run(scene())


def test_more_apps_than_open_files_work_at_once(tmp_path: Path) -> None:
    """Ours: a file that was closed for another is opened again."""

    async def scene() -> None:
        async with open_kept(tmp_path, max_open=2) as storage:
            apps = [Kept(storage, f"app-{number}") for number in range(6)]
            for turn in range(3):
                await asyncio.gather(*(app.set("turn", turn) for app in apps))
            assert await asyncio.gather(*(app.get("turn") for app in apps)) == [2] * 6

    run(scene())


def test_a_closed_storage_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        async with open_kept(tmp_path) as storage:
            pass
        with pytest.raises(ShuttingDown):
            await Kept(storage, "notes").get("a")

    run(scene())


KEYS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda key: not is_key_like(key)
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
    max_leaves=8,
)
OPERATIONS = st.one_of(
    st.tuples(st.just("set"), KEYS, VALUES), st.tuples(st.just("delete"), KEYS, st.none())
)


@settings(max_examples=25, deadline=None)
@given(st.lists(OPERATIONS, max_size=12))
def test_it_behaves_like_a_dictionary(operations: list[tuple[str, str, object]]) -> None:
    """Ours: any sequence of calls, any keys and values, and over a restart."""

    async def scene(folder: Path) -> None:
        expected: dict[str, object] = {}
        async with open_kept(folder) as storage:
            app = Kept(storage, "notes")
            for operation, key, value in operations:
                if operation == "set":
                    await app.set(key, value)
                    expected[key] = value
                else:
                    assert await app.delete(key) == (expected.pop(key, app) is not app)
        async with open_kept(folder) as storage:
            app = Kept(storage, "notes")
            assert await app.pages(3) == _paged(sorted(expected), 3)
            for key, value in expected.items():
                assert json.dumps(await app.get(key)) == json.dumps(value)

    with tempfile.TemporaryDirectory() as folder:
        run(scene(Path(folder)))


def _paged(keys: list[str], limit: int) -> list[list[str]]:
    return [keys[start : start + limit] for start in range(0, len(keys), limit)] or [[]]
