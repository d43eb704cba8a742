"""lime.storage from the bridge to a real App Server and back (the standard: real or refused, never faked)."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import AppRegistry
from tests.host.requests.test_app_requests import SAMPLE, Page

pytestmark = pytest.mark.system

WAIT_S = 110.0
ORIGIN = provenance_of(AppRegistry("en").add([SAMPLE])[0], "greeting")


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), WAIT_S))


def page_over(server: AppServerSupervisor, **more: Any) -> Page:
    return Page(server.call, **more)


@asynccontextmanager
async def running_server(data: Path) -> AsyncGenerator[AppServerSupervisor]:
    supervisor = AppServerSupervisor(lambda: Sidecar.start(app_server_command(data)))
    running = asyncio.Event()
    supervisor.watch(lambda state: running.set() if isinstance(state, Running) else None)
    supervisor.start()
    await running.wait()
    try:
        yield supervisor
    finally:
        await supervisor.stop()


@pytest.mark.requirement("APP-44")
def test_what_a_page_keeps_is_there_after_a_restart_of_everything(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_server(tmp_path) as server:
            page = page_over(server)
            value = {"text": "你好", "by": None}
            set_ = await page.invoke_and_wait("lime.storage", "set", key="greeting", value=value)
            kept = set_["value"]
            assert (kept["appId"], kept["key"], kept["value"]) == ("hello-lime", "greeting", value)
            assert kept["provenance"] == ORIGIN.to_wire()
            assert kept["updatedAt"].endswith("Z")
        async with running_server(tmp_path) as server:
            page = page_over(server)
            got = await page.invoke_and_wait("lime.storage", "get", key="greeting")
            assert got["value"] == value
            listed = await page.invoke_and_wait("lime.storage", "list")
            assert listed["value"] == [kept]
            for was_stored in (True, False):
                gone = await page.invoke_and_wait("lime.storage", "delete", key="greeting")
                assert gone["value"] is was_stored
            missing = await page.invoke_and_wait("lime.storage", "get", key="greeting")
            trace_id = missing["traceId"]
            assert missing == {"ok": True, "value": None, "result": None, "traceId": trace_id}

    run(scene)


def test_a_list_longer_than_a_page_comes_whole_and_in_order(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_server(tmp_path) as server:
            page = page_over(server)
            for number in range(120):
                await page.invoke_and_wait("lime.storage", "set", key=f"{number:03}", value=number)
            listed = await page.invoke_and_wait("lime.storage", "list")
            assert [entry["value"] for entry in listed["value"]] == list(range(120))

    run(scene)


@pytest.mark.requirement("APP-57")
def test_refusals_of_the_server_reach_the_page_by_their_code(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_server(tmp_path) as server:
            page = page_over(server)
            secret = await page.invoke_and_wait("lime.storage", "set", key="apiKey", value="x")
            large = await page.invoke_and_wait("lime.storage", "set", key="a", value="x " * 300_000)
            codes = [each["details"]["appErrorCode"] for each in (secret, large)]
            assert codes == ["APP_E208", "APP_E201"]

    run(scene)


@pytest.mark.requirement("APP-17")
def test_without_its_permission_a_page_does_not_even_reach_the_server(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_server(tmp_path) as server:
            page = page_over(server, grants=())
            for method, more in {"get": {}, "set": {"value": 1}, "delete": {}}.items():
                refused = page.invoke("lime.storage", method, key="greeting", **more)
                assert refused["stableCode"] == "permission_denied"
            assert not (tmp_path / "apps").exists()

    run(scene)


def test_without_a_server_every_call_fails_and_may_be_repeated(tmp_path: Path) -> None:
    async def scene() -> None:
        stopped = AppServerSupervisor(lambda: Sidecar.start(app_server_command(tmp_path)))
        page = page_over(stopped)
        for method, more in {"get": {}, "set": {"value": 1}, "delete": {}}.items():
            refused = await page.invoke_and_wait("lime.storage", method, key="greeting", **more)
            assert refused["details"]["appErrorCode"] == "APP_E901"
            assert (refused["stableCode"], refused["retryable"]) == ("capability_unavailable", True)

    run(scene)
