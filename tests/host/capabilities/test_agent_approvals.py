"""How an app has its agents ask (`agentRuntime.agentTask.approval`): whether at all, and how far an answer may go."""

import os
from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.models.store import PLACE_VARIABLE
from lime_desktop.protocol.calls.actions import RESPOND_ACTION, RespondActionParams
from lime_desktop.protocol.calls.model_providers import CREATE_PROVIDER, CreateProviderParams
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.ids import ActionId, SessionId
from tests.app_server.apps.packages import write_app
from tests.app_server.bounded import run
from tests.app_server.model_server import Asked, ModelServer, text, tool_calls
from tests.app_server.providers.kept import settings
from tests.host.bridged import Bridged, Scene, bridged
from tests.host.capabilities.test_task_wishes import asked_for
from tests.host.contracts.agent import ended

WANTED = "{lime.agent: '>=0.3.0', lime.tools: '>=0.3.0'}"
MORE = """\
toolRefs: [{{key: fetch, provider: host}}]
permissions: [{{key: web, scope: network, access: read, reason: Reads any page you name.}}]
agentRuntime: {{agentTask: {{toolDiscovery: {{mode: eager}}, approval: {approval}}}}}
"""
FETCH = tool_calls(("c1", "web_fetch", {"url": "http://news.invalid/"}))
CLOSE = "{supportsUpdatedInput: false, supportsDefer: false, rememberScopes: [task]}"
TOO_FAR: tuple[dict[str, Any], ...] = (
    {"decision": "allow_once", "updated_input": {"url": "http://other.invalid/"}},
    {"decision": "defer"},
    {"decision": "allow_for_session"},
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No model but the test's own, and nobody's keyring."""
    monkeypatch.setenv("LIME_DESKTOP_KEYRING", "off")
    monkeypatch.setenv(PLACE_VARIABLE, os.devnull)


async def answered(page: Bridged, task: dict[str, Any], action: ActionId, **answer: Any) -> bool:
    """Give an answer as the window does; whether it was taken."""
    params = RespondActionParams(
        session_id=SessionId(task["sessionId"]),
        action_id=action,
        action_type="tool_confirmation",
        **answer,
    )
    try:
        await page.connection.call(RESPOND_ACTION, params)
    except InvalidInput:
        return False
    return True


def played(folder: Path, approval: str, scene: Scene) -> list[Asked]:
    """What a model is asked whose first wish is a page of the web."""
    package = write_app(folder, capabilities=WANTED, more=MORE.format(approval=approval))

    async def whole(server: ModelServer) -> None:
        async with bridged(folder / "data", package, has_models=True) as page:
            provider = CreateProviderParams(provider_id="p1", settings=settings(server.url))
            await page.connection.call(CREATE_PROVIDER, provider)
            await scene(page)

    with ModelServer([FETCH, text("Nothing.")]) as server:
        run(whole(server))
    return server.asked


@pytest.mark.parametrize("answer", TOO_FAR, ids=["changed", "deferred", "kept"])
@pytest.mark.parametrize(("approval", "is_taken"), [("{}", True), (CLOSE, False)])
def test_an_answer_goes_as_far_as_the_manifest_lets_it(
    tmp_path: Path, approval: str, *, is_taken: bool, answer: dict[str, Any]
) -> None:
    """The standard: `supportsUpdatedInput`, `supportsDefer`, `rememberScopes`."""

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="What is new?")
        action = await asked_for(page, task["taskId"])
        assert await answered(page, task, action, **answer) is is_taken
        await page.value("lime.agent.cancelTask", taskId=task["taskId"])

    played(tmp_path, approval, scene)


def test_an_app_that_has_its_agents_not_ask_has_them_do_without(tmp_path: Path) -> None:
    """The standard: `behavior`."""

    async def scene(page: Bridged) -> None:
        task = await page.value("lime.agent.startTask", prompt="What is new?")
        await ended(page, task["taskId"])

    asked = played(tmp_path, "{behavior: auto-deny}", scene)
    [given] = [each["content"] for each in asked[-1].messages if each["role"] == "tool"]
    assert "do without" in given
