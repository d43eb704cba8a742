"""An agent reads and writes its app's own storage, under the same rules as the app."""

from pathlib import Path

from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.host_tools.service_tool import ServiceToolKind, ServiceTools
from lime_desktop.app_server.tools.host_tools.storage_tools import storage_tools
from lime_desktop.protocol.capability_calls.storage_tables import InsertRowParams
from lime_desktop.protocol.ids import JsonObject
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.for_apps import caller
from tests.app_server.tools.opened_services import Opened, opened_services
from tests.app_server.tools.turns import known_apps, outcome_of, turn_of

STORAGE = '{ "lime.storage": "^0.10.0" }'
EAGER = "agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }"
MORE = f"{EAGER}\nstorage: {{ namespace: notes }}"


TABLES = '{"namespace": "notes", "tables": [{"name": "note", "primaryKey": "id"}]}'
TABLED = f"{EAGER}\nstorage: {{ namespace: notes, schema: storage/schema.json }}"


def _tools(opened: Opened) -> tuple[ServiceToolKind, ...]:
    return storage_tools(opened.app_services.storage, opened.app_services.tables)


def test_values_are_kept_listed_read_and_deleted(tmp_path: Path) -> None:
    async def scene() -> None:
        package = write_app(tmp_path, capabilities=STORAGE, more=MORE)
        apps = await known_apps(registration(package))
        async with opened_services(tmp_path / "data", apps) as opened:
            source = ServiceTools(_tools(opened))
            toolset = ToolBroker(apps, [source]).toolset_for(turn_of())
            kept = await outcome_of(toolset, "storage_set", {"key": "a", "value": {"n": [1, None]}})
            assert not kept.is_error
            assert (await outcome_of(toolset, "storage_get", {"key": "a"})).text == '{"n":[1,null]}'
            assert (await outcome_of(toolset, "storage_list")).text == 'a: {"n":[1,null]}'
            assert (await outcome_of(toolset, "storage_delete", {"key": "a"})).text == "Deleted."
            missing = await outcome_of(toolset, "storage_get", {"key": "a"})
            assert missing.text == "Nothing is kept under this key."

    run(scene())


def test_rows_are_found_in_words_and_as_they_are_kept(tmp_path: Path) -> None:
    """Ours: a run of a workflow goes on with rows, which a text cannot give it."""

    async def scene() -> None:
        package = write_app(
            tmp_path, capabilities=STORAGE, more=TABLED, files={"storage/schema.json": TABLES}
        )
        apps = await known_apps(registration(package))
        async with opened_services(tmp_path / "data", apps) as opened:
            toolset = ToolBroker(apps, [ServiceTools(_tools(opened))]).toolset_for(turn_of())
            first, second = {"id": "a", "n": 1}, {"id": "b", "n": 2}
            for row in (first, second):
                params = InsertRowParams.model_validate({"table": "note", "row": row})
                await opened.app_services.tables.insert(params, caller("notes"))
            asked: JsonObject = {"table": "note", "where": {"n": {"gt": 1}}}
            found = await outcome_of(toolset, "storage_query", asked)
            assert found.structured == {"rows": [second], "nextCursor": None}
            page = await outcome_of(toolset, "storage_query", {"table": "note", "limit": 1})
            assert "more: call again with cursor" in page.text
            unknown = await outcome_of(toolset, "storage_query", {"table": "other"})
            assert unknown.is_error

    run(scene())


def test_an_agent_writes_only_where_its_app_may(tmp_path: Path) -> None:
    """The standard: storage without a declared namespace is read-only."""

    async def scene() -> None:
        apps = await known_apps(registration(write_app(tmp_path, capabilities=STORAGE, more=EAGER)))
        async with opened_services(tmp_path / "data", apps) as opened:
            source = ServiceTools(_tools(opened))
            toolset = ToolBroker(apps, [source]).toolset_for(turn_of())
            assert [each.tool_name for each in await toolset.offers()] == [
                "storage_get",
                "storage_list",
                "storage_query",
            ]
            refused = await outcome_of(toolset, "storage_set", {"key": "a", "value": 1})
            assert refused.category == "permission_denied"

    run(scene())


def test_a_value_that_storage_refuses_fails_the_call_by_its_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        package = write_app(tmp_path, capabilities=STORAGE, more=MORE)
        apps = await known_apps(registration(package))
        async with opened_services(tmp_path / "data", apps) as opened:
            source = ServiceTools(_tools(opened))
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
