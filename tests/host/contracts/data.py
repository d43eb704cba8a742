"""What an app keeps and opens: storage, files, knowledge, artifacts, secrets."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from lime_desktop.protocol.calls.files import GRANT_FILES, GrantFilesParams
from lime_desktop.protocol.calls.secrets import BIND_SECRET, BindSecretParams
from lime_desktop.protocol.capability_calls.artifacts import CREATE_ARTIFACT
from lime_desktop.protocol.capability_calls.storage import CHANGE_DATA
from lime_desktop.protocol.ids import AppId
from tests.app_server.for_apps import ask
from tests.app_server.knowledge.indexed import bind_and_index
from tests.host.bridged import Bridged
from tests.host.contracts.contract import Contract, Given, Prepare, alike

APP = AppId("notes")
TEXT = "# Limes\n\nLimes are green.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"

_STORAGE = "storage: {namespace: notes, schema: storage/schema.json}\n"
_SCHEMA = {"storage/schema.json": json.dumps({"namespace": "notes", "tables": [{"name": "note"}]})}
_ROW = {"table": "note", "id": "a"}


def chooses(*paths: Path | str) -> Prepare:
    """The person will choose this."""

    async def prepare(page: Bridged) -> Given:
        page.window.choice = asyncio.get_running_loop().create_future()
        page.window.choice.set_result(tuple(map(Path, paths)))
        return {}

    return prepare


def _written(folder: str = "") -> Path:
    # A file that every machine has: this one.
    return Path(__file__).parent / folder


async def kept_row(page: Bridged) -> Given:
    """A row, written past the bridge: the app may not have declared lime.storage."""
    row = {"op": "upsert", "table": "note", "row": {"id": "a", "text": "A lime"}}
    operations = [row, {"op": "set", "key": "k", "value": None}]
    await ask(page.connection.call, APP, CHANGE_DATA, operations=operations)
    return {}


def opened(name: str = "limes.md", body: str = TEXT, argument: str = "ref") -> Prepare:
    """A file that a person opened to the app."""

    async def prepare(page: Bridged) -> Given:
        path = page.folder / name
        await asyncio.to_thread(path.write_text, body, "utf-8")
        params = GrantFilesParams(app_id=APP, paths=(str(path),), is_persistent=True)
        return {argument: (await page.connection.call(GRANT_FILES, params)).files[0].ref}

    return prepare


async def _opened_folder(page: Bridged) -> Given:
    await opened()(page)
    params = GrantFilesParams(app_id=APP, paths=(str(page.folder),))
    return {"ref": (await page.connection.call(GRANT_FILES, params)).files[0].ref}


async def bound(page: Bridged) -> Given:
    """Knowledge that a person bound."""
    await opened()(page)
    await bind_and_index(page.connection.call, APP, "handbook", page.folder / "limes.md")
    return {}


async def made(page: Bridged) -> Given:
    """A deliverable."""
    made = await ask(
        page.connection.call, APP, CREATE_ARTIFACT, kind="report", title="Q1", content="Hi"
    )
    return {"artifactId": made.id}


async def _filled(page: Bridged) -> Given:
    await page.connection.call(BIND_SECRET, BindSecretParams(app_id=APP, slot="crm", value="x y"))
    return {}


async def _types(page: Bridged) -> Given:
    page.window.typed = asyncio.get_running_loop().create_future()
    page.window.typed.set_result(SecretStr("x y"))
    return {}


KNOWLEDGE = "knowledgeTemplates: [{key: handbook, standard: agentknowledge, type: handbook}]\n"
ARTIFACTS = "artifactTypes: [{key: report, exporters: [markdown]}]\n"
_SECRETS = "secrets: [{key: crm, provider: crm}]\n"


def _is(expected: object) -> Callable[[Any], bool]:
    return lambda value: value == expected


_STORAGE_CALLS = (
    Contract("lime.storage.get", {"key": "k"}, bad={}, expect=_is(None)),
    Contract(
        "lime.storage.set",
        {"key": "k", "value": 1},
        bad={"key": ""},
        expect=lambda kept: kept["value"] == 1,
    ),
    Contract("lime.storage.list", {}, expect=_is([])),
    Contract("lime.storage.delete", {"key": "k"}, bad={"key": 5}, expect=_is(False)),  # noqa: FBT003 - the value itself
    Contract("lime.storage.tableGet", _ROW, bad={"table": "note"}, prepare=kept_row),
    Contract(
        "lime.storage.tableInsert", {"table": "note", "row": {}}, bad={"table": "note", "row": 1}
    ),
    Contract("lime.storage.tableUpdate", {**_ROW, "changes": {"x": 1}}, bad=_ROW, prepare=kept_row),
    Contract("lime.storage.tableUpsert", {"table": "note", "row": {"id": "b"}}, bad={"row": {}}),
    Contract("lime.storage.tableDelete", _ROW, bad={"id": "a"}, prepare=kept_row, expect=_is(True)),  # noqa: FBT003 - likewise
    Contract(
        "lime.storage.tableQuery",
        {"table": "note", "where": {"text": {"contains": "LIME"}}},
        bad={"table": "note", "where": {"text": {"near": 1}}},
        prepare=kept_row,
        expect=lambda page: len(page["rows"]) == 1,
    ),
    Contract(
        "lime.storage.transaction",
        {"operations": [{"op": "set", "key": "k", "value": 1}]},
        bad={"operations": []},
    ),
    Contract("lime.storage.getUsage", {}, expect=lambda usage: usage["quotaBytes"] > 0),
    Contract("lime.storage.exportData", {}, bad={"format": "xml"}, prepare=kept_row),
    Contract(
        "lime.storage.importData",
        {"ref": "x"},
        bad={},
        prepare=opened(
            "export.json",
            json.dumps({"appId": "notes", "entries": {"a": 1}, "tables": {"note": [{"id": "z"}]}}),
        ),
        expect=_is({"keys": 1, "rows": 1}),
    ),
)
_FILE_CALLS = (
    Contract(
        "lime.files.pick",
        {"accept": [".md"]},
        bad={"accept": 5},
        prepare=chooses(__file__),
        expect=lambda picked: picked["files"][0]["name"] == "data.py",
    ),
    Contract(
        "lime.files.takeDropped",
        {"persist": True},
        bad={"persist": "perhaps"},
        expect=_is({"files": []}),
    ),
    Contract(
        "lime.files.readRef",
        {"ref": "x"},
        bad={"ref": 5},
        prepare=opened(),
        expect=lambda read: read["content"] == TEXT,
    ),
    Contract(
        "lime.files.parse",
        {"ref": "x"},
        bad={"ref": 5},
        prepare=opened(),
        expect=lambda parsed: parsed["sections"][0]["title"] == "Limes",
    ),
    Contract("lime.files.listRefs", prepare=opened(), expect=lambda held: len(held) == 1),
    Contract(
        "lime.files.listFolder",
        {"ref": "x"},
        bad={"ref": "x", "path": ""},
        prepare=_opened_folder,
        expect=lambda found: "limes.md" in [each["path"] for each in found["entries"]],
    ),
    Contract(
        "lime.files.releaseRef",
        {"ref": "x"},
        bad={"ref": 5},
        prepare=opened(),
        expect=_is({"released": True}),
    ),
)
_KNOWLEDGE_CALLS = (
    Contract(
        "lime.knowledge.search",
        {"query": "green limes", "limit": 3},
        bad={"query": ""},
        prepare=bound,
        expect=lambda found: found["records"][0]["title"] == "limes.md",
    ),
    Contract(
        "lime.knowledge.bindStatus",
        {"key": "handbook"},
        bad={},
        prepare=bound,
        expect=lambda status: status["status"] == "bound",
    ),
    Contract(
        "lime.knowledge.bind",
        {"key": "handbook"},
        bad={"key": "handbook", "mode": "magic"},
        prepare=chooses(_written()),
        expect=lambda status: status["status"] in {"indexing", "bound"},
    ),
    Contract(
        "lime.knowledge.unbind",
        {"key": "handbook"},
        bad={},
        prepare=bound,
        expect=_is({"unbound": True}),
    ),
    Contract("lime.knowledge.export", {"key": "handbook"}, bad={"key": 1}, prepare=bound),
)
_ARTIFACT_CALLS = (
    Contract("lime.artifacts.create", {"kind": "report", "content": "Hi"}, bad={"kind": "report"}),
    Contract("lime.artifacts.open", {"artifactId": "x"}, bad={}, prepare=made),
    Contract("lime.artifacts.export", {"artifactId": "x"}, bad={}, prepare=made),
    Contract(
        "lime.artifacts.list",
        {},
        bad={"limit": 0},
        prepare=made,
        expect=lambda made: len(made) == 1,
    ),
)
_SECRET_CALLS = (
    Contract("lime.secrets.getRef", {"key": "crm"}, bad={}, prepare=_filled),
    Contract(
        "lime.secrets.requestBinding",
        {"key": "crm"},
        bad={"key": 5},
        prepare=_types,
        expect=lambda answer: answer["status"] == "bound",
    ),
)

_WORKSPACE_CALLS = (
    Contract(
        "lime.workspace.getPathRef",
        {"purpose": "To keep notes", "path": "data.py"},
        bad={},
        prepare=chooses(_written()),
        expect=lambda place: (place["path"], place["isFolder"]) == ("data.py", False),
    ),
)

CONTRACTS = (
    *_WORKSPACE_CALLS,
    *alike(*_STORAGE_CALLS, manifest=_STORAGE, files=_SCHEMA),
    *_FILE_CALLS,
    *alike(*_KNOWLEDGE_CALLS, manifest=KNOWLEDGE),
    *alike(*_ARTIFACT_CALLS, manifest=ARTIFACTS),
    *alike(*_SECRET_CALLS, manifest=_SECRETS),
)
