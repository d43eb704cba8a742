"""From a page's message to the host's answer: what the standard demands on this way.

Texts in and texts out of an app that is on the shelf. What only a real page can show is in ``tests/shell``.
"""

import json
from pathlib import Path

import pytest

from lime_desktop.protocol.capability_calls.table import CALLS
from tests.conformance.hosted_app import HostedApp
from tests.conformance.packages import app_md, write_package

CAPABILITIES = sorted({call.capability for call in CALLS})
EVERY_CAPABILITY = f"""runtimeTargets: [local]
requires: {{capabilities: [lime.ui]}}
capabilities: [{", ".join(CAPABILITIES)}]
entries: [{{key: home, kind: page, title: Home, route: /}}]
storage: {{namespace: notes}}
"""
STORING = """requires: {capabilities: [lime.storage]}
entries: [{key: home, kind: page, title: Home, route: /}]
storage: {namespace: notes}
permissions: [{key: keep, scope: storage, access: read-write, reason: To keep notes}]
"""


WITHOUT_A_SERVER = tuple(
    f"lime.{name}."
    for name in (
        *("ui", "capabilities", "events", "cloudSession", "branding", "billing", "appUpdates"),
        *("connectors", "workspace", "settings", "skills", "review"),
    )
)
"""What the desktop process answers by itself."""


@pytest.fixture
def greedy(tmp_path: Path) -> HostedApp:
    """An app that declares every capability there is."""
    return HostedApp(write_package(tmp_path, {"APP.md": app_md(EVERY_CAPABILITY)}))


@pytest.fixture
def storing(tmp_path: Path) -> HostedApp:
    """An app that asks for storage and nothing else."""
    return HostedApp(write_package(tmp_path, {"APP.md": app_md(STORING)}))


