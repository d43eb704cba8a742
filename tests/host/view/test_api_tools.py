"""An OpenAPI document in a package becomes tools: judged by method, place and secret, sent through the proxy (the issue)."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.proxy.destination import Verdict
from tests.app_server.tools.carried import CarriedSite, a_site, page
from tests.conformance.packages import answer_of, app_md, write_package
from tests.host.bridged import Bridged, bridged, run
from tests.security.planted import PLANTED, traces_below, traces_in

HOST = "crm.internal"
SECRET = PLANTED["app secret"]
MANIFEST = """\
requires: {capabilities: {lime.tools: '>=0.3.0', lime.connectors: '>=0.3.0', lime.secrets: '>=0.3.0'}}
secrets: [{key: crm, required: false, use: [{integration: crm, header: X-Api-Key}]}]
permissions: [{key: web, scope: network, access: read-write, domains: [crm.internal]}]
integrations:
  - key: crm
    provider: CRM
    role: contacts
    adapter: {kind: api, document: ./crm.json}
operations:
  - {key: addContact, type: write, integration: crm, sideEffect: external_write, approvalRequired: true}
  - {key: dropContact, type: delete, integration: crm, sideEffect: external_delete, approvalRequired: true}
"""
CONTACT = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
BODY = {
    "required": True,
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Contact"}}},
}
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
LIMIT = {"name": "limit", "in": "query", "schema": {"type": "integer", "nullable": True}}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "CRM", "version": "1"},
    "servers": [{"url": f"http://{HOST}/v1"}],
    "paths": {
        "/contacts": {
            "get": {"operationId": "listContacts", "summary": "List", "parameters": [LIMIT]},
            "post": {"operationId": "addContact", "requestBody": BODY},
        },
        "/contacts/{id}": {
            "parameters": [ID],
            "get": {"operationId": "getContact"},
            "put": {"operationId": "changeContact", "requestBody": BODY},
            "delete": {"operationId": "dropContact"},
        },
        "/files": {
            "post": {
                "operationId": "upload",
                "requestBody": {"required": True, "content": {"image/png": {}}},
            }
        },
    },
    "components": {"schemas": {"Contact": CONTACT}},
}
JSON = "application/json"
ANSWERS = {
    "/v1/contacts?limit=2": page(json.dumps([{"name": SECRET}]).encode(), JSON),
    "/v1/contacts": page(b'{"id": 7}', JSON, status="201 Created"),
    "/v1/contacts/a%2Fb%3Fc": page(b"{}", JSON),
    "/v1/contacts/7": page(b"no such contact", "text/plain", status="404 Not Found"),
    "/v1/contacts/8": page(b"", status="302 Found", more="Location: http://elsewhere.test/\r\n"),
}


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


Scene = Callable[[Bridged, CarriedSite], Awaitable[None]]


def show(tmp_path: Path, scene: Scene, manifest: str = MANIFEST, *, is_filled: bool = True) -> None:
    files = {"APP.md": app_md(manifest), "crm.json": json.dumps(DOCUMENT)}
    package = write_package(tmp_path, files)

    async def whole() -> None:
        async with a_site(ANSWERS) as site:
            site.addresses = {HOST: ["127.0.0.1"]}
            async with bridged(tmp_path / "data", package, network=site.agents()) as desk:
                if is_filled:
                    desk.window.typed = asyncio.get_running_loop().create_future()
                    desk.window.typed.set_result(SecretStr(SECRET))
                    await desk.value("lime.secrets.requestBinding", key="crm")
                await scene(desk, site)

    run(whole)


def of(action: str, **given: Any) -> dict[str, Any]:
    return {"connectorId": "crm", "action": action, "input": given}


def test_reading_is_sent_with_the_secret_counted_and_answered(tmp_path: Path) -> None:
    said: list[str] = []

    async def scene(desk: Bridged, site: CarriedSite) -> None:
        [crm] = await desk.value("lime.connectors.list", kind="api")
        assert crm["status"] == "connected"
        assert {"listContacts", "addContact", "dropContact"} <= set(crm["actions"])
        answer = await desk.allowed("lime.connectors.invoke", **of("listContacts", limit=2))
        assert answer["ok"], answer
        assert answer["value"]["output"] == [{"name": "***"}]
        assert f"X-Api-Key: {SECRET}\r\n" in site.heads[0]
        row = await site.carried.get()
        assert (row.app_id, row.host, row.verdict) == ("notes", HOST, Verdict.CARRIED)
        # An argument cannot lead to another path.
        again = {"key": "crm/getContact", "input": {"id": "a/b?c"}}
        assert (await desk.allowed("lime.tools.invoke", **again))["value"]["status"] == "succeeded"
        assert site.asked[-1] == "/v1/contacts/a%2Fb%3Fc"
        said.append(json.dumps(answer))

    show(tmp_path, scene)
    assert traces_in("".join(said).encode()) == set()
    assert traces_below(tmp_path) == {}


def test_changing_is_asked_about_by_what_its_method_does(tmp_path: Path) -> None:
    async def scene(desk: Bridged, site: CarriedSite) -> None:
        added = of("addContact", body={"name": "Ada"})
        assert await desk.code("lime.connectors.invoke", **added) == "APP_E010"
        [question] = desk.approvals.queue.open
        assert question.risk == "high"
        assert question.targets == ("crm", HOST, "crm")
        answer = await desk.allowed("lime.connectors.invoke", **added)
        assert answer["value"]["output"] == {"id": 7}
        assert site.asked == ["/v1/contacts"]
        # Deleting needs a yes to each, whatever was agreed to for the session.
        dropped = of("dropContact", id="7")
        refused = await desk.allowed("lime.connectors.invoke", **dropped)
        assert refused["details"]["appErrorCode"] in {"APP_E023", "APP_E010"}
        assert await desk.code("lime.connectors.invoke", **of("dropContact", id="9")) == "APP_E010"

    show(tmp_path, scene)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (of("addContact", body={"nom": "Ada"}), "APP_E014"),
        (of("addContact"), "APP_E014"),
        (of("listContacts", limit="many"), "APP_E014"),
        (of("listContacts", other=1), "APP_E014"),
        (of("upload"), "APP_E001"),
        (of("nothing"), "APP_E022"),
    ],
)
def test_what_does_not_fit_the_document_is_refused_before_anybody_is_asked(
    tmp_path: Path, wanted: dict[str, Any], code: str
) -> None:
    async def scene(desk: Bridged, site: CarriedSite) -> None:
        assert await desk.code("lime.connectors.invoke", **wanted) == code
        assert desk.approvals.queue.open == ()
        assert site.asked == []

    show(tmp_path, scene)


def test_an_error_and_a_redirect_of_the_system_are_told_and_not_followed(tmp_path: Path) -> None:
    async def scene(desk: Bridged, site: CarriedSite) -> None:
        for contact, status in (("7", "404"), ("8", "302")):
            answer = await desk.allowed("lime.connectors.invoke", **of("getContact", id=contact))
            assert answer["details"].get("reasonCode") == "http_status", answer
            assert status in answer["message"]
        for unfit in (".", ".."):
            answer = await desk.allowed("lime.connectors.invoke", **of("getContact", id=unfit))
            assert not answer["ok"]
        assert len(site.asked) == 2

    show(tmp_path, scene)


def test_what_the_manifest_does_not_declare_is_not_done(tmp_path: Path) -> None:
    """The standard: side effects are declared as operations, and sites as permissions."""

    async def scene(desk: Bridged, site: CarriedSite) -> None:
        added = of("addContact", body={"name": "Ada"})
        assert await desk.code("lime.connectors.invoke", **added) == "APP_E005"
        assert site.asked == []

    show(tmp_path, scene, MANIFEST.partition("operations:")[0])


def test_a_connection_that_does_not_write_has_no_tool_that_does(tmp_path: Path) -> None:
    async def scene(desk: Bridged, site: CarriedSite) -> None:
        added = of("addContact", body={"name": "Ada"})
        assert await desk.code("lime.connectors.invoke", **added) == "APP_E001"
        assert site.asked == []

    manifest = MANIFEST.partition("operations:")[0]
    show(
        tmp_path,
        scene,
        manifest.replace("role: contacts", "role: contacts\n    access: {write: false}"),
    )


def test_without_its_secret_nothing_is_sent(tmp_path: Path) -> None:
    async def scene(desk: Bridged, site: CarriedSite) -> None:
        [crm] = await desk.value("lime.connectors.list")
        assert crm["status"] == "requires_host_authorization"
        assert await desk.code("lime.connectors.invoke", **of("listContacts")) == "APP_E013"
        assert site.asked == []

    demanding = MANIFEST.replace("required: false", "required: true")
    show(tmp_path, scene, demanding, is_filled=False)


@pytest.mark.parametrize(
    "document",
    [
        "{",
        '{"openapi": "2.0", "paths": {}}',
        '{"openapi": "3.1.0", "paths": {}}',
        json.dumps({**DOCUMENT, "servers": [{"url": "/v1"}]}),
        json.dumps({**DOCUMENT, "servers": [{"url": "https://{tenant}.example.com"}]}),
    ],
)
def test_a_document_that_is_none_is_told_to_its_author(tmp_path: Path, document: str) -> None:
    files = {"APP.md": app_md(MANIFEST), "crm.json": document}
    problems = answer_of("validate", write_package(tmp_path, files))["problems"]
    found = {each["code"] for each in problems}
    assert "API_UNREADABLE" in found
