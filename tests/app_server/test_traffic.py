"""What leaves this machine by an app's agents is counted, and what stays is not (ours: Settings promises to tell)."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.tools.mcp.counting import ServerTraffic
from lime_desktop.app_server.traffic import AppTraffic, Traffic, open_traffic, place_of
from lime_desktop.protocol.calls.agent_tasks import (
    READ_AGENT_TRAFFIC,
    PlaceTraffic,
    ReadAgentTrafficParams,
    ReadAgentTrafficResult,
)
from lime_desktop.protocol.calls.app_data import (
    DESCRIBE_APP_DATA,
    REMOVE_APP_DATA,
    DescribeAppDataParams,
    RemoveAppDataParams,
)
from lime_desktop.protocol.calls.mcp_servers import McpServerSettings
from lime_desktop.protocol.ids import AppId, TraceId
from tests.app_server.execution.acp.runs import open_agent
from tests.app_server.execution.model_runtime import only, open_model_runtime, say
from tests.app_server.model_server import ModelServer, text
from tests.app_server.twin import server_twin

NOTHING = ReadAgentTrafficResult(places=(), programs=())
ELSEWHERE = "models.internal"
APP = "app_1"
"""Whose sessions the runtime of the tests opens."""


async def told(traffic: AppTraffic, app_id: str) -> ReadAgentTrafficResult:
    return await traffic.read(
        ReadAgentTrafficParams(app_id=AppId(app_id)), CallContext(TraceId("t"))
    )


def counted(folder: Path, scene: Callable[[AppTraffic], Awaitable[None]]) -> None:
    async def whole() -> None:
        traffic = open_traffic(folder)
        try:
            await scene(traffic)
        finally:
            traffic.close()

    asyncio.run(whole())


def test_what_is_sent_to_a_model_elsewhere_is_counted_for_its_app(tmp_path: Path) -> None:
    async def scene(traffic: AppTraffic) -> None:
        with ModelServer([text("ok"), text("In short.")]) as server:
            # The server stands for the proxy on the way, which is asked for the whole address.
            way: dict[str, Any] = {"network": {"proxyUrl": f"http://127.0.0.1:{server.port}"}}
            address = f"http://{ELSEWHERE}/v1"
            async with open_model_runtime(
                tmp_path / "data", server, count=traffic.count, base_url=address, **way
            ) as runtime:
                await say(runtime, "a secret of mine " * 100)
                await runtime.engine.summarize("another", ())
        [place] = (await told(traffic, APP)).places
        assert (place.host, place.requests) == (ELSEWHERE, 1)
        assert 1_700 < place.bytes_sent < 10_000
        assert 100 < place.bytes_received < 10_000
        [other] = (await told(traffic, "another")).places
        assert (other.host, other.requests) == (ELSEWHERE, 1)

    counted(tmp_path, scene)


def test_what_stays_here_or_reaches_nobody_has_not_left(tmp_path: Path) -> None:
    async def scene(traffic: AppTraffic) -> None:
        with ModelServer([text("ok")]) as server:
            async with open_model_runtime(
                tmp_path / "near", server, count=traffic.count
            ) as runtime:
                near = await say(runtime)
        # Nobody listens there any more.
        way: dict[str, Any] = {"network": {"proxyUrl": server.url}, "limits": {"maxRetries": 0}}
        async with open_model_runtime(
            tmp_path / "lost", server, count=traffic.count, base_url=f"http://{ELSEWHERE}/v1", **way
        ) as runtime:
            lost = await say(runtime)
        assert only(near, "turn.completed")
        assert only(lost, "turn.failed")
        assert await told(traffic, APP) == NOTHING

    counted(tmp_path, scene)


def test_an_external_agent_is_named_as_what_nobody_counts(tmp_path: Path) -> None:
    async def scene(traffic: AppTraffic) -> None:
        runtime, _ = await open_agent(tmp_path, count=traffic.count)
        try:
            await runtime.session()
            await runtime.run("session_1", "[say hello]", "turn_1")
        finally:
            await runtime.core.close()
        found = await told(traffic, APP)
        assert found == ReadAgentTrafficResult(places=(), programs=("Echo",))

    counted(tmp_path, scene)


def test_a_tool_server_elsewhere_is_counted_by_its_calls_and_one_here_is_named(
    tmp_path: Path,
) -> None:
    far = McpServerSettings(server_id="far", url="https://tools.example/mcp")
    near = McpServerSettings(server_id="near", url="http://127.0.0.1:9/mcp")
    program = McpServerSettings(server_id="own", title="My program", command=("x",))

    async def scene(traffic: AppTraffic) -> None:
        for settings in (far, near, program):
            calls = ServerTraffic(settings, "notes", traffic.count)
            await calls.call({"text": "four"})
            await calls.answer({})
            await calls.result("done")
        place = PlaceTraffic(
            host="tools.example", requests=1, bytes_sent=len('{"text":"four"}{}'), bytes_received=6
        )
        found = await told(traffic, "notes")
        assert found == ReadAgentTrafficResult(places=(place,), programs=("My program",))

    counted(tmp_path, scene)


def test_the_count_outlives_the_process_and_goes_with_the_apps_data(tmp_path: Path) -> None:
    """The standard: an app whose data are deleted leaves nothing."""

    async def count(traffic: AppTraffic) -> None:
        for app_id in ("notes", "mail"):
            await traffic.count(app_id, Traffic("api.example", requests=1, bytes_sent=7))
            await traffic.count(app_id, Traffic("api.example", bytes_received=9))

    async def whole() -> None:
        notes, mail = AppId("notes"), AppId("mail")
        async with server_twin(tmp_path) as server:
            kept = await server(READ_AGENT_TRAFFIC, ReadAgentTrafficParams(app_id=notes))
            assert kept.places == (
                PlaceTraffic(host="api.example", requests=1, bytes_sent=7, bytes_received=9),
            )
            removed = await server(REMOVE_APP_DATA, RemoveAppDataParams(app_id=notes))
            assert [(part.name, part.items) for part in removed.parts] == [("traffic", 1)]
            assert (
                await server(DESCRIBE_APP_DATA, DescribeAppDataParams(app_id=notes))
            ).parts == ()
            assert await server(READ_AGENT_TRAFFIC, ReadAgentTrafficParams(app_id=notes)) == NOTHING
            assert (await server(READ_AGENT_TRAFFIC, ReadAgentTrafficParams(app_id=mail))).places

    counted(tmp_path, count)
    asyncio.run(whole())


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("http://localhost:11434/v1", None),
        ("http://127.3.0.1/v1", None),
        ("http://[::1]:8080", None),
        ("http://models.localhost", None),
        ("http://192.168.1.4:11434/v1", "192.168.1.4"),
        ("https://API.example.com/v1", "api.example.com"),
    ],
)
def test_only_this_very_machine_is_no_place_elsewhere(address: str, place: str | None) -> None:
    assert place_of(address) == place
