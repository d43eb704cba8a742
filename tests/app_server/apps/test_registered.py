"""An app that the host did not register gets nothing; a registered one is exactly what the host said."""

from pathlib import Path
from typing import Any

import pytest

from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.assembly import open_services
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.execution.unavailable import UnavailableEngine
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed, Denied
from lime_desktop.policy.facts import Grant
from lime_desktop.protocol.calls.apps import (
    RegisterAppParams,
    RegisteredRule,
    UnregisterAppParams,
)
from lime_desktop.protocol.errors import AppNotInstalled, InvalidInput, PackageInvalid
from lime_desktop.protocol.ids import AppId, TraceId
from tests.app_server.apps.packages import registration, write_app
from tests.app_server.bounded import run
from tests.app_server.server.door import Client
from tests.app_server.server.test_connection import code_of

CONTEXT = CallContext(TraceId("trace"))
SEARCH = '{ "lime.search": "^0.10.0" }'


async def registered(params: RegisterAppParams) -> RegisteredApp:
    apps = RegisteredApps()
    await apps.register(params, CONTEXT)
    return apps.get(params.app_id)


def test_an_unknown_app_gets_nothing() -> None:
    with pytest.raises(AppNotInstalled):
        RegisteredApps().get("notes")


def test_a_registered_app_is_known_until_it_is_taken_back(tmp_path: Path) -> None:
    async def scene() -> None:
        apps = RegisteredApps()
        said = await apps.register(registration(write_app(tmp_path)), CONTEXT)
        assert (said.app_id, said.version) == ("notes", "1.2.3")
        assert apps.get("notes").package.name == "notes"
        await apps.unregister(UnregisterAppParams(app_id=AppId("notes")), CONTEXT)
        with pytest.raises(AppNotInstalled):
            apps.get("notes")

    run(scene())


def test_other_bytes_than_the_host_means_are_refused(tmp_path: Path) -> None:
    package = write_app(tmp_path)
    params = registration(package)
    (package / "extra.txt").write_text("slipped in")
    with pytest.raises(PackageInvalid) as caught:
        run(registered(params))
    assert caught.value.details == {"reasonCode": "hash_mismatch"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"app_id": AppId("other")}, "another_app"),
        ({"package_path": "/nowhere"}, "package_invalid"),
    ],
)
def test_a_package_that_is_not_the_apps_is_refused(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    params = registration(write_app(tmp_path)).model_copy(update=change)
    with pytest.raises(PackageInvalid) as caught:
        run(registered(params))
    assert caught.value.details == {"reasonCode": reason}


def test_a_refused_registration_leaves_what_was_known(tmp_path: Path) -> None:
    async def scene() -> None:
        apps = RegisteredApps()
        params = registration(write_app(tmp_path))
        await apps.register(params, CONTEXT)
        with pytest.raises(PackageInvalid):
            await apps.register(params.model_copy(update={"package_hash": "sha256:0"}), CONTEXT)
        assert apps.get("notes").registration == params

    run(scene())


def test_grants_reach_policy_and_change_without_reading_the_package_again(tmp_path: Path) -> None:
    async def scene() -> None:
        apps = RegisteredApps()
        params = registration(write_app(tmp_path))
        await apps.register(params, CONTEXT)
        before = apps.get("notes").package
        granted = registration(tmp_path / "notes", grants=("model",))
        await apps.register(granted, CONTEXT)
        assert apps.get("notes").package is before
        assert apps.get("notes").policy_facts(5).grants == (Grant(permission="model"),)

    run(scene())


def test_a_rule_of_the_host_refuses_what_the_manifest_declares(tmp_path: Path) -> None:
    """The standard: deny wins."""
    rule = RegisteredRule(
        id="user.no-search",
        layer="user",
        source="Settings",
        text="No searching.",
        when={"capabilities": ("lime.search",)},
    )
    package = write_app(tmp_path, capabilities=SEARCH)
    call = PolicyCall(app_id="notes", capability="lime.search", method="query")
    free = run(registered(registration(package)))
    assert isinstance(decide(call, free.policy_facts(0)), Allowed)
    bound = run(registered(registration(package, rules=(rule,))))
    decision = decide(call, bound.policy_facts(0))
    assert isinstance(decision, Denied)
    assert decision.rule.id == "user.no-search"


@pytest.mark.parametrize("when", [{"moods": ("bad",)}, {"domains": ("not a domain/",)}])
def test_a_rule_that_cannot_be_read_refuses_the_registration(
    tmp_path: Path, when: dict[str, tuple[str, ...]]
) -> None:
    """Ours: a rule that everybody believes in force must be."""
    rule = RegisteredRule(id="r", layer="user", source="s", text="t", when=when)
    with pytest.raises(InvalidInput):
        run(registered(registration(write_app(tmp_path), rules=(rule,))))


def test_an_app_cannot_register_itself(tmp_path: Path) -> None:
    """Ours: else it would grant itself what it likes."""

    async def scene() -> None:
        params = registration(write_app(tmp_path)).to_wire()
        async with open_services(tmp_path / "data", UnavailableEngine()) as services:
            client = Client(services)
            await client.introduce(appId="notes")
            assert code_of(await client.call("app/register", params)) == (-32020, "APP_E002")
            host = Client(services)
            await host.introduce()
            assert "result" in await host.call("app/register", params)

    run(scene())
