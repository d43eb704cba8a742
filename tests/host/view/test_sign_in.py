"""A person signs in to a system with their browser; requests carry their token, which is renewed, given back, and seen nowhere."""

import asyncio
import base64
import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.apps.app_access import read_given, take_back
from lime_desktop.protocol.calls.approvals import GivenThing
from tests.app_server.tools.carried import CarriedSite, a_site, page
from tests.conformance.packages import app_md, errors_of, write_package
from tests.host.bridged import Bridged, bridged, run
from tests.security.planted import PLANTED, traces_below, traces_in

HOST = "crm.internal"
ACCESS, REFRESH = PLANTED["tool server secret"], PLANTED["provider key"]
FRESH = PLANTED["declined call"]
JSON = "application/json"
OAUTH = f"{{authorizationUrl: 'https://{HOST}/authorize', tokenUrl: 'http://{HOST}/token', revocationUrl: 'http://{HOST}/revoke', clientId: notes-app, scopes: [read]}}"
MANIFEST = f"""\
requires: {{capabilities: {{lime.connectors: '>=0.3.0'}}}}
permissions: [{{key: web, scope: network, access: read-write, domains: [{HOST}]}}]
integrations:
  - {{key: crm, provider: CRM, role: contacts, adapter: {{kind: api, document: ./crm.json, oauth: {OAUTH}}}}}
"""
DOCUMENT = {
    "openapi": "3.1.0",
    "servers": [{"url": f"http://{HOST}"}],
    "paths": {"/me": {"get": {"operationId": "getMe"}}},
}
ME = {"connectorId": "crm", "action": "getMe"}


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


def carries(head: str, *tokens: str) -> bool:
    return any(f"Authorization: Bearer {each}\r\n" in head for each in tokens)


class System(CarriedSite):
    """A system that gives tokens for the right code, once each."""

    lasts_s = 3_600
    challenge = ""
    refused: frozenset[str] = frozenset()
    """Tokens that it lets nobody in with, whatever it said of how long they last."""
    renews = True
    bodies: list[dict[str, str]]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next(
            (
                int(line[15:])
                for line in head.lower().split("\r\n")
                if line.startswith("content-length:")
            ),
            0,
        )
        body = (await reader.readexactly(length)).decode()
        path = head.split(" ")[1]
        self.asked.append(path)
        self.heads.append(head)
        writer.write(self.answer(path, head, {k: v[0] for k, v in parse_qs(body).items()}))
        await writer.drain()
        writer.close()

    def me(self, head: str) -> bytes:
        """Who was let in, repeating all that was sent."""
        if carries(head, *self.refused):
            return page(json.dumps({"said": head}).encode(), JSON, "401 Unauthorized")
        is_known = carries(head, ACCESS, FRESH)
        return page(json.dumps({"me": "Ada", "said": head}).encode() if is_known else b"{}", JSON)

    def answer(self, path: str, head: str, given: dict[str, str]) -> bytes:
        if path == "/me":
            return self.me(head)
        self.bodies.append(given)
        if path == "/revoke":
            return page(b"", JSON)
        if given["grant_type"] == "refresh_token" and not self.renews:
            return page(b'{"error": "invalid_grant"}', JSON, "400 Bad Request")
        if given["grant_type"] == "refresh_token":
            token = {"access_token": FRESH, "token_type": "Bearer", "expires_in": 3_600}
            return page(json.dumps(token).encode(), JSON)
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        if (
            base64.urlsafe_b64encode(digest).decode().rstrip("=") != self.challenge
            or given["code"] != "good"
        ):
            return page(
                json.dumps({"error": "invalid_grant", "said": given}).encode(),
                JSON,
                "400 Bad Request",
            )
        token = {
            "access_token": ACCESS,
            "token_type": "bearer",
            "refresh_token": REFRESH,
            "expires_in": self.lasts_s,
        }
        return page(json.dumps(token).encode(), JSON)


