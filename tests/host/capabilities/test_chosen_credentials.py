"""`tools.<tool>.credential` decides which of an app's secrets a tool is shown; what is not for it leaves it without any (the standard)."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import SecretStr

from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.cli.main import main
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.setting_rows import setting_rows
from lime_desktop.host.proxy.access import AgentNetwork
from lime_desktop.protocol.calls.apps import REGISTER_APP
from lime_desktop.protocol.errors import InvalidInput
from tests.app_server.tools.carried import CarriedSite, a_site, page
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, bridged, run
from tests.sandboxed import NEEDS_SANDBOX
from tests.security.planted import PLANTED, traces_below, traces_in

HOST = "crm.internal"
TEST, LIVE = PLANTED["app secret"], PLANTED["provider key"]
OTHER = PLANTED["tool server secret"]
MANIFEST = """\
requires: {capabilities: {lime.tools: '>=0.3.0', lime.connectors: '>=0.3.0', lime.secrets: '>=0.3.0', lime.terminal: '>=0.3.0'}}
secrets:
  - {key: crm_test, required: false, use: [{integration: crm, header: X-Api-Key}, {integration: tool, variable: CRM_TOKEN}]}
  - {key: crm_live, required: false, use: [{integration: crm, header: x-api-key}, {integration: tool, variable: CRM_TOKEN}]}
  - {key: billing, required: false, use: [{integration: pay, header: X-Api-Key}]}
permissions: [{key: web, scope: network, access: read-write, domains: [crm.internal]}]
integrations:
  - {key: crm, provider: CRM, role: contacts, adapter: {kind: api, document: ./crm.json}}
  - {key: pay, provider: Pay, role: payments, adapter: {kind: api, document: ./crm.json}}
  - {key: tool, provider: CRM, role: program, adapter: {kind: cli, command: 'sh -c "printf %s \\"$CRM_TOKEN\\" | sha256sum"'}}
  - {key: site, provider: CRM, role: pages, adapter: {kind: browser}}
"""
DOCUMENT = {
    "openapi": "3.1.0",
    "servers": [{"url": f"http://{HOST}"}],
    "paths": {"/me": {"get": {"operationId": "getMe"}}},
}
ME = {"connectorId": "crm", "action": "getMe"}
RUN = {"connectorId": "tool", "action": "run"}


@pytest.fixture(autouse=True)
def no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not fill the keyring of whoever runs them."""
    monkeypatch.setenv(SWITCH, "off")


@dataclass
class Desk:
    """An app whose three slots are filled, and the system that its tools talk to."""

    page: Bridged
    system: CarriedSite
    network: AgentNetwork

    async def set(self, tool: str, slot: str, *, is_stale: bool = False) -> None:
        """Choose a secret as a person does, or find a choice that an earlier version of the app left; the server is told."""
        center, manifest = self.page.center, self.page.app().package.manifest
        assert center is not None
        key, value = f"tools.{tool}.credential", f"secret:{slot}"
        if is_stale:
            await center.overlays.put(manifest, "user", {key: value})
        else:
            await center.overlays.change_value(manifest, "user", key, value)
        told = registration_of(self.page.app(), self.network)
        await self.page.connection.call(REGISTER_APP, told)

    async def fill(self, slot: str, value: str) -> None:
        typed = asyncio.get_running_loop().create_future()
        typed.set_result(SecretStr(value))
        self.page.window.typed = typed
        await self.page.value("lime.secrets.requestBinding", key=slot)


def show(tmp_path: Path, scene: Callable[[Desk], Awaitable[None]]) -> None:
    """Play with the app installed; afterwards no file holds one of its secrets."""
    files = {"APP.md": app_md(MANIFEST), "crm.json": json.dumps(DOCUMENT)}
    package = write_package(tmp_path, files)

    async def whole() -> None:
        async with a_site({"/me": page(b'{"me": "Ada"}', "application/json")}) as system:
            system.addresses = {HOST: ["127.0.0.1"]}
            network, data = system.agents(), tmp_path / "data"
            async with bridged(data, package, is_installed=True, network=network) as desk:
                await scene(Desk(desk, system, network))

    run(whole)
    assert traces_below(tmp_path) == {}


