"""The server as it is put together serves every method of its protocol."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.scripted import ScriptedEngine
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.app_server.routes import Route, Routes
from lime_desktop.protocol.calls.capabilities import (
    LIST_CAPABILITIES,
    ListCapabilitiesParams,
    ListCapabilitiesResult,
)
from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.errors import DatabaseBusy, EngineUnavailable, InvalidInput
from lime_desktop.protocol.ids import TraceId
from tests.jsonrpc.conversation import run


def test_every_method_has_a_route_or_a_reason(tmp_path: Path) -> None:
    """Ours: adding a row to the protocol fails here until somebody answers it."""

    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()) as services:
            assert services.routes.missing() == []

    run(scene())


def test_a_scripted_engine_is_refused_as_a_product(tmp_path: Path) -> None:
    """The standard: a mock is never production truth."""

    async def scene() -> None:
        with pytest.raises(EngineUnavailable):
            async with open_services(tmp_path, ScriptedEngine({})):
                pass

    run(scene())


def test_a_data_folder_has_one_server_at_a_time(tmp_path: Path) -> None:
    """Ours: and the next one may have it when the first is gone."""

    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine()):
            with pytest.raises(DatabaseBusy):
                async with open_services(tmp_path, UnavailableEngine()):
                    pass
        async with open_services(tmp_path, UnavailableEngine()):
            await asyncio.sleep(0)

    run(scene())


def test_only_what_is_served_is_listed(tmp_path: Path) -> None:
    """The standard: a capability names methods that work here, page by page."""

    async def scene() -> None:
        async with open_services(tmp_path, UnavailableEngine("Nothing is set up.")) as services:
            pages = [await _list(services.routes, ListCapabilitiesParams(limit=3))]
            while cursor := pages[-1].next_cursor:
                params = ListCapabilitiesParams(limit=3, cursor=cursor)
                pages.append(await _list(services.routes, params))
            listed = [each for page in pages for each in page.capabilities]
            own = [each for each in listed if not each.id.startswith("lime.")]
            methods = [name for each in own for name in each.methods]
            assert sorted(methods) == sorted(set(services.routes.served()))
            for_apps = {each.id: each for each in listed if each not in own}
            assert set(for_apps) == {each.name for each in CAPABILITIES}
            assert "lime.storage.get" in for_apps["lime.storage"].methods
            refused = for_apps["lime.automation"]
            assert (refused.methods, bool(refused.unavailable_reason)) == ((), True)
            manifest = pages[0].runtime_capability_manifest
            assert manifest is not None
            tools = next(each for each in manifest.capabilities if each.id == "tools.native")
            assert (tools.status, tools.detail) == ("unsupported", "Nothing is set up.")
            with pytest.raises(InvalidInput):
                await _list(services.routes, ListCapabilitiesParams(cursor="nowhere"))

    run(scene())


async def _list(routes: Routes, params: ListCapabilitiesParams) -> ListCapabilitiesResult:
    route = routes.find(LIST_CAPABILITIES.name)
    assert isinstance(route, Route)
    result = await route.handler(params, CallContext(TraceId("t")))
    assert isinstance(result, ListCapabilitiesResult)
    return result
