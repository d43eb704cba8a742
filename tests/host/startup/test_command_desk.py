"""What a running desktop does for commands, and for nobody else: over its real socket, with a real app center (ours)."""

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.opening import look_at_center, open_center
from lime_desktop.host.app_center.review.install_review import Consent
from lime_desktop.host.startup import command_desk
from lime_desktop.host.startup.command_desk import CommandDesk
from lime_desktop.host.startup.later_starts import LaterStarts
from lime_desktop.host.startup.lent_center import lend
from lime_desktop.host.startup.running_desktop import (
    OtherVersionError,
    RunningDesktop,
    running_desktop,
)
from lime_desktop.host.startup.single_instance import be_first_or_hand_over
from lime_desktop.jsonrpc import peer_user
from lime_desktop.protocol.calls.evals import EvalOutcome
from lime_desktop.protocol.errors import (
    AppError,
    AppServerUnavailable,
    Conflict,
    DatabaseBusy,
    InvalidInput,
    ShuttingDown,
)
from tests.host.app_center.packages import make_package

HELD = DatabaseBusy("held")
WAIT_S = 5.0


async def no_server(*_: object, **__: object) -> Any:
    raise AppServerUnavailable("there is none here")


class Desktop:
    """The parts of a running desktop that commands meet."""

    def __init__(self, center: AppCenter) -> None:
        self.center = center
        self.shown: list[str] = []
        self.closed: list[str] = []
        self.asked = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.desk = CommandDesk(self._opened, no_server, self.closed.append)

    async def _opened(self) -> AppCenter:
        self.asked.set()
        await self.may_go_on.wait()
        return self.center


@asynccontextmanager
async def desktop_on(data: Path) -> AsyncGenerator[Desktop]:
    first = be_first_or_hand_over(data, "")
    assert first is not None
    center = await open_center(data, no_server)
    desktop = Desktop(center)
    listening = LaterStarts(first, desktop.shown.append, desktop.desk)
    await listening.hear()
    try:
        yield desktop
    finally:
        listening.close()
        await desktop.desk.finish()
        await listening.end_conversations()
        await center.close()
        first.release()


@asynccontextmanager
async def command_on(data: Path) -> AsyncGenerator[tuple[AppCenter, RunningDesktop]]:
    async with running_desktop(data) as found:
        assert found is not None
        center = await look_at_center(data, found.call, HELD)
        lend(center, found)
        try:
            yield center, found
        finally:
            await center.close()


def package(folder: Path, version: str = "1.0.0") -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    return make_package(folder, version=version)


def agreed(package_hash: str) -> Consent:
    return Consent(package_hash=package_hash, accepts_unverified=True, accepts_source=True)


async def install(center: AppCenter, source: Path) -> None:
    review = await center.review(source)
    await center.install(review, agreed(review.staged.package_hash))


def test_what_a_command_changes_is_so_in_both(tmp_path: Path) -> None:
    async def run() -> None:
        async with desktop_on(tmp_path / "data") as desktop:
            told: list[str] = []
            desktop.center.watch(lambda: told.append("changed"))
            async with command_on(tmp_path / "data") as (center, _):
                await install(center, package(tmp_path / "notes"))
                assert told, "the window hears of it"
                assert desktop.closed == ["notes"]
                assert center.installed() == desktop.center.installed()
                await center.disable("notes")
                found = desktop.center.installed_app("notes")
                assert found is not None
                assert not found.is_enabled
                assert center.installed_app("notes") == found
            assert desktop.shown == []
            assert [*(tmp_path / "data/host/staging").glob("*")] == []

    asyncio.run(run())


def test_what_came_of_evals_that_a_command_ran_is_kept_by_the_desktop(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            desktop_on(tmp_path / "data") as desktop,
            command_on(tmp_path / "data") as (center, _),
        ):
            await install(center, package(tmp_path / "notes"))
            app = center.installed_app("notes")
            assert app is not None
            outcome = EvalOutcome(eval_key="tone", at_ms=1, threshold=0.8, cases=2, score=0.9)
            await center.eval_outcomes.keep("notes", app.package_hash, (outcome,))
            assert desktop.center.eval_outcomes.of(app) == {"tone": outcome}
            assert center.eval_outcomes.of(app) == {"tone": outcome}
            with pytest.raises(Conflict):
                await center.eval_outcomes.keep("notes", "sha256:other", (outcome,))

    asyncio.run(run())


def test_a_package_that_changed_since_it_was_read_is_not_installed(tmp_path: Path) -> None:
    """A person agreed to what they read, and to nothing that came in its place."""

    async def run() -> None:
        async with (
            desktop_on(tmp_path / "data") as desktop,
            command_on(tmp_path / "data") as (center, _),
        ):
            review = await center.review(package(tmp_path / "notes"))
            package(tmp_path / "notes", "6.6.6")
            with pytest.raises(Conflict):
                await center.install(review, agreed(review.staged.package_hash))
            assert desktop.center.installed() == ()

    asyncio.run(run())