def sent(desk: Desk) -> list[str]:
    """The keys that the system was sent, in order."""
    lines = (line for head in desk.system.heads for line in head.split("\r\n"))
    return [line[11:] for line in lines if line.lower().startswith("x-api-key: ")]


def test_a_system_is_sent_the_secret_that_was_chosen_for_it(tmp_path: Path) -> None:
    async def scene(desk: Desk) -> None:
        for slot, value in (("crm_test", TEST), ("crm_live", LIVE)):
            await desk.fill(slot, value)
        await desk.set("crm", "crm_test")
        answer = await desk.page.allowed("lime.connectors.invoke", **ME)
        assert answer["ok"], answer
        await desk.set("crm", "crm_live")
        again = await desk.page("lime.connectors.invoke", **ME)
        assert again["ok"], again
        assert sent(desk) == [TEST, LIVE]
        assert traces_in(json.dumps([answer, again]).encode()) == set()

    show(tmp_path, scene)


@NEEDS_SANDBOX
def test_a_program_is_shown_the_secret_that_was_chosen_for_it(tmp_path: Path) -> None:
    async def scene(desk: Desk) -> None:
        for slot, value in (("crm_test", TEST), ("crm_live", LIVE)):
            await desk.fill(slot, value)
        await desk.set("tool", "crm_test")
        answer = await desk.page.allowed("lime.connectors.invoke", **RUN)
        digest = hashlib.sha256(TEST.encode()).hexdigest()
        assert answer["value"]["output"].split()[0] == digest

    show(tmp_path, scene)


def test_a_chosen_secret_that_is_empty_leaves_the_tool_uncalled(tmp_path: Path) -> None:
    """Ours: the other one is not sent in its place."""

    async def scene(desk: Desk) -> None:
        await desk.fill("crm_test", TEST)
        await desk.set("crm", "crm_live")
        assert await desk.page.code("lime.connectors.invoke", **ME) == "APP_E013"
        assert desk.system.asked == []

    show(tmp_path, scene)


@pytest.mark.parametrize(
    ("slot", "reason"), [("nobody", "credential_unknown"), ("billing", "credential_unfit")]
)
def test_a_secret_that_is_not_for_the_tool_is_not_sent_and_no_other_either(
    tmp_path: Path, slot: str, reason: str
) -> None:
    """Ours: a file of a workspace must not lead a secret where nobody read that it goes."""

    async def scene(desk: Desk) -> None:
        await desk.fill("crm_test", TEST)
        await desk.fill("billing", OTHER)
        with pytest.raises(InvalidInput, match="It sends: crm_test, crm_live"):
            await desk.set("crm", slot)
        await desk.set("crm", slot, is_stale=True)
        answer = await desk.page("lime.connectors.invoke", **ME)
        assert answer["details"]["reasonCode"] == reason
        [crm] = [
            each
            for each in await desk.page.value("lime.connectors.list")
            if each["connectorId"] == "crm"
        ]
        assert crm["status"] == "requires_host_authorization"
        assert desk.system.asked == []

    show(tmp_path, scene)


def test_the_settings_say_which_secret_each_tool_is_shown(tmp_path: Path) -> None:
    async def scene(desk: Desk) -> None:
        await desk.set("crm", "crm_live")
        await desk.set("site", "crm_live")
        assert desk.page.center is not None
        rows = setting_rows(desk.page.app(), desk.page.center, "en")
        shown = {
            each.names[0]: (each.value, each.source, each.ignored, each.options)
            for each in rows
            if each.shape == "tools.<tool>.credential"
        }
        both = ("secret:crm_test", "secret:crm_live")
        assert shown == {
            "crm": ("secret:crm_live", "user", None, both),
            "pay": ("secret:billing", "app", None, ("secret:billing",)),
            "tool": (None, None, None, both),
            "site": ("secret:crm_live", "user", "credential", ()),
        }

    show(tmp_path, scene)
    asked = ["apps", "overlays", "notes", "--json", "--data-dir", str(tmp_path / "data/host")]
    said = json.loads(CliRunner().invoke(main, asked).stdout)
    assert said["ignored"] == [{"key": "tools.site.credential", "reason": "credential"}]
    assert {"tools.crm.credential", "tools.pay.credential"} <= {
        each["key"] for each in said["settings"]
    }