@pytest.mark.requirement("APP-21", "APP-25", "APP-28")
def test_every_call_is_answered_or_refused_by_code_and_tells_nothing_of_the_host(
    greedy: HostedApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIME_PROVIDER_KEY", "planted-secret")
    for call in CALLS:
        name = f"{call.capability}.{call.method}"
        answer = greedy.invoke(name)
        assert answer["requestId"] == name
        if answer["type"] == "host:error":
            refusal = answer["payload"]
            assert refusal["stableCode"] != "readiness_blocked", "the app itself may run"
            assert refusal["stableCode"], name
            assert refusal["message"], name
            assert refusal["details"]["appErrorCode"].startswith("APP_E"), name
        else:
            assert name.startswith(WITHOUT_A_SERVER), name
    told = json.dumps(greedy.heard)
    for secret in ("planted-secret", str(tmp_path), str(Path.home()), "Traceback", "sqlite"):
        assert secret not in told


@pytest.mark.requirement("APP-17")
def test_a_declared_permission_is_enforced_at_the_bridge_until_it_is_granted(
    storing: HostedApp,
) -> None:
    refused = storing.invoke("lime.storage.get", {"key": "x"})["payload"]
    storing.registry.grant("notes", "keep")
    granted = storing.invoke("lime.storage.get", {"key": "x"})["payload"]
    storing.registry.revoke("notes", "keep")
    again = storing.invoke("lime.storage.get", {"key": "x"})["payload"]
    codes = [each["stableCode"] for each in (refused, granted, again)]
    # Granted, it gets as far as the App Server, which does not run here.
    assert codes == ["permission_denied", "capability_unavailable", "permission_denied"]


@pytest.mark.requirement("APP-12", "APP-16")
def test_an_app_that_is_not_ready_reaches_no_capability(tmp_path: Path) -> None:
    ended = STORING + "endOfLifeAt: '2020-01-01T00:00:00Z'\n"
    app = HostedApp(write_package(tmp_path, {"APP.md": app_md(ended)}))
    app.registry.grant("notes", "keep")
    refused = app.invoke("lime.storage.get", {"key": "x"})["payload"]
    assert refused["stableCode"] == "readiness_blocked"


@pytest.mark.requirement("APP-13")
def test_an_app_that_needs_what_this_host_lacks_neither_starts_nor_calls(tmp_path: Path) -> None:
    newer = STORING.replace("[lime.storage]", "{lime.storage: ^9.0.0}")
    app = HostedApp(write_package(tmp_path, {"APP.md": app_md(newer)}))
    app.registry.grant("notes", "keep")
    assert not app.registry.apps[0].can_start
    refused = app.invoke("lime.storage.get", {"key": "x"})["payload"]
    assert refused["stableCode"] == "readiness_blocked"


@pytest.mark.requirement("APP-20", "APP-52")
def test_what_a_page_says_of_itself_grants_it_nothing(storing: HostedApp) -> None:
    claims = {"key": "x", "granted": True, "permissions": ["*"], "policy": "allow", "role": "host"}
    claimed = storing.invoke("lime.storage.get", claims)
    plain = storing.invoke("lime.storage.get", {"key": "x"})
    for answer in (claimed, plain):
        # Every answer has a trace of its own; all else is the same.
        del answer["payload"]["traceId"], answer["payload"]["error"]["traceId"]
    assert claimed == plain
    assert claimed["type"] == "host:error"


@pytest.mark.requirement("APP-16", "APP-20", "APP-22")
def test_a_site_that_the_organisation_shut_off_is_not_offered_by_either_way(
    tmp_path: Path,
) -> None:
    package = write_package(tmp_path, {"APP.md": app_md(EVERY_CAPABILITY)})
    shut = "{id: shut, effect: deny, text: Not there., when: {domains: [bad.example]}}"
    app = HostedApp(package, house_rules=shut)
    link = {"url": "https://bad.example/x"}
    for answer in (app.ask("host:openExternal", link), app.invoke("lime.ui.openExternal", link)):
        assert answer["payload"]["details"]["rule"] == "organisation.shut"
    assert app.window.asked == []
    app.ask("host:openExternal", {"url": "https://good.example/x"})
    assert app.window.asked == [("link", "https://good.example/x")]


@pytest.mark.requirement("APP-20")
def test_a_link_is_asked_about_once_whichever_way_it_is_offered(tmp_path: Path) -> None:
    """A bug: by the SDK's call a person was asked in the panel, and then again by the window's own question."""
    app = HostedApp(write_package(tmp_path, {"APP.md": app_md(EVERY_CAPABILITY)}))
    assert app.invoke("lime.ui.openExternal", {"url": "https://good.example/x"})["payload"]["ok"]
    assert app.window.asked == [("link", "https://good.example/x")]
    assert app.desk.queue.open == ()
    ruled = HostedApp(
        write_package(tmp_path / "ruled", {"APP.md": app_md(EVERY_CAPABILITY)}),
        house_rules="{id: ask, effect: ask, text: Watched., when: {domains: [good.example]}}",
    )
    # What somebody else's rule asks is still asked.
    assert not ruled.invoke("lime.ui.openExternal", {"url": "https://good.example/x"})["payload"][
        "ok"
    ]
    assert len(ruled.desk.queue.open) == 1


@pytest.mark.requirement("APP-52", "APP-53")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("lime.tools.invoke", {"key": "shell", "input": {}}),
        ("lime.secrets.getRef", {"key": "token"}),
        ("lime.knowledge.search", {"query": "x", "template": "crm"}),
        ("lime.workflow.start", {"key": "wipe"}),
        ("lime.artifacts.create", {"kind": "deck", "content": {}}),
        ("lime.events.emit", {"topic": "other.app"}),
    ],
)
def test_what_a_capability_leads_to_must_be_declared_too(
    greedy: HostedApp, name: str, arguments: dict[str, object]
) -> None:
    refused = greedy.invoke(name, arguments)["payload"]
    assert refused["details"]["appErrorCode"] == "APP_E005", refused


@pytest.mark.requirement("APP-54")
@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        {"id": 1, "method": "agentSession/start", "params": {"appId": "notes"}},
        {"cmd": "agent_runtime_submit_turn", "args": {}},
    ],
)
def test_the_sidecars_own_messages_lead_nowhere_from_a_page(
    storing: HostedApp, message: dict[str, object]
) -> None:
    storing.session.receive(json.dumps(message))
    assert storing.heard == []
    assert storing.window.asked == []


@pytest.mark.requirement("APP-54")
@pytest.mark.parametrize("method", ["agentSession/start", "startTurn", "__init__", "spawn"])
def test_the_sidecars_methods_are_no_capability(greedy: HostedApp, method: str) -> None:
    refused = greedy.invoke(f"lime.agent.{method}")["payload"]
    assert refused["details"]["appErrorCode"] == "APP_E006"
