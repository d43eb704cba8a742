"""The app center's screens: catalog, review, update, removal, readiness in each state, settings of an app, an organisation."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from pydantic import JsonValue
from PySide6.QtWidgets import QRadioButton

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.progress import Progress, Step
from lime_desktop.host.app_center.records.records import GrantUse, StoredApproval
from lime_desktop.host.app_center.records.removal import UninstallKind
from lime_desktop.host.app_center.review.install_review import Consent
from lime_desktop.protocol.errors import SourceUnverified
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.app_center.flow import CenterFlow
from lime_desktop.shell.app_center.review_page import ReviewPage
from lime_desktop.shell.app_center.uninstall_page import ReceiptPage, UninstallPage
from lime_desktop.shell.app_center.waiting_page import FailedPage, WaitingPage
from tests.shell import screen_packages as packages
from tests.shell.stage import Stage

ShowScreen = Callable[[Stage], Awaitable[None]]
MakePackage = Callable[[Path], Path]

ORGANISATION = """
version: 1
name: Paper Lane Ltd
policy:
  rules:
    - { id: paste, effect: deny, text: Nothing goes to paste sites., when: { domains: [pastebin.com] } }
    - { id: send, effect: ask, text: Somebody looks at every letter before it is sent., when: { sideEffects: [external_publish] } }
    - { id: files, effect: audit, text: Every file that is read is recorded., when: { scopes: [filesystem] } }
apps: { blocked: [games] }
overlays:
  "*": { values: { budget.monthly: 50 }, locks: [budget] }
branding: { productName: Paper Desk, brandName: Paper Lane, accent: "#7a1f5c", supportUrl: "https://help.example.com" }
"""


WORKSPACE = """
version: 1
name: Harbour project
default: ask
rules:
  - { id: paste, effect: deny, text: Nothing of the harbour goes to paste sites., when: { domains: [pastebin.com] } }
  - { id: keep, effect: allow, text: Apps may keep what they need., when: { scopes: [storage] } }
"""
WORKSPACE_SETTINGS = """
version: 1
overlays:
  "*": { budget.perTask: 2 }
  newsletter: { content.brandTone: Plain and short }
"""


async def install(center: AppCenter, package: Path, *granted: str) -> None:
    """Install with a yes to everything that is named."""
    review = await center.review(package)
    consent = Consent(
        package_hash=review.staged.package_hash,
        granted=frozenset(granted),
        accepts_unverified=True,
    )
    await center.install(review, consent)


def _shown_in_flow(stage: Stage, show: Callable[[CenterFlow], None]) -> None:
    flow = stage.window.findChild(CenterFlow)
    assert isinstance(flow, CenterFlow)
    show(flow)
    flow.begun.emit()


async def catalog(stage: Stage) -> None:
    """Apps here and apps on offer."""
    center = await stage.open_center()
    await install(center, packages.write_newsletter(stage.folder / "old"), "keep")
    packages.newer(stage.folder / "offers")
    await center.catalog.add(str(stage.folder / "offers"))
    await center.choose_source("newsletter", str(stage.folder / "offers"))
    await center.catalog.add(str(stage.samples))
    await center.catalog.refresh()
    stage.window.show_home()


def review(make: MakePackage) -> ShowScreen:
    """What a person reads before they install."""

    async def show(stage: Stage) -> None:
        center = await stage.open_center()
        found = await center.review(make(stage.folder / "new"))
        stage.afterwards(center.discard(found))
        page = ReviewPage(
            stage.services.look, found, lambda _: None, lambda: None, lambda _: None, lambda: None
        )
        _shown_in_flow(stage, lambda flow: flow.show_page(page))

    return show


async def update(stage: Stage) -> None:
    """What a person reads before they update."""
    center = await stage.open_center()
    await install(center, packages.write_newsletter(stage.folder / "old"), "keep")
    await review(packages.newer)(stage)


def uninstall(kind: UninstallKind) -> ShowScreen:
    """What would go, for one way of removing."""

    async def show(stage: Stage) -> None:
        center = await stage.open_center()
        await install(center, packages.write_newsletter(stage.folder / "old"), "keep")
        await stage.keep_value("newsletter", "draft", "Dear readers")
        preview = await center.preview_uninstall("newsletter", kind)
        page = UninstallPage(
            stage.services.look.texts,
            stage.services.registry,
            preview,
            lambda _kind: None,
            lambda _kind, _path: None,
            lambda: None,
        )
        _shown_in_flow(stage, lambda flow: flow.show_page(page))
        assert page.findChild(QRadioButton, f"way-{kind}") is not None

    return show


async def receipt(stage: Stage) -> None:
    """What went."""
    center = await stage.open_center()
    await install(center, packages.write_newsletter(stage.folder / "old"), "keep")
    await stage.keep_value("newsletter", "draft", "Dear readers")
    app = stage.services.registry.app("newsletter")
    assert app is not None
    title = app.title(stage.services.look.texts.locale)
    done = await center.uninstall("newsletter", UninstallKind.DELETE_DATA)
    page = ReceiptPage(stage.services.look.texts, done, title, lambda: None)
    _shown_in_flow(stage, lambda flow: flow.show_page(page))


async def waiting(stage: Stage) -> None:
    """While a package is copied."""
    page = WaitingPage(stage.services.look.texts, stage.services.look.texts("review.reading"))
    _shown_in_flow(stage, lambda flow: flow.show_page(page))
    page.show_progress(Progress(Step.COPYING, 42, 100))


async def failed(stage: Stage) -> None:
    """What is said when it did not come to it."""
    error = SourceUnverified(
        "The package differs from the one that the catalog lists", trace_id="t-1"
    )
    _shown_in_flow(
        stage,
        lambda flow: flow.show_page(FailedPage(stage.services.look.texts, error, lambda: None)),
    )


async def manage(stage: Stage) -> None:
    """An installed app with a way back."""
    center = await stage.open_center()
    await install(center, packages.write_newsletter(stage.folder / "old"), "keep")
    await install(center, packages.newer(stage.folder / "new"), "keep")
    stage.window.show_details("newsletter")
    stage.scroll_down()


def readiness(make: MakePackage, *granted: str) -> ShowScreen:
    """An app's page in one state of readiness."""

    async def show(stage: Stage) -> None:
        center = await stage.open_center()
        await install(center, make(stage.folder / "new"), *granted)
        stage.window.show_details("newsletter")

    return show


