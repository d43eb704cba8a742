"""Killed at any step, an app center is afterwards as it was or as it was to be, never between (ours)."""

import asyncio
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.app_center.center import AppCenter
from tests.app_server.twin import ServerTwin
from tests.host.app_center.crash_steps import STEPS, is_decided, prepare
from tests.host.app_center.opened import opened
from tests.host.app_center.packages import names_below

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(600),  # a dozen kills and restarts each
    pytest.mark.skipif(sys.platform == "win32", reason="kills by forking"),
    pytest.mark.xdist_group("app-center-crashes"),
]


@dataclass(frozen=True)
class Seen:
    """Everything of an app center that a person could tell a difference by."""

    apps: tuple[tuple[str, str, bool], ...]
    code: tuple[bytes, ...]
    grants: tuple[tuple[str, str], ...]
    points: tuple[str, ...]
    data: tuple[object, ...]
    views: frozenset[str]
    kept_data: tuple[str, ...]
    receipts: tuple[tuple[str, tuple[str, ...]], ...]
    packages: int
    copies: int
    snapshots: int
    staged: int


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    asyncio.run(prepare(folder))
    return folder


@pytest.fixture(scope="module", params=list(STEPS))
def change(
    request: pytest.FixtureRequest,
    prepared: Path,
    tmp_path_factory: pytest.TempPathFactory,
    repository: Path,
) -> tuple[str, Path]:
    """A change that was killed at each of its steps, and the folders that were left."""
    cases = tmp_path_factory.mktemp("cases")
    name = str(request.param)
    done = subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.host.app_center.crash_child", prepared, cases, name],
        cwd=repository,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return name, cases / name


def test_every_step_has_a_kill(change: tuple[str, Path]) -> None:
    name, cases = change
    reached = (cases / "reached.txt").read_text().splitlines()
    assert tuple(reached) == STEPS[name]


def test_a_kill_leaves_the_old_state_or_the_new_one(
    change: tuple[str, Path], prepared: Path
) -> None:
    name, cases = change
    old, new = seen(prepared), seen(cases / "whole")
    assert old != new
    for step in STEPS[name]:
        found = seen(cases / step)
        assert found == (new if is_decided(name, step) else old), step


def seen(folder: Path) -> Seen:
    return asyncio.run(_seen(folder))


async def _seen(folder: Path) -> Seen:
    async with opened(folder) as (center, server):
        await center.settle()
        return await _look(center, server)


async def _look(center: AppCenter, server: ServerTwin) -> Seen:
    apps = center.installed()
    host = center.layout.host
    return Seen(
        apps=tuple(sorted((app.app_id, app.version, app.is_enabled) for app in apps)),
        code=tuple([_page(await center.package(app.app_id)) for app in apps]),
        grants=tuple(
            sorted(
                (app_id, grant.permission)
                for app_id in ("notes", "mail", "other")
                for grant in center.permissions.grants(app_id)
            )
        ),
        points=tuple(point.app.version for point in center.rollback_points("notes")),
        data=(await server.kept("notes", "text"), await server.kept("mail", "text")),
        views=frozenset(
            f"{name}: {(center.layout.views / name).read_text()}"
            for name in names_below(center.layout.views)
        ),
        kept_data=tuple(kept.app_id for kept in center.kept_data()),
        receipts=tuple((each.kind, each.residue) for each in await center.receipts()),
        packages=_count(host / "packages"),
        copies=_count(host / "view-copies"),
        snapshots=_count(center.layout.data / "app-server/app-snapshots"),
        staged=_count(host / "staging"),
    )


def _page(package: AppPackage) -> bytes:
    return package.tree.read("dist/ui/index.html")


def _count(folder: Path) -> int:
    return len(list(folder.iterdir())) if folder.is_dir() else 0