async def browse(system: System, shown: str, *, state: str | None = None, **answer: str) -> int:
    """What a browser does: be sent to the system, and come back with what it says. Gives the status."""
    given = {name: values[0] for name, values in parse_qs(urlsplit(shown).query).items()}
    assert (given["response_type"], given["client_id"], given["scope"]) == (
        "code",
        "notes-app",
        "read",
    )
    assert given["code_challenge_method"] == "S256"
    system.challenge = given["code_challenge"]
    back = urlsplit(given["redirect_uri"])
    assert back.hostname == "127.0.0.1"
    assert back.port is not None
    reader, writer = await asyncio.open_connection("127.0.0.1", back.port)
    query = urlencode({"state": given["state"] if state is None else state, **answer})
    writer.write(f"GET {back.path}?{query} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    head = await reader.read()
    writer.close()
    return int(head.split(b" ")[1])


async def sign_in(desk: Bridged, system: System, **answer: str) -> str:
    """Ask for it as a page does, have the browser answer, and give how it ended."""
    asking = asyncio.ensure_future(desk.value("lime.connectors.requestAuth", connectorId="crm"))
    url = await desk.window.links.get()
    assert await browse(system, url, state="guessed", code="bad") == 404
    assert await browse(system, url, **answer) == 200
    return (await asking)["status"]


def show(tmp_path: Path, scene: Any, lasts_s: int = 3_600) -> None:
    files = {"APP.md": app_md(MANIFEST), "crm.json": json.dumps(DOCUMENT)}
    package = write_package(tmp_path, files)

    async def whole() -> None:
        async with a_site({}, System) as system:
            assert isinstance(system, System)
            system.bodies, system.lasts_s = [], lasts_s
            system.addresses = {HOST: ["127.0.0.1"]}
            async with bridged(tmp_path / "data", package, network=system.agents()) as desk:
                await scene(desk, system)

    run(whole)
    assert traces_below(tmp_path) == {}


def test_a_person_signs_in_with_their_browser_and_requests_carry_the_token(tmp_path: Path) -> None:
    async def scene(desk: Bridged, system: System) -> None:
        assert (await desk.value("lime.connectors.list"))[0][
            "status"
        ] == "requires_host_authorization"
        assert await desk.code("lime.connectors.invoke", **ME) == "APP_E013"
        assert await sign_in(desk, system, code="good") == "connected"
        assert (await desk.value("lime.connectors.list"))[0]["status"] == "connected"
        again = await desk.value("lime.connectors.requestAuth", connectorId="crm")
        assert again["status"] == "connected"
        answer = await desk.allowed("lime.connectors.invoke", **ME)
        assert answer["value"]["output"]["me"] == "Ada"
        # It repeats all that it was sent: whoever listens sees stars.
        assert "Authorization: ***" in answer["value"]["output"]["said"]
        assert traces_in(json.dumps(answer).encode()) == set()

    show(tmp_path, scene)


def test_a_token_that_ended_is_renewed_and_one_taken_back_is_given_back(tmp_path: Path) -> None:
    async def scene(desk: Bridged, system: System) -> None:
        assert await sign_in(desk, system, code="good") == "connected"
        answer = await desk.allowed("lime.connectors.invoke", **ME)
        assert answer["value"]["output"]["me"] == "Ada"
        assert [each.get("grant_type") for each in system.bodies] == [
            "authorization_code",
            "refresh_token",
        ]
        assert system.bodies[-1]["refresh_token"] == REFRESH
        assert f"Bearer {FRESH}" in system.heads[-1]
        [given] = await read_given(desk.connection.call, "notes")
        assert given == GivenThing(kind="secret", key="oauth/crm")
        await take_back(desk.connection.call, "notes", given)
        assert system.asked[-1] == "/revoke"
        assert system.bodies[-1]["token"] == REFRESH
        assert await desk.code("lime.connectors.invoke", **ME) == "APP_E013"

    show(tmp_path, scene, lasts_s=1)


def test_a_token_that_is_refused_early_is_renewed_and_the_request_sent_once_more(
    tmp_path: Path,
) -> None:
    async def scene(desk: Bridged, system: System) -> None:
        assert await sign_in(desk, system, code="good") == "connected"
        system.refused = frozenset({ACCESS})
        answer = await desk.allowed("lime.connectors.invoke", **ME)
        assert answer["value"]["output"]["me"] == "Ada"
        assert traces_in(json.dumps(answer).encode()) == set()
        assert system.asked[-3:] == ["/me", "/token", "/me"]
        # The new one is kept: the next request begins with it.
        assert (await desk.value("lime.connectors.invoke", **ME))["output"]["me"] == "Ada"
        assert system.asked[-2:] == ["/me", "/me"]

    show(tmp_path, scene)


def test_a_system_that_lets_nobody_in_is_asked_twice_and_no_more(tmp_path: Path) -> None:
    async def scene(desk: Bridged, system: System) -> None:
        assert await sign_in(desk, system, code="good") == "connected"
        system.refused = frozenset({ACCESS, FRESH})
        answer = await desk.allowed("lime.connectors.invoke", **ME)
        assert "status 401" in json.dumps(answer)
        assert traces_in(json.dumps(answer).encode()) == set()
        assert system.asked[-3:] == ["/me", "/token", "/me"]

    show(tmp_path, scene)


def test_a_refused_token_that_cannot_be_renewed_leaves_nobody_signed_in(tmp_path: Path) -> None:
    async def scene(desk: Bridged, system: System) -> None:
        assert await sign_in(desk, system, code="good") == "connected"
        system.refused, system.renews = frozenset({ACCESS}), False
        answer = await desk.allowed("lime.connectors.invoke", **ME)
        assert "has ended. Connect it again" in json.dumps(answer)
        assert system.asked[-2:] == ["/me", "/token"]
        assert await desk.code("lime.connectors.invoke", **ME) == "APP_E013"
        assert await read_given(desk.connection.call, "notes") == ()

    show(tmp_path, scene)


@pytest.mark.parametrize("answer", [{"error": "access_denied"}, {"code": "stolen"}])
def test_a_sign_in_that_was_refused_leaves_nobody_signed_in(
    tmp_path: Path, answer: dict[str, str]
) -> None:
    async def scene(desk: Bridged, system: System) -> None:
        assert await sign_in(desk, system, **answer) == "denied"
        assert await read_given(desk.connection.call, "notes") == ()
        assert await desk.code("lime.connectors.invoke", **ME) == "APP_E013"

    show(tmp_path, scene)


def test_a_sign_in_at_an_address_that_is_not_encrypted_is_refused(tmp_path: Path) -> None:
    plain = MANIFEST.replace(f"http://{HOST}/token", "http://crm.example.com/token")
    files = {"APP.md": app_md(plain), "crm.json": json.dumps(DOCUMENT)}
    assert errors_of(tmp_path, files) == {"SIGN_IN_UNFIT"}
