"""An agent reads and writes its app's own storage, under the same rules as the app."""

from pathlib import Path

from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.host_tools.service_tool import ServiceTools
from lime_desktop.app_server.tools.host_tools.storage_tools import storage_tools
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.tools.opened_services import opened_services
from tests.app_server.tools.turns import known_apps, outcome_of, turn_of

STORAGE = '{ "lime.storage": "^0.10.0" }'
EAGER = "agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }"
MORE = f"{EAGER}\nstorage: {{ namespace: notes }}"


def test_values_are_kept_listed_read_and_deleted(tmp_path: Path) -> None:
    async def scene() -> None:
        package = write_app(tmp_path, capabilities=STORAGE, more=MORE)
        apps = await known_apps(registration(package))
        async with opened_services(tmp_path / "data", apps) as opened:
            source = ServiceTools(storage_tools(opened.app_services.storage))
            toolset = ToolBroker(apps, [source]).toolset_for(turn_of())
            kept = await outcome_of(toolset, "storage_set", {"key": "a", "value": {"n": [1, None]}})
            assert not kept.is_error
            assert (await outcome_of(toolset, "storage_get", {"key": "a"})).text == '{"n":[1,null]}'
            assert (await outcome_of(toolset, "storage_list")).text == 'a: {"n":[1,null]}'
            assert (await outcome_of(toolset, "storage_delete", {"key": "a"})).text == "Deleted."
            missing = await outcome_of(toolset, "storage_get", {"key": "a"})
            assert missing.text == "Nothing is kept under this key."

    run(scene())


def test_an_agent_writes_only_where_its_app_may(tmp_path: Path) -> None:
    """The standard: storage without a declared namespace is read-only."""

    async def scene() -> None:
        apps = await known_apps(registration(write_app(tmp_path, capabilities=STORAGE, more=EAGER)))
        async with opened_services(tmp_path / "data", apps) as opened:
            source = ServiceTools(storage_tools(opened.app_services.storage))
            toolset = ToolBroker(apps, [source]).toolset_for(turn_of())
            assert [each.tool_name for each in await toolset.offers()] == [
                "storage_get",
                "storage_list",
            ]
            refused = await outcome_of(toolset, "storage_set", {"key": "a", "value": 1})
            assert refused.category == "permission_denied"

    run(scene())


def test_a_value_that_storage_refuses_fails_the_call_by_its_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        package = write_app(tmp_path, capabilities=STORAGE, more=MORE)
        apps = await known_apps(registration(package))
        async with opened_services(tmp_path / "data", apps) as opened:
            source = ServiceTools(storage_tools(opened.app_services.storage))
            toolset = ToolBroker(apps, [source]).toolset_for(turn_of())
            refused = await outcome_of(
                toolset, "storage_set", {"key": "a", "value": {"password": "x"}}
            )
            assert refused.is_error

    run(scene())


def test_a_service_that_is_not_served_gives_no_tool(tmp_path: Path) -> None:
    async def scene() -> None:
        apps = await known_apps(registration(write_app(tmp_path, capabilities=STORAGE, more=EAGER)))
        toolset = ToolBroker(apps, [ServiceTools(())]).toolset_for(turn_of())
        assert await toolset.inventory() == ()

    run(scene())
