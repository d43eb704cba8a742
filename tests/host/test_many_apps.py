"""The start does not grow with what is installed: counted in packages read, apps judged and messages sent (ours)."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps import app_assessment
from lime_desktop.host.apps.reading_journal import ReadingJournal
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry, SetupFacts
from lime_desktop.host.apps.set_aside import SetAsideApps
from lime_desktop.protocol.calls.apps import RegisterAppParams
from lime_desktop.readiness.assess import assess
from tests.host.app_center.many_apps import app_name, install_many
from tests.host.app_center.opened import center_without_server
from tests.host.app_server_client.test_registration import Server

FEW, MANY = 30, 150
WAIT_S = 30.0


@dataclass
class Started:
    """A registry over many installed apps, the server that hears of them, and what was done so far."""

    center: AppCenter
    registry: AppRegistry
    registration: AppRegistration
    server: Server
    done: "Counter[str]"

    async def settled(self) -> None:
        """Wait until the server has heard of the newest change."""
        while (news := self.registration.behind()) is not None:
            await asyncio.wait_for(news, WAIT_S)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> "Counter[str]":
    """Counts the work where it is done; all of it is done as ever."""
    counted: Counter[str] = Counter()
    load, register = AppCenter.load_package, RegisteredApps.register

    def load_counted(center: AppCenter, app_id: str) -> object:
        counted["read"] += 1
        return load(center, app_id)

    def assess_counted(*given: object) -> object:
        counted["judged"] += 1
        return assess(*given)  # pyright: ignore[reportArgumentType] - passed on as it came

    async def register_counted(
        apps: RegisteredApps, params: RegisterAppParams, context: object
    ) -> object:
        counted["told"] += 1
        return await register(apps, params, context)  # pyright: ignore[reportArgumentType] - likewise

    monkeypatch.setattr(AppCenter, "load_package", load_counted)
    monkeypatch.setattr(app_assessment, "assess", assess_counted)
    monkeypatch.setattr(RegisteredApps, "register", register_counted)
    return counted


@asynccontextmanager
async def started(folder: Path, count: int, done: "Counter[str]") -> AsyncGenerator[Started]:
    await install_many(folder / "data", count)
    async with center_without_server(folder) as center:
        aside = SetAsideApps(ReadingJournal(folder / "reading"))
        registry, server = AppRegistry("en", aside=aside), Server()
        registration = AppRegistration(registry)
        done.clear()
        await registry.follow(center)
        await registration.introduce(await server.connect())
        registration.start()
        try:
            yield Started(center, registry, registration, server, done)
        finally:
            await registration.stop()
            await registry.close()


def test_a_start_with_many_apps_does_the_work_of_one_with_few(
    tmp_path: Path, done: "Counter[str]"
) -> None:
    found: list[dict[str, int]] = []

    async def scene(count: int) -> None:
        async with started(tmp_path / str(count), count, done) as all_of_it:
            found.append(dict(done))
            shown = len(all_of_it.registry.apps) + len(all_of_it.registry.unread)
            assert shown == count

    for count in (FEW, MANY):
        asyncio.run(scene(count))
    assert found[0] == found[1]
    assert found[0] == {"read": 20, "judged": 20, "told": 20}


def test_an_app_that_was_left_is_read_judged_and_told_when_it_is_asked_for(
    tmp_path: Path, done: "Counter[str]"
) -> None:
    async def scene() -> None:
        async with started(tmp_path, MANY, done) as all_of_it:
            done.clear()
            last = all_of_it.registry.app(app_name(MANY - 1))
            assert last is not None
            assert last.granted == {"keep"}
            # Whoever asked may call at once: the call waits until the server knows the app.
            news = all_of_it.registration.behind()
            assert news is not None
            await asyncio.wait_for(news, WAIT_S)
            assert all_of_it.server.apps.get(last.app_id)
            assert done == {"read": 1, "judged": 1, "told": 1}
            assert last.app_id not in {each.app_id for each in all_of_it.registry.unread}

    asyncio.run(scene())


def test_a_change_to_one_app_judges_and_tells_that_one(
    tmp_path: Path, done: "Counter[str]"
) -> None:
    async def scene() -> None:
        async with started(tmp_path, MANY, done) as all_of_it:
            done.clear()
            await all_of_it.center.permissions.revoke(app_name(3), "keep")
            await all_of_it.settled()
            changed = all_of_it.registry.app(app_name(3))
            assert changed is not None
            assert changed.granted == frozenset()
            assert all_of_it.server.apps.get(app_name(3)).registration.grants == ()
            assert done == {"judged": 1, "told": 1}
            done.clear()
            all_of_it.registry.learn(app_name(4), SetupFacts(storage_quota_bytes=1))
            assert done == {"judged": 1}

    asyncio.run(scene())


def test_what_changes_for_every_app_is_judged_for_every_app_that_was_read(
    tmp_path: Path, done: "Counter[str]"
) -> None:
    async def scene() -> None:
        async with started(tmp_path, FEW, done) as all_of_it:
            done.clear()
            all_of_it.registry.retranslate("zh-CN")
            assert done == {"judged": 20}

    asyncio.run(scene())


def test_what_nobody_asked_for_is_read_in_time_and_not_told(
    tmp_path: Path, done: "Counter[str]"
) -> None:
    async def scene() -> None:
        async with started(tmp_path, FEW, done) as all_of_it:
            done.clear()
            whole = asyncio.Event()
            registry = all_of_it.registry
            registry.watch(lambda: whole.set() if not registry.unread else None)
            registry.read_rest(after_s=3_600)
            registry.hurry()
            await asyncio.wait_for(whole.wait(), WAIT_S)
            await all_of_it.settled()
            assert len(registry.apps) == FEW
            assert done == {"read": 10, "judged": 10}
            # Known by now, and told as soon as somebody deals with it.
            assert registry.app(app_name(FEW - 1)) is not None
            await all_of_it.settled()
            assert done == {"read": 10, "judged": 10, "told": 1}

    asyncio.run(scene())


def test_an_app_switched_off_while_it_is_unread_may_not_start(
    tmp_path: Path, done: "Counter[str]"
) -> None:
    async def scene() -> None:
        async with started(tmp_path, FEW, done) as all_of_it:
            unread_id = app_name(FEW - 1)
            await all_of_it.center.disable(unread_id)
            found = all_of_it.registry.app(unread_id)
            assert found is not None
            assert not found.can_start
            assert all_of_it.registry.app("never-installed") is None

    asyncio.run(scene())


def test_each_way_of_reading_leaves_a_note_until_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start, when it is asked for, and in the background: else one that hangs would hang every start."""
    noted: list[bool] = []
    load = AppCenter.load_package

    def load_seen(center: AppCenter, app_id: str) -> object:
        app = center.installed_app(app_id)
        text = (tmp_path / "reading").read_text("ascii")
        noted.append(app is not None and text == f"reading {app.package_hash}\n")
        return load(center, app_id)

    async def scene() -> None:
        async with started(tmp_path, FEW, Counter()) as all_of_it:
            registry = all_of_it.registry
            assert noted == [True] * 20
            assert registry.app(app_name(FEW - 1)) is not None
            assert noted == [True] * 21
            whole = asyncio.Event()
            registry.watch(lambda: whole.set() if not registry.unread else None)
            registry.read_rest(after_s=0)
            registry.hurry()
            await asyncio.wait_for(whole.wait(), WAIT_S)
            assert noted == [True] * FEW
            assert not (tmp_path / "reading").exists()

    monkeypatch.setattr(AppCenter, "load_package", load_seen)
    asyncio.run(scene())