def test_an_app_that_changed_since_it_was_reviewed_is_not_replaced(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            desktop_on(tmp_path / "data") as desktop,
            command_on(tmp_path / "data") as (center, _),
        ):
            review = await center.review(package(tmp_path / "new", "2.0.0"))
            await install(desktop.center, package(tmp_path / "old"))
            with pytest.raises(Conflict):
                await center.install(review, agreed(review.staged.package_hash))
            assert [each.version for each in desktop.center.installed()] == ["1.0.0"]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("close", {}),
        ("_parts.store.keep_only", {"hashes": []}),
        ("permissions.keep_approval", {"approval": {}}),
        ("enable", {"app_id": "notes", "more": 1}),
        ("enable", {}),
        ("uninstall", {"app_id": "notes", "kind": "everything"}),
        ("change_setting", {"app_id": "notes", "layer": "organisation", "key": "a", "value": 1}),
    ],
)
def test_only_what_commands_do_can_be_asked_for(
    tmp_path: Path, name: str, arguments: Mapping[str, Any]
) -> None:
    async def run() -> None:
        async with (
            desktop_on(tmp_path / "data"),
            command_on(tmp_path / "data") as (_, desktop),
        ):
            with pytest.raises(AppError) as refused:
                await desktop.change(name, arguments)
            assert isinstance(refused.value, InvalidInput)

    asyncio.run(run())


def test_the_app_server_is_asked_for_nothing_but_what_commands_read(tmp_path: Path) -> None:
    async def run() -> None:
        async with desktop_on(tmp_path / "data"):
            answers = await _said(
                tmp_path / "data", b'{"call": "secrets/read", "arguments": {}}', b"{", b"[]"
            )
            assert [each["error"]["code"] for each in answers] == [
                "APP_E006",
                "APP_E015",
                "APP_E015",
            ]

    asyncio.run(run())


async def _said(data: Path, *lines: bytes) -> list[dict[str, Any]]:
    address, word = (data / "desktop.address").read_text("utf-8").splitlines()[:2]
    reader, writer = await asyncio.open_unix_connection(address)
    writer.write(f"{word}\0{command_desk.HELLO}\0".encode() + b"".join(b"%b\n" % e for e in lines))
    found = [await asyncio.wait_for(reader.readline(), WAIT_S) for _ in range(1 + len(lines))]
    writer.close()
    await writer.wait_closed()
    return [json.loads(each) for each in found[1:]]


def _somebody(_connected: object) -> int:
    return 4_242


def test_another_user_and_one_without_the_word_are_not_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        data = tmp_path / "data"
        async with desktop_on(data) as desktop:
            with monkeypatch.context() as patched:
                patched.setattr(peer_user, "peer_user", _somebody)
                async with running_desktop(data) as found:
                    assert found is None
            address = (data / "desktop.address").read_text("utf-8").splitlines()[0]
            reader, writer = await asyncio.open_unix_connection(address)
            writer.write(f"guess\0{command_desk.HELLO}\0".encode())
            assert await asyncio.wait_for(reader.read(), WAIT_S) == b""
            writer.close()
            await writer.wait_closed()
            assert desktop.shown == []

    asyncio.run(run())


def test_a_desktop_of_another_version_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with desktop_on(tmp_path / "data"):
            monkeypatch.setattr(command_desk, "__version__", "0.0.1")
            with pytest.raises(OtherVersionError):
                async with running_desktop(tmp_path / "data"):
                    pass

    asyncio.run(run())


def test_a_change_goes_on_where_its_command_was_killed(tmp_path: Path) -> None:
    async def run() -> None:
        data = tmp_path / "data"
        async with desktop_on(data) as desktop:
            await install(desktop.center, package(tmp_path / "notes"))
            desktop.may_go_on.clear()
            async with running_desktop(data) as found:
                assert found is not None
                asking = asyncio.create_task(found.change("disable", {"app_id": "notes"}))
                await desktop.asked.wait()
                asking.cancel()
            desktop.may_go_on.set()
            await desktop.desk.finish()
            app = desktop.center.installed_app("notes")
            assert app is not None
            assert not app.is_enabled

    asyncio.run(run())


def test_who_asks_a_desktop_that_is_being_closed_is_told_so(tmp_path: Path) -> None:
    async def run() -> None:
        data = tmp_path / "data"
        async with desktop_on(data) as desktop, command_on(data) as (_, found):
            await desktop.desk.finish()
            with pytest.raises(ShuttingDown):
                await found.change("settle", {})

    asyncio.run(run())


def test_a_path_is_meant_from_where_the_command_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        (tmp_path / "project").mkdir()
        async with (
            desktop_on(tmp_path / "data") as desktop,
            command_on(tmp_path / "data") as (center, found),
        ):
            monkeypatch.chdir(tmp_path)
            asked: list[object] = []
            change = found.change

            async def listen(name: str, arguments: Mapping[str, Any]) -> Any:
                asked.append(arguments)
                return await change(name, arguments)

            monkeypatch.setattr(found, "change", listen)
            await center.workspaces.open(Path("project"))
            assert asked == [{"folder": str(tmp_path / "project")}]
            current = desktop.center.workspaces.current
            assert current is not None
            assert center.workspaces.current == current

    asyncio.run(run())
