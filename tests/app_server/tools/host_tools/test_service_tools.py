"""Files, deliverables and knowledge in an agent's hands: the real services, in the app's own name."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lime_desktop.app_server.knowledge import service as knowledge_service
from lime_desktop.app_server.tools.broker import ToolBroker
from lime_desktop.app_server.tools.host_tools.app_service_tools import app_service_tools
from lime_desktop.app_server.tools.toolset import TurnToolset
from lime_desktop.protocol.ids import JsonObject
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.server.door import Client
from tests.app_server.tools.opened_services import opened_services
from tests.app_server.tools.turns import known_apps, outcome_of, run_call, turn_of

ALL = '{ "lime.files": "*", "lime.artifacts": "*", "lime.knowledge": "*" }'
MORE = """\
agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }
artifactTypes:
  - { key: report }
knowledgeTemplates:
  - { key: handbook, standard: agentknowledge, type: folder, runtimeMode: retrieval }
"""


@asynccontextmanager
async def a_desk(tmp_path: Path) -> AsyncGenerator[tuple[TurnToolset, Client]]:
    """A registered app's tools, and the host beside it."""
    params = registration(write_app(tmp_path, capabilities=ALL, more=MORE))
    apps = await known_apps(params)
    async with opened_services(tmp_path / "data", apps) as opened:
        host = Client(opened.connections)
        await host.introduce()
        broker = ToolBroker(apps, [app_service_tools(opened.app_services.for_agents)])
        yield broker.toolset_for(turn_of()), host


def test_opened_files_are_listed_and_read_by_reference(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader")

    async def scene() -> None:
        async with a_desk(tmp_path) as (toolset, host):
            assert (await outcome_of(toolset, "file_list")).text == "No file is open to the app."
            paths = [str(tmp_path / "letter.txt")]
            await host.call("file/grant", {"appId": "notes", "paths": paths})
            listed = (await outcome_of(toolset, "file_list")).text
            ref = listed.partition(": ")[0]
            assert "letter.txt" in listed
            assert str(tmp_path) not in listed
            assert (await outcome_of(toolset, "file_read", {"ref": ref})).text == "Dear reader"
            part = await outcome_of(toolset, "file_read", {"ref": ref, "length": 4})
            assert part.text.startswith("Dear\n(more: call again with offset 4")
            assert "Dear reader" in (await outcome_of(toolset, "file_parse", {"ref": ref})).text
            unknown = await outcome_of(toolset, "file_read", {"ref": str(tmp_path / "letter.txt")})
            assert unknown.is_error

    run(scene())


def test_deliverables_are_made_in_declared_kinds_only(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_desk(tmp_path) as (toolset, _):
            made = await outcome_of(
                toolset, "artifact_create", {"kind": "report", "title": "R", "content": {"n": 1}}
            )
            assert not made.is_error, made.text
            again = await outcome_of(toolset, "artifact_read", {"artifactId": made.refs[0]})
            assert json.loads(again.text) == {"n": 1}
            assert made.refs[0] in (await outcome_of(toolset, "artifact_list")).text
            forbidden = await outcome_of(
                toolset, "artifact_create", {"kind": "virus", "content": 1}
            )
            assert forbidden.category == "permission_denied"

    run(scene())


@pytest.mark.requirement("APP-35")
def test_each_version_that_an_agent_makes_of_a_deliverable_is_told(tmp_path: Path) -> None:
    """The standard: what work leaves behind is an artifact fact, never only a tool's words."""

    async def scene() -> None:
        async with a_desk(tmp_path) as (toolset, _):
            asked: JsonObject = {"kind": "report", "title": "Spring", "content": {"n": 1}}
            first = await run_call(toolset, "artifact_create", asked)
            told = next(event for event in first.events if event.type == "artifact.changed")
            assert first.outcome is not None
            assert (told.artifact_id, told.tool_call_id) == (first.outcome.refs[0], "call_1")
            assert told.payload == {
                "kind": "report",
                "title": "Spring",
                "versionId": "1",
                "contentRef": first.outcome.refs[1],
                "mediaType": "application/json",
                "status": "created",
            }
            again = await run_call(
                toolset, "artifact_create", {**asked, "artifactId": told.artifact_id}
            )
            other = next(event for event in again.events if event.type == "artifact.changed")
            assert (other.artifact_id, other.payload["versionId"], other.payload["status"]) == (
                told.artifact_id,
                "2",
                "updated",
            )
            refused = await run_call(toolset, "artifact_create", {"kind": "virus", "content": 1})
            assert "artifact.changed" not in refused.types

    run(scene())


def test_knowledge_is_found_with_its_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge_service, "LOOK_S", 60.0)
    (tmp_path / "book").mkdir()
    (tmp_path / "book/leave.md").write_text("# Leave\n\nEveryone has thirty days of holiday.\n")

    async def scene() -> None:
        async with a_desk(tmp_path) as (toolset, host):
            bound = {"appId": "notes", "key": "handbook", "paths": [str(tmp_path / "book")]}
            await host.call("knowledge/bind", bound)
            # A search waits for what is being indexed.
            found = await outcome_of(toolset, "knowledge_search", {"query": "holiday"})
            assert "thirty days" in found.text
            assert found.text.startswith("[1] ")
            assert len(found.refs) == 1
            nothing = await outcome_of(toolset, "knowledge_search", {"query": "submarine"})
            assert nothing.text == "Nothing was found."
            other = await outcome_of(
                toolset, "knowledge_search", {"query": "holiday", "template": "secrets"}
            )
            assert other.category == "permission_denied"

    run(scene())
