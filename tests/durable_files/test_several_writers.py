"""Command line and App Server write the same files: nobody's change is lost (a bug demanded it)."""

import asyncio
import json
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from lime_desktop.app_server.execution.acp.agents import agents_in
from lime_desktop.app_server.providers.store import open_provider_store
from lime_desktop.app_server.secrets.sealed_file import FILE_NAME, KEY_NAME, SealedFile
from lime_desktop.app_server.secrets.store import SecretStore, open_secret_store
from lime_desktop.app_server.tools.mcp.store import McpServerStore
from lime_desktop.durable_files.changing import change_file, locked_file, read_file
from lime_desktop.protocol.calls.external_agents import AddAgentParams, ExternalAgent
from lime_desktop.protocol.calls.model_providers import ProviderLimits, ProviderSettings
from lime_desktop.protocol.errors import DatabaseBusy, DatabaseDamaged
from lime_desktop.protocol.task_events import Cost
from tests.durable_files.writers import CONTEXT, WAIT_S, begun_writers, write_at_once


def names(writers: int, count: int) -> list[str]:
    return [f"w{writer}-{number}" for writer in range(writers) for number in range(count)]


def test_of_hundreds_of_secrets_sealed_by_several_processes_none_is_lost(tmp_path: Path) -> None:
    """The first of them makes the key, and there is only one."""
    write_at_once("sealed", tmp_path, writers=4, count=75)
    sealed = SealedFile(tmp_path)
    assert {name: sealed.read(name) for name in names(4, 75)} == {
        name: f"value of {name}" for name in names(4, 75)
    }
    assert not list(tmp_path.glob("*.partial"))
    for name in (FILE_NAME, KEY_NAME):
        assert os.name == "nt" or stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_tool_servers_that_several_processes_set_up_are_all_there(tmp_path: Path) -> None:
    write_at_once("servers", tmp_path, writers=4, count=12)
    found = [each.server_id for each in McpServerStore(tmp_path).all()]
    assert sorted(found) == sorted(names(4, 12))


def test_agents_that_several_processes_set_up_are_all_there(tmp_path: Path) -> None:
    write_at_once("agents", tmp_path, writers=4, count=12)
    found = [each.agent_id for each in asyncio.run(agents_in(tmp_path).all())]
    assert sorted(found) == sorted(names(4, 12))


def test_several_processes_that_change_a_provider_each_keep_their_field(tmp_path: Path) -> None:
    """`providers set` beside a running App Server: whatever is not named stays."""
    secrets = open_secret_store(tmp_path, lambda: None)
    providers = open_provider_store(tmp_path, secrets)
    settings = ProviderSettings(
        title="One", protocol="openai-compatible", base_url="http://127.0.0.1:1/v1"
    )
    try:
        asyncio.run(providers.create("p1", settings))
        write_at_once("provider", tmp_path, writers=4, count=40)
        kept = asyncio.run(providers.read("p1")).settings
    finally:
        providers.close()
        secrets.close()
    assert (kept.rank, kept.limits) == (
        40,
        ProviderLimits(
            monthly_cost=Cost(amount=40), task_cost=Cost(amount=40), requests_per_minute=40
        ),
    )


@pytest.mark.parametrize("attempt", range(3))
def test_processes_that_open_a_new_data_folder_at_once_share_its_databases(
    tmp_path: Path, attempt: int
) -> None:
    """The second to open must not put an empty file in the place of the first's, nor stumble over its tables."""
    del attempt
    write_at_once("slots", tmp_path, writers=4, count=8)

    async def read(store: SecretStore) -> None:
        for writer in range(4):
            records = await store.list(f"app:w{writer}")
            values = [
                (await store.open(record.ref, f"app:w{writer}")).get_secret_value()
                for record in records
            ]
            assert values == [f"w{writer}-{number}" for number in range(8)]
        # What a slot held before is forgotten, whoever filled it: one value each is left.
        shared = await store.list("app:shared")
        assert len(shared) == 8
        values = [await store.open(record.ref, "app:shared") for record in shared]
        assert len(values) == 8

    store = open_secret_store(tmp_path, lambda: None)
    try:
        asyncio.run(read(store))
    finally:
        store.close()
    kept = (tmp_path / FILE_NAME).read_text("utf-8").count("secret_")
    assert kept == 4 * 8 + 8


