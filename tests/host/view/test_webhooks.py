"""A webhook: off by default, heard on this machine alone, kept in a queue that the app reads and acknowledges (the issue)."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.app_server.tools.webhooks import incoming, queue, receiver, tools
from lime_desktop.protocol.calls.webhooks import (
    LIST_WEBHOOKS,
    SWITCH_WEBHOOK,
    ListWebhooksParams,
    SwitchWebhookParams,
    WebhookStatus,
)
from lime_desktop.protocol.errors import SecretRequired, ToolUnknown
from lime_desktop.protocol.ids import AppId
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, bridged, run
from tests.security.planted import PLANTED, traces_below, traces_in

SECRET = PLANTED["app secret"]
MANIFEST = """\
requires: {capabilities: {lime.tools: '>=0.3.0', lime.connectors: '>=0.3.0', lime.secrets: '>=0.3.0'}}
integrations:
  - key: orders
    provider: Shop
    role: new orders
    adapter: {kind: webhook, headers: [X-Shop-Event, Authorization]}
"""
SIGNED = f"""{MANIFEST}
secrets: [{{key: shop, required: false, use: [{{integration: orders, header: X-Shop-Signature, prefix: 'sha256='}}]}}]
"""
Scene = Callable[[Bridged], Awaitable[None]]


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


def show(tmp_path: Path, scene: Scene, manifest: str = MANIFEST, *scenes: Scene) -> None:
    """Play scenes over one data folder, each with a server of its own."""
    package = write_package(tmp_path, {"APP.md": app_md(manifest)})

    async def whole() -> None:
        for each in (scene, *scenes):
            async with bridged(tmp_path / "data", package) as desk:
                await each(desk)

    run(whole)


async def switch(desk: Bridged, *, is_on: bool, key: str = "orders") -> WebhookStatus:
    asked = SwitchWebhookParams(app_id=AppId("notes"), connector_id=key, is_on=is_on)
    return (await desk.connection.call(SWITCH_WEBHOOK, asked)).webhook


async def status(desk: Bridged) -> WebhookStatus:
    asked = ListWebhooksParams(app_id=AppId("notes"))
    [found] = (await desk.connection.call(LIST_WEBHOOKS, asked)).webhooks
    return found


async def post(url: str, body: bytes = b"{}", head: str = "", method: str = "POST") -> int:
    """Send as a stranger would, and give the status of the answer."""
    place = urlsplit(url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    lines = (
        f"{method} {place.path} HTTP/1.1\r\nHost: hook\r\n{head}Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(lines.encode() + body)
    answer = await asyncio.wait_for(reader.read(), 20)
    writer.close()
    return int(answer.split(b" ")[1])


def signature(body: bytes, key: str = SECRET) -> str:
    made = hmac.new(key.encode(), body, hashlib.sha256).hexdigest()
    return f"X-Shop-Signature: sha256={made}\r\n"


def of(action: str, **given: Any) -> dict[str, Any]:
    return {"key": f"orders/{action}", "input": given}


async def output(desk: Bridged, action: str, **given: Any) -> dict[str, Any]:
    run_of_tool = await desk.value("lime.tools.invoke", **of(action, **given))
    assert run_of_tool["status"] == "succeeded", run_of_tool
    return run_of_tool["output"]


def test_it_is_off_until_a_person_switches_it_on_and_then_has_an_address_nobody_knows(
    tmp_path: Path,
) -> None:
    async def scene(desk: Bridged) -> None:
        [connector] = await desk.value("lime.connectors.list", kind="webhook")
        assert connector["status"] == "requires_host_authorization"
        refused = await desk("lime.connectors.requestAuth", connectorId="orders")
        assert refused["details"]["reasonCode"] == "receiver_off"
        before = await status(desk)
        assert (before.is_on, before.url) == (False, None)
        on = await switch(desk, is_on=True)
        assert on.is_on
        assert on.url
        place = urlsplit(on.url)
        assert place.hostname == "127.0.0.1"
        assert len(place.path.removeprefix(receiver.PATH)) >= 43
        [connector] = await desk.value("lime.connectors.list", kind="webhook")
        assert connector["status"] == "connected"
        assert connector["actions"] == ["list", "take", "acknowledge"]
        assert await post(on.url) == 202
        # Off: nobody listens at all. On again: the old address is nobody's.
        off = await switch(desk, is_on=False)
        assert (off.is_on, off.url, off.queued) == (False, None, 1)
        with pytest.raises(ConnectionError):
            await post(on.url)
        again = await switch(desk, is_on=True)
        assert again.url
        assert await post(on.url) == 404
        assert await post(again.url) == 202
        with pytest.raises(ToolUnknown):
            await switch(desk, is_on=True, key="others")

    show(tmp_path, scene)


def test_a_message_is_kept_told_given_out_until_acknowledged_and_then_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene(desk: Bridged) -> None:
        wish = {"capability": "lime.connectors", "topic": "webhook", "delivery": "push"}
        assert (await desk.send("capability:subscribe", wish))["ok"]
        url = (await switch(desk, is_on=True)).url
        assert url
        head = "X-Shop-Event: paid\r\nX-Other: 1\r\nAuthorization: Bearer s\r\nContent-Type: application/json\r\n"
        assert await post(url, b'{"order": 7}', head) == 202
        heard = (await asyncio.wait_for(desk.pushed.get(), 20))["payload"]
        assert (heard["topic"], heard["eventType"]) == ("webhook", "received")
        assert heard["payload"]["connectorId"] == "orders"
        assert "7" not in json.dumps(heard["payload"].get("body", ""))
        listed = await output(desk, "list")
        assert listed["waiting"] == 1
        assert listed["entries"][0]["id"] == heard["payload"]["entryId"]
        assert "body" not in listed["entries"][0]
        # Taken, it is nobody else's until the lease is over; then it is given out again.
        [taken] = (await output(desk, "take", leaseSeconds=5))["entries"]
        assert taken["body"] == {"order": 7}
        assert taken["headers"] == {"x-shop-event": "paid", "content-type": "application/json"}
        assert (await output(desk, "take"))["entries"] == []
        in_a_while = tools.now_ms() + 6_000
        monkeypatch.setattr(tools, "now_ms", lambda: in_a_while)
        [again] = (await output(desk, "take"))["entries"]
        assert (again["id"], again["attempts"]) == (taken["id"], 1)
        done = await output(desk, "acknowledge", ids=[taken["id"], "hook_none"])
        assert done == {"acknowledged": [taken["id"]], "unknown": ["hook_none"]}
        assert (await output(desk, "list")) == {"waiting": 0, "entries": []}
        assert (await status(desk)).last_received_at == taken["receivedAt"]

    show(tmp_path, scene)


def test_only_what_is_signed_with_the_apps_secret_is_taken_and_the_secret_is_nowhere(
    tmp_path: Path,
) -> None:
    said: list[str] = []

    async def scene(desk: Bridged) -> None:
        # Nobody entered it: a forged message could not be told from a true one.
        with pytest.raises(SecretRequired):
            await switch(desk, is_on=True)
        assert (await status(desk)).lacks_secret
        desk.window.typed = asyncio.get_running_loop().create_future()
        desk.window.typed.set_result(SecretStr(SECRET))
        await desk.value("lime.secrets.requestBinding", key="shop")
        on = await switch(desk, is_on=True)
        assert on.url
        assert on.is_signed
        body = json.dumps({"echo": SECRET}).encode()
        assert await post(on.url, body) == 401
        assert await post(on.url, body, signature(b"another")) == 401
        assert await post(on.url, body, signature(body, "guess")) == 401
        assert await post(on.url, body, signature(body)) == 202
        [taken] = (await output(desk, "take"))["entries"]
        assert taken["body"] == {"echo": "***"}
        assert taken["headers"] == {}
        after = await status(desk)
        assert (after.queued, after.refused) == (1, 3)
        said.append(json.dumps([taken, after.to_wire(), on.to_wire()]))

    show(tmp_path, scene, SIGNED)
    assert traces_in("".join(said).encode()) == set()
    assert traces_below(tmp_path) == {}


@pytest.mark.parametrize(
    ("body", "head", "method", "code"),
    [
        (b"{", "", "POST", 415),
        (b"{}", "", "GET", 405),
        (b"{}", "Transfer-Encoding: chunked\r\n", "POST", 411),
        (b"{}", "Content-Length: 1\r\n", "POST", 411),
        (b" " * (incoming.MOST_BODY_BYTES + 1), "", "POST", 413),
        (b"{}", f"X: {'x' * incoming.MOST_HEAD_BYTES}\r\n", "POST", 431),
        (b"{}", " folded\r\n", "POST", 400),
    ],
)
def test_what_is_not_a_message_is_refused_and_not_kept(
    tmp_path: Path, body: bytes, head: str, method: str, code: int
) -> None:
    async def scene(desk: Bridged) -> None:
        url = (await switch(desk, is_on=True)).url
        assert url
        assert await post(url, body, head, method) == code
        assert (await status(desk)).queued == 0

    show(tmp_path, scene)


def test_a_full_queue_and_too_many_at_once_are_told_to_the_sender_and_nothing_kept_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "MOST_ENTRIES", 2)

    async def scene(desk: Bridged) -> None:
        url = (await switch(desk, is_on=True)).url
        assert url
        codes = [await post(url, f'{{"n": {n}}}'.encode()) for n in range(3)]
        assert codes == [202, 202, 503]
        taken = (await output(desk, "take", limit=5))["entries"]
        assert [each["body"]["n"] for each in taken] == [0, 1]
        await output(desk, "acknowledge", ids=[taken[0]["id"]])
        assert await post(url) == 202
        after = await status(desk)
        assert (after.queued, after.refused) == (2, 1)
        rest = receiver.MOST_PER_MINUTE - 4
        codes = [await post(url) for _ in range(rest)]
        assert set(codes) == {503}
        assert await post(url) == 429

    show(tmp_path, scene)


def test_a_rule_that_forbids_it_wins_over_the_switch(tmp_path: Path) -> None:
    """Deny wins: also over a receiver that was switched on before the rule."""
    url: list[str] = []

    async def scene(desk: Bridged) -> None:
        found = (await switch(desk, is_on=True)).url
        assert found
        url.append(found)
        assert await post(found) == 202

    async def another_version(_: Bridged) -> None:
        assert await post(url[0]) == 404

    show(tmp_path, scene)
    # The app was updated, and its new manifest does not name the capability any more.
    show(tmp_path, another_version, MANIFEST.replace("lime.connectors: '>=0.3.0', ", ""))
