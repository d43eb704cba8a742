"""What an organisation says holds for a running app, at the bridge and in the App Server, from one moment to the next.

The standard: tenant policy is combined with everything else before a call runs, deny wins, the rule is named.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps.bundle import domain_grants
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.requests.view_snapshots import policy_facts
from lime_desktop.protocol.ids import TraceId
from tests.host.app_center.opened import center_of, installed
from tests.host.app_center.packages import NOTES, WEATHER, make_package
from tests.host.bridged import Bridged, run, served

NO_WRITING = """
version: 1
name: Example Ltd
policy:
  askFrom: low
  rules:
    - { id: read-only, effect: deny, text: Apps keep nothing here., when: { methods: [set] } }
    - { id: no-weather, effect: deny, text: No weather at work., when: { domains: [api.example.com] } }
  risks:
    - { id: notes, level: high, text: Notes hold secrets., when: { apps: [notes] } }
"""
ASK_FIRST = "version: 1\nname: Example Ltd\npolicy: { default: ask }\n"
ENTRY_OFF = 'version: 1\nname: A\noverlays: { "*": { values: { entries.main.disabled: true } } }\n'


@asynccontextmanager
async def notes_on_shelf(folder: Path) -> AsyncGenerator[tuple[AppCenter, AppRegistry]]:
    """An installed app with everything granted, on a shelf that follows its center."""
    async with center_of(folder) as center:
        package = make_package(folder / "1", permissions=NOTES + WEATHER)
        await installed(center, package, "keep", "weather")
        registry = AppRegistry("en")
        await registry.follow(center)
        yield center, registry


def notes(registry: AppRegistry) -> RegisteredApp:
    app = registry.app("notes")
    assert app is not None
    return app


def said(folder: Path, text: str) -> str:
    file = folder / "organisation.yaml"
    file.write_text(text)
    return str(file)


def test_a_rule_of_the_organisation_holds_from_joining_to_leaving(tmp_path: Path) -> None:
    async def scene() -> None:
        async with (
            notes_on_shelf(tmp_path) as (center, registry),
            served(tmp_path / "served", registry) as connection,
        ):
            page = Bridged(lambda: notes(registry), connection)
            await page.value("lime.storage.set", key="a", value=1)
            await center.membership.join(await asyncio.to_thread(said, tmp_path, NO_WRITING))
            refused = await page("lime.storage.set", key="a", value=2)
            assert refused["code"] == "POLICY_DENIED"
            assert refused["details"]["rule"] == "organisation.read-only"
            assert "Apps keep nothing here." in refused["message"]
            risky = await page("lime.storage.get", key="a")
            assert risky["details"]["pending"] is True
            await center.membership.join(await asyncio.to_thread(said, tmp_path, ASK_FIRST))
            asked = await page("lime.storage.set", key="a", value=3)
            assert asked["details"]["pending"] is True
            await center.membership.leave()
            await page.value("lime.storage.set", key="a", value=4)
            page.bridge.close()

    run(scene)


def test_the_app_server_goes_by_the_same_lines(tmp_path: Path) -> None:
    async def scene() -> None:
        async with notes_on_shelf(tmp_path) as (center, registry):
            for text in (NO_WRITING, ASK_FIRST):
                await center.membership.join(await asyncio.to_thread(said, tmp_path, text))
                apps = RegisteredApps()
                told = await asyncio.to_thread(registration_of, notes(registry))
                await apps.register(told, CallContext(TraceId("trace")))
                here = policy_facts(notes(registry), 1_000)
                assert apps.get("notes").policy_facts(here.now_ms) == here

    run(scene)


def test_a_domain_that_was_shut_off_is_reached_by_no_page(tmp_path: Path) -> None:
    async def scene() -> None:
        async with notes_on_shelf(tmp_path) as (center, registry):
            assert domain_grants(notes(registry)).covers("api.example.com")
            await center.membership.join(await asyncio.to_thread(said, tmp_path, NO_WRITING))
            assert not domain_grants(notes(registry)).covers("api.example.com")
            await center.membership.leave()
            await center.overlays.put(
                notes(registry).package.manifest, "user", {"network.offline": True}
            )
            assert not domain_grants(notes(registry)).covers("api.example.com")

    run(scene)


def test_an_entry_that_was_switched_off_does_not_open_and_an_order_is_kept(tmp_path: Path) -> None:
    async def scene() -> None:
        async with notes_on_shelf(tmp_path) as (center, registry):
            assert notes(registry).can_start
            await center.membership.join(await asyncio.to_thread(said, tmp_path, ENTRY_OFF))
            answer = notes(registry).readiness.entry("main")
            assert answer is not None
            assert not answer.ok

    run(scene)


def test_packages_opened_in_place_are_governed_too(tmp_path: Path) -> None:
    async def scene() -> None:
        async with center_of(tmp_path) as center:
            registry = AppRegistry("en")
            await registry.follow(center)
            registry.add([make_package(tmp_path / "1", permissions="")])
            assert notes(registry).can_start
            blocking = "version: 1\nname: A\napps: { blocked: [notes] }\n"
            await center.membership.join(await asyncio.to_thread(said, tmp_path, blocking))
            assert not notes(registry).can_start

    run(scene)


def test_what_is_set_for_its_agents_reaches_the_server(tmp_path: Path) -> None:
    """The standard: each resolved value with its source; the server runs agents by it."""
    office = (
        'version: 1\nname: A\noverlays: { "*": { values: { model.default: acme/large, budget.monthly: 5 }, '
        "locks: [model] } }\npolicy: { budgets: [{ id: each, window: task, limit: 1, text: One each. }] }\n"
    )

    async def scene() -> None:
        async with notes_on_shelf(tmp_path) as (center, registry):
            manifest = notes(registry).package.manifest
            await center.overlays.put(manifest, "user", {"content.brandTone": "calm"})
            await center.membership.join(await asyncio.to_thread(said, tmp_path, office))
            told = registration_of(notes(registry))
            assert [
                (each.key, each.value, each.source, each.is_locked) for each in told.settings
            ] == [
                ("content.brandTone", "calm", "user", False),
                ("model.default", "acme/large", "tenant", True),
            ]
            budgets = [
                (each.id, each.window, each.limit_usd, each.is_hard) for each in told.budgets
            ]
            assert notes(registry).governing.cost_budget == "5 USD"
            assert budgets == [
                ("organisation.each", "task", 1.0, True),
                ("overlay.budget.monthly", "month", 5.0, True),
            ]

    run(scene)