async def not_valid(stage: Stage) -> None:
    """A package that could not be judged, opened where it lies."""
    stage.services.registry.add([packages.broken(stage.folder / "new")])
    stage.window.show_details("newsletter")


async def switched_off(stage: Stage) -> None:
    """An app that was switched off."""
    await readiness(packages.write_newsletter, "keep")(stage)
    assert stage.services.registry.center is not None
    await stage.services.registry.center.disable("newsletter")


async def grants(stage: Stage) -> None:
    """Standing permissions, a kept yes, and what was done with them."""
    center = await stage.open_center()
    await install(center, packages.newer(stage.folder / "new"), "keep", "sites")
    app_id = AppId("newsletter")
    approval = StoredApproval(
        approval_id="a",
        app_id=app_id,
        subject="lime.files.read",
        answers=("host.files",),
        workspace_id="default",
        action="Read files that you chose",
        given_at_ms=1_790_000_000_000,
    )
    await center.permissions.keep_approval(approval)
    deeds = (("keep", "lime.storage.set", 41), ("sites", "en.wikipedia.org", 1))
    await center.permissions.count_uses(
        GrantUse(
            app_id=app_id, rule_id=rule, action=action, count=count, last_at_ms=1_790_000_000_000
        )
        for rule, action, count in deeds
    )
    while not (app := stage.services.registry.app(app_id)) or not app.granted:
        await stage.settle()
    stage.window.show_settings("grants")


async def overlays(stage: Stage) -> None:
    """Settings of an app: some set by the person, one locked, one without a place."""
    center = await stage.open_center()
    await install(center, packages.newer(stage.folder / "new"), "keep")
    manifest = (await center.package("newsletter")).manifest
    said: dict[str, JsonValue] = {
        "content.brandTone": "friendly and short",
        "network.deny": ["pastebin.com"],
        "budget.monthly": 500,
        "entries.letters.disabled": True,
    }
    await center.overlays.put(manifest, "user", said)
    await join(stage)
    stage.window.show_overlays("newsletter")


async def join(stage: Stage) -> None:
    """Belong to an organisation."""
    center = await stage.open_center()
    file = stage.folder / "organisation.yaml"
    await stage.write(file, ORGANISATION)
    await center.membership.join(str(file))


async def organisation(stage: Stage) -> None:
    """What an organisation says."""
    await join(stage)
    stage.window.show_settings("organisation")


async def no_organisation(stage: Stage) -> None:
    """The way into one."""
    await stage.open_center()
    stage.window.show_settings("organisation")


async def workspace(stage: Stage) -> None:
    """A folder that says what apps may do in it."""
    center = await stage.open_center()
    folder = stage.folder / "Harbour project"
    await stage.write(folder / ".lime/policy.yaml", WORKSPACE)
    await stage.write(folder / ".lime/overlays.yaml", WORKSPACE_SETTINGS)
    await center.workspaces.open(folder)
    stage.window.show_settings("workspace")


async def broken_workspace(stage: Stage) -> None:
    """A folder whose rules cannot be read: nothing is allowed, and the way out is at hand."""
    center = await stage.open_center()
    folder = stage.folder / "Harbour project"
    await stage.write(folder / ".lime/policy.yaml", WORKSPACE + "rulez: []\n")
    await center.workspaces.open(folder)
    stage.window.show_settings("workspace")


async def no_workspace(stage: Stage) -> None:
    """The way into one."""
    await stage.open_center()
    stage.window.show_settings("workspace")


async def sources(stage: Stage) -> None:
    """Where apps are offered."""
    center = await stage.open_center()
    packages.newer(stage.folder / "offers")
    await center.catalog.add(str(stage.folder / "offers"))
    await center.catalog.refresh()
    stage.window.show_settings("sources")


CENTER_SCREENS: dict[str, ShowScreen] = {
    "catalog": catalog,
    "review-low": review(packages.write_newsletter),
    "review-high": review(packages.far_reaching),
    "review-signature-refused": review(packages.falsely_signed),
    "update-diff": update,
    **{f"uninstall-{kind}": uninstall(kind) for kind in UninstallKind},
    "uninstall-receipt": receipt,
    "install-waiting": waiting,
    "install-failed": failed,
    "manage": manage,
    "readiness-ready": readiness(packages.write_newsletter, "keep"),
    "readiness-needs-setup": readiness(packages.needing_setup),
    "readiness-degraded": readiness(packages.with_warnings),
    "readiness-ended": readiness(packages.ended),
    "readiness-unknown": readiness(packages.unjudged),
    "readiness-failed": not_valid,
    "readiness-off": switched_off,
    "settings-grants-full": grants,
    "settings-sources": sources,
    "settings-organisation-none": no_organisation,
    "settings-organisation": organisation,
    "settings-workspace-none": no_workspace,
    "settings-workspace": workspace,
    "settings-workspace-broken": broken_workspace,
    "app-settings": overlays,
}
