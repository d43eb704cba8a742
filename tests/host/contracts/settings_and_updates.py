"""What the app center keeps for an app: its settings in layers, and newer releases of it."""

from dataclasses import replace

from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, install
from tests.host.contracts.contract import Contract, Given, alike

TEMPLATES = """\
policy: {defaultModel: small}
overlayTemplates: [{key: brand, scope: user, schema: overlay/brand.json}, {key: house, scope: tenant}]
"""
BRAND = {
    "overlay/brand.json": '{"properties": {"tone": {"type": "string", "default": "warm"}}}',
}
TONE = "templates.brand.tone"


async def offered(page: Bridged) -> Given:
    """A newer release, in a folder that the person chose as a source."""
    assert page.center is not None
    folder = page.folder / "source"
    newer = "requires: {capabilities: {lime.appUpdates: '>=0.3.0'}}\n"
    text = app_md(newer).replace("version: 1.0.0", "version: 9.0.0")
    write_package(folder, {"APP.md": text})
    await page.center.catalog.add(str(folder))
    await page.center.choose_source("notes", str(folder))
    return {}


async def updated(page: Bridged) -> Given:
    """A release that took the place of an earlier one."""
    await offered(page)
    assert page.center is not None
    await install(page.center, page.folder / "source/notes")
    return {}


async def fetched(page: Bridged) -> Given:
    """The same, and it lies ready."""
    await offered(page)
    assert page.center is not None
    [app] = page.center.installed()
    await page.center.updates.fetch(app, None)
    return {}


_SETTINGS = (
    Contract("lime.settings.get", {"key": TONE}, bad={}, expect=lambda it: it["value"] == "warm"),
    Contract(
        "lime.settings.set",
        {"key": TONE, "value": "cool", "reason": "Asked in the app"},
        bad={"value": 1},
        is_asked_about=True,
        expect=lambda it: (it["value"], it["source"], it["locked"]) == ("cool", "user", False),
    ),
    Contract("lime.settings.list", bad={"namespace": 5}, expect=lambda found: len(found) == 2),
)
_UPDATES = (
    Contract(
        "lime.appUpdates.getSnapshot",
        prepare=fetched,
        expect=lambda told: len(told["availableUpdates"]) == len(told["downloadedUpdates"]) == 1,
    ),
    Contract(
        "lime.appUpdates.check",
        prepare=offered,
        expect=lambda told: told["availableUpdates"][0]["nextVersion"] == "9.0.0",
    ),
    Contract(
        "lime.appUpdates.download",
        {"version": "9.0.0"},
        bad={"version": 9},
        prepare=offered,
        expect=lambda told: told == {"version": "9.0.0", "status": "downloaded"},
    ),
    Contract(
        "lime.appUpdates.apply",
        bad={"version": ""},
        prepare=fetched,
        expect=lambda told: told["status"] == "pending",
    ),
    Contract(
        "lime.appUpdates.rollback",
        prepare=updated,
        expect=lambda told: told == {"version": "1.0.0", "status": "pending"},
    ),
)

CONTRACTS = tuple(
    replace(each, is_installed=True)
    for each in (
        *alike(*_SETTINGS, manifest=TEMPLATES, files=BRAND, needs_server=False),
        *alike(*_UPDATES, needs_server=False),
    )
)
