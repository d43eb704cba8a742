"""What a workspace's folder says of apps (the standard: workspace policy beside the tenant's, deny wins; overlays workspace first)."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lime_desktop.host.app_center.background_work import PeriodicRefresh
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.workspace_rules import read_workspace
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.protocol.errors import InvalidInput, SettingLocked
from tests.host.app_center.opened import center_of, installed, play
from tests.host.app_center.packages import make_package
from tests.host.bridged import Bridged, served

READ_ONLY = """
version: 1
name: Harbour
rules:
  - { id: read-only, effect: deny, text: Nothing is kept here., when: { methods: [set] } }
"""
PERMISSIVE = """
version: 1
name: Harbour
rules:
  - { id: all, effect: allow, text: Anything goes., when: { capabilities: ["lime.*"] } }
"""
TONE = 'version: 1\noverlays: { "*": { content: { brandTone: plain } }, notes: { budget.perTask: 2 } }\n'
PATIENCE_S = 60


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / ".lime" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return folder


@asynccontextmanager
async def notes_in(folder: Path) -> AsyncGenerator[tuple[AppCenter, AppRegistry]]:
    async with center_of(folder) as center:
        await installed(center, make_package(folder / "1"), "keep")
        registry = AppRegistry("en")
        await registry.follow(center)
        yield center, registry


def notes(registry: AppRegistry) -> RegisteredApp:
    app = registry.app("notes")
    assert app is not None
    return app


def test_a_rule_of_the_workspace_holds_from_opening_to_leaving(tmp_path: Path) -> None:
    """At the bridge and, by the registration, in the App Server."""
    project = write(tmp_path / "project", "policy.yaml", READ_ONLY)

    async def scene() -> None:
        async with (
            notes_in(tmp_path) as (center, registry),
            served(tmp_path / "served", registry) as connection,
        ):
            page = Bridged(lambda: notes(registry), connection)
            await page.value("lime.storage.set", key="a", value=1)
            opened = await center.workspaces.open(project)
            refused = await page("lime.storage.set", key="a", value=2)
            assert refused["details"]["rule"] == "workspace.read-only"
            told = registration_of(notes(registry))
            assert (told.workspace_id, told.rules[0].layer) == (opened.workspace_id, "workspace")
            await center.workspaces.leave()
            await page.value("lime.storage.set", key="a", value=3)
            assert registration_of(notes(registry)).workspace_id is None

    play(scene())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("policy.yaml", "version: 2\nname: A"),
        ("policy.yaml", READ_ONLY + "rulez: []"),
        ("policy.yaml", "a: [b"),
        ("overlays.yaml", "version: 1\noverlays: { notes: { network.dney: [a.example] } }"),
        ("overlays.yaml", "version: 1\noverlays: { notes: { network.offline: perhaps } }"),
        ("overlays.yaml", "version: 1\nlocks: [budget]"),
    ],
)
def test_a_file_with_one_fault_refuses_everything_and_says_where(
    tmp_path: Path, name: str, text: str
) -> None:
    """Ours: what was meant cannot be known, so nothing that it might forbid happens."""
    found = read_workspace(write(tmp_path, name, text))
    assert [(each.file, each.kind) for each in found.problems][:1] == [(f".lime/{name}", "wrong")]
    assert found.problems[0].detail
    [rule] = found.policy.rules
    assert (rule.effect, rule.match.criteria) == ("deny", ())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_what_cannot_be_read_as_a_file_refuses_likewise(tmp_path: Path) -> None:
    (tmp_path / ".lime/policy.yaml").mkdir(parents=True)
    os.mkfifo(tmp_path / ".lime/overlays.yaml")
    found = read_workspace(tmp_path)
    assert {each.kind for each in found.problems} == {"unreadable"}
    (tmp_path / ".lime/policy.yaml").rmdir()
    (tmp_path / ".lime/policy.yaml").write_bytes(b"\xff\xfe")
    assert {each.kind for each in read_workspace(tmp_path).problems} == {"unreadable"}


def test_a_folder_without_files_says_nothing(tmp_path: Path) -> None:
    found = read_workspace(tmp_path)
    assert (found.problems, found.policy.rules, found.values_for("notes")) == ((), (), {})


def test_a_file_that_goes_is_missed_until_a_person_opens_the_folder_again(tmp_path: Path) -> None:
    """Ours: deleting the rules must not be a way around them, not even between two runs."""
    project = write(tmp_path / "project", "policy.yaml", READ_ONLY)

    async def scene() -> None:
        async with center_of(tmp_path) as center:
            await center.workspaces.open(project)
        await asyncio.to_thread((project / ".lime/policy.yaml").unlink)
        async with center_of(tmp_path) as center:
            current = center.workspaces.current
            assert current is not None
            assert [each.kind for each in current.problems] == ["gone"]
            assert current.policy.rules[0].match.criteria == ()
            assert (await center.workspaces.open(project)).problems == ()
            with pytest.raises(InvalidInput):
                await center.workspaces.open(tmp_path / "nowhere")

    play(scene())


def test_a_saved_file_holds_at_once(tmp_path: Path) -> None:
    project = tmp_path / "project"

    async def scene() -> None:
        await asyncio.to_thread(project.mkdir)
        async with notes_in(tmp_path) as (center, registry):
            await center.workspaces.open(project)
            changed = asyncio.Event()
            end = registry.watch(changed.set)
            following = PeriodicRefresh(center.workspaces.reread, 0.01)
            following.start()
            await asyncio.to_thread(write, project, "policy.yaml", READ_ONLY)
            while "workspace.read-only" not in {rule.ref.id for rule in notes(registry).rules}:
                await asyncio.wait_for(changed.wait(), PATIENCE_S)
                changed.clear()
            await following.stop()
            end()
            changed.clear()
            await center.workspaces.leave()
            assert not changed.is_set()

    play(scene())


def test_a_workspace_that_allows_everything_takes_no_question_away(tmp_path: Path) -> None:
    """Ours: the folder may come from a stranger."""
    project = write(tmp_path / "project", "policy.yaml", PERMISSIVE)
    asking = tmp_path / "organisation.yaml"
    asking.write_text("version: 1\nname: A\npolicy: { default: ask }\n")

    async def scene() -> None:
        async with (
            notes_in(tmp_path) as (center, registry),
            served(tmp_path / "served", registry) as connection,
        ):
            page = Bridged(lambda: notes(registry), connection)
            await center.membership.join(str(asking))
            await center.workspaces.open(project)
            asked = await page("lime.storage.set", key="a", value=1)
            assert asked["details"]["pending"] is True

    play(scene())


def test_settings_of_the_file_go_before_the_persons_and_after_what_is_locked(
    tmp_path: Path,
) -> None:
    """The standard: workspace over user over tenant, unless policy locked the key."""
    project = write(tmp_path / "project", "overlays.yaml", TONE)
    office = tmp_path / "organisation.yaml"
    office.write_text(
        'version: 1\nname: A\noverlays: { "*": { values: { budget.perTask: 1 }, locks: [budget] } }\n'
    )

    async def scene() -> None:
        async with notes_in(tmp_path) as (center, registry):
            manifest, overlays = notes(registry).package.manifest, center.overlays
            await overlays.put(manifest, "user", {"content.brandTone": "warm"})
            await overlays.put(manifest, "workspace", {"content.brandTone": "loud"})
            await center.workspaces.open(project)
            await center.membership.join(str(office))
            resolved = notes(registry).governing.overlays
            tone, budget = resolved.values["content.brandTone"], resolved.values["budget.perTask"]
            assert (tone.value, tone.source) == ("plain", "workspace")
            assert (budget.value, budget.source, budget.locked_by) == (1, "tenant", "tenant")
            with pytest.raises(SettingLocked):
                await overlays.change_value(manifest, "workspace", "content.brandTone", "loud")
            await overlays.change_value(manifest, "workspace", "ui.order", ["main"])
            await center.workspaces.leave()
            here = overlays.resolved(manifest)
            assert (here.value("content.brandTone"), here.value("ui.order")) == ("loud", None)

    play(scene())