def test_a_killed_writer_leaves_every_finished_secret_and_no_lock(tmp_path: Path) -> None:
    """Killed over and over in the middle of its writes; the next goes on at once, with the same key."""
    key: bytes | None = None
    for round_ in range(6):
        folder = tmp_path / "kept"
        with begun_writers("sealed", folder, writers=2, count=1000) as processes:
            _wait_for_more_than(round_ * 5, folder)
            for process in processes:
                process.kill()
                process.wait(timeout=WAIT_S)
        before = _names_in(folder)
        assert len(before) > 5 * round_
        SealedFile(folder).write("after", "value")
        assert SealedFile(folder).read("after") == "value"
        key = key or (folder / KEY_NAME).read_bytes()
        assert (folder / KEY_NAME).read_bytes() == key
        for name in before:
            assert SealedFile(folder).read(name) is not None
        assert not list(folder.glob(f"{FILE_NAME}.*.partial"))


def test_a_lost_key_is_told_and_no_second_one_is_made(tmp_path: Path) -> None:
    sealed = SealedFile(tmp_path)
    sealed.write("one", "value")
    (tmp_path / KEY_NAME).unlink()
    for work in (lambda: sealed.read("one"), lambda: sealed.write("two", "value")):
        with pytest.raises(DatabaseDamaged, match=KEY_NAME):
            work()
    assert not (tmp_path / KEY_NAME).exists()


def test_a_file_of_agents_that_cannot_be_read_is_put_aside_and_not_written_over(
    tmp_path: Path,
) -> None:
    (tmp_path / "external-agents.json").write_text("[{", encoding="utf-8")
    agent = ExternalAgent(agent_id="one", title="One", command=("true",))
    asyncio.run(agents_in(tmp_path).add(AddAgentParams(agent=agent), CONTEXT))
    assert asyncio.run(agents_in(tmp_path).all()) == (agent,)
    assert (tmp_path / "external-agents.unreadable").read_text("utf-8") == "[{"


def test_who_waits_for_a_file_waits_no_longer_than_it_says(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    with locked_file(file), pytest.raises(DatabaseBusy), locked_file(file, wait_s=0.05):
        raise AssertionError("held twice")
    with locked_file(file, wait_s=0.05):
        pass


def test_a_change_that_fails_writes_nothing_and_lets_go(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    change_file(file, lambda _body: (b"1", None))

    def fail(_body: bytes | None) -> tuple[bytes, None]:
        raise DatabaseDamaged("not this one")

    with pytest.raises(DatabaseDamaged):
        change_file(file, fail)
    assert change_file(file, lambda body: (None, body)) == b"1"


def test_threads_of_one_process_wait_for_each_other_too(tmp_path: Path) -> None:
    file = tmp_path / "count"

    def count(body: bytes | None) -> tuple[bytes, None]:
        return str(int(body or b"0") + 1).encode(), None

    def count_often() -> None:
        for _ in range(50):
            change_file(file, count)

    threads = [threading.Thread(target=count_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT_S)
    assert file.read_bytes() == b"200"


def _names_in(folder: Path) -> list[str]:
    body = read_file(folder / FILE_NAME)
    return [] if body is None else list(json.loads(body)["entries"])


def _wait_for_more_than(count: int, folder: Path) -> None:
    ends_at = time.monotonic() + WAIT_S
    while len(_names_in(folder)) <= count:
        assert time.monotonic() < ends_at
        time.sleep(0.001)
