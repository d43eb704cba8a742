"""When a lifecycle hook runs and what its failure decides (the standard: setup that fails rolls back or disables)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.records.removal import UninstallKind
from lime_desktop.host.apps.hook_runner import HookRunner
from lime_desktop.protocol.errors import LifecycleHookFailed
from tests.app_server.twin import ServerTwin
from tests.host.app_center.opened import consent_to, installed, opened, play
from tests.host.app_center.packages import make_package
from tests.sandboxed import NEEDS_SANDBOX

pytestmark = NEEDS_SANDBOX

HOOKS = """\
capabilities: [lime.terminal]
integrations:
- { key: mark, provider: Marker, role: marking, adapter: { kind: cli, command: touch } }
lifecycle:
  install: { tool: mark, input: { arguments: [install] } }
  upgrade: { tool: mark, input: { arguments: [upgrade] } }
  uninstall: { tool: mark, input: { arguments: [uninstall] } }
"""
ALLOWING = """\
version: 1
name: Example Ltd
policy: { rules: [{ id: marks, effect: allow, text: Marks are fine., when: { tools: [mark] } }] }
"""
BLOCKING = ALLOWING + "apps: { blocked: [notes] }\n"


@asynccontextmanager
async def a_center(
    folder: Path, document: str = ALLOWING
) -> AsyncGenerator[tuple[AppCenter, ServerTwin]]:
    async with opened(folder) as (center, server):
        center.hooks.runner = HookRunner(center, server)
        await join(center, folder, document)
        yield center, server


async def join(center: AppCenter, folder: Path, document: str) -> None:
    file = folder / "organisation.yaml"
    await asyncio.to_thread(file.write_text, document)
    await center.membership.join(str(file))


def package_in(folder: Path, version: str = "1.0.0") -> Path:
    return make_package(folder / version, version=version, permissions="", more=HOOKS)


def marks_in(folder: Path) -> list[str]:
    work = folder / "data/app-server/work/notes"
    found = sorted(work.rglob("*"), key=lambda path: path.stat().st_mtime_ns)
    return [path.name for path in found if path.is_file()]


def notes(center: AppCenter) -> InstalledApp:
    app = center.installed_app("notes")
    assert app is not None
    return app


def test_a_server_that_goes_away_leaves_the_app_off_and_what_is_due_is_run_later(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with a_center(tmp_path) as (center, server):
            server.refuses = {"app/runHook"}
            app = await installed(center, package_in(tmp_path))
            assert (app.is_enabled, app.due_hooks) == (False, ("install",))
            assert app.failed_hook is not None
            with pytest.raises(LifecycleHookFailed):
                await center.enable("notes")
            server.refuses = set()
            await center.enable("notes")
            assert (notes(center).is_enabled, notes(center).due_hooks) == (True, ())

    play(scene())
    assert marks_in(tmp_path) == ["install"]


def test_whoever_is_stopped_before_the_hook_has_run_finds_the_app_off(tmp_path: Path) -> None:
    """Ours: on disk an app is off from the first moment until its hooks have run, so a crash leaves it so."""

    async def scene() -> None:
        async with opened(tmp_path) as (center, _):

            async def stopped(*_: object, **__: object) -> None:
                raise asyncio.CancelledError

            center.hooks.runner = stopped  # pyright: ignore[reportAttributeAccessIssue] - it never answers
            with pytest.raises(asyncio.CancelledError):
                await installed(center, package_in(tmp_path))
        async with opened(tmp_path) as (center, _):
            assert (notes(center).is_enabled, notes(center).due_hooks) == (False, ("install",))

    play(scene())


def test_an_update_of_an_app_that_is_off_runs_nothing_until_it_is_on(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_center(tmp_path) as (center, _):
            await installed(center, package_in(tmp_path))
            await center.disable("notes")
            await installed(center, package_in(tmp_path, "1.1.0"))
            assert marks_in(tmp_path) == ["install"]
            await center.enable("notes")

    play(scene())
    assert marks_in(tmp_path) == ["install", "upgrade"]


def test_an_update_by_itself_asks_nobody_and_is_taken_back(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_center(tmp_path) as (center, _):
            await installed(center, package_in(tmp_path))
            await center.membership.leave()
            review = await center.review(package_in(tmp_path, "1.1.0"))
            with pytest.raises(LifecycleHookFailed) as refused:
                await center.install(review, consent_to(review), is_attended=False)
            assert refused.value.details["reasonCode"] == "nobody_to_ask"
            assert (notes(center).version, notes(center).is_enabled) == ("1.0.0", True)

    play(scene())
    assert marks_in(tmp_path) == ["install"]


def test_an_app_that_the_organisation_blocks_is_removed_without_its_hook(tmp_path: Path) -> None:
    async def scene() -> None:
        async with a_center(tmp_path) as (center, _):
            await installed(center, package_in(tmp_path))
            await join(center, tmp_path, BLOCKING)
            receipt = await center.uninstall("notes", UninstallKind.KEEP_DATA)
            assert receipt.hook is not None
            assert (receipt.hook.is_done, receipt.hook.category) == (False, "permission_denied")
            assert center.installed() == ()

    play(scene())
    assert marks_in(tmp_path) == ["install"]


def test_a_package_that_was_changed_on_disk_runs_nothing_and_can_be_removed(
    tmp_path: Path,
) -> None:
    async def scene() -> None:
        async with a_center(tmp_path) as (center, _):
            await installed(center, package_in(tmp_path))
            manifest = center.package_path("notes") / "APP.md"
            await asyncio.to_thread(_change, manifest)
            receipt = await center.uninstall("notes", UninstallKind.KEEP_DATA)
            assert receipt.hook is None

    play(scene())
    assert marks_in(tmp_path) == ["install"]


def _change(manifest: Path) -> None:
    manifest.chmod(0o644)
    manifest.write_text(manifest.read_text().replace("[uninstall]", "[install]"))
