"""The changes of an app center that tests kill half way, and every step of each."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from lime_desktop.app_server.app_data.service_parts import StoragePart
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.packages.progress import InstallProgress, Progress, Step
from lime_desktop.host.app_center.records.removal import UninstallKind
from tests.host.app_center.opened import consent_to, installed, opened
from tests.host.app_center.packages import NOTES, WEATHER, make_package

Change = Callable[[AppCenter, Path, InstallProgress], Awaitable[object]]

REACHED = ("copy_to", "replace_from", "remove")
"""What the App Server does with an app's storage: it is killed right after each."""


async def _install(center: AppCenter, folder: Path, progress: InstallProgress) -> None:
    review = await center.review(folder / "other", progress)
    await center.install(review, consent_to(review, "keep"), progress)


async def _update(center: AppCenter, folder: Path, progress: InstallProgress) -> None:
    review = await center.review(folder / "3" / "notes", progress)
    await center.install(review, consent_to(review, "weather"), progress)


async def _roll_back(center: AppCenter, folder: Path, progress: InstallProgress) -> None:
    del folder
    await center.roll_back("notes", progress=progress)


async def _export_and_delete(center: AppCenter, folder: Path, progress: InstallProgress) -> None:
    target = folder / "notes.zip"
    await center.uninstall("notes", UninstallKind.EXPORT_THEN_DELETE, target, progress)


async def _keep_data(center: AppCenter, folder: Path, progress: InstallProgress) -> None:
    del folder
    await center.uninstall("notes", UninstallKind.KEEP_DATA, progress=progress)


CHANGES: dict[str, Change] = {
    "install": _install,
    "update": _update,
    "roll-back": _roll_back,
    "export-and-delete": _export_and_delete,
    "keep-data": _keep_data,
}

_STAGING = (Step.READING, Step.COPYING, Step.COPIED, Step.REVIEWED)
_MOVING = (Step.CHECKING, Step.MOVED, Step.CHECKED_AGAIN)
_DECISION = (Step.DECIDING, Step.DECIDED)

STEPS: dict[str, tuple[str, ...]] = {
    "install": (*_STAGING, *_MOVING, *_DECISION),
    "update": (
        *_STAGING,
        Step.VIEW_COPIED,
        "copy_to",
        Step.DATA_COPIED,
        *_MOVING,
        *_DECISION,
    ),
    "roll-back": (
        Step.VIEW_COPIED,
        "copy_to",
        Step.DATA_COPIED,
        *_DECISION,
        Step.VIEW_RESTORED,
        "replace_from",
        Step.DATA_RESTORED,
    ),
    "export-and-delete": (
        "copy_to",
        Step.EXPORTED,
        *_DECISION,
        Step.VIEW_REMOVED,
        "remove",
        Step.DATA_REMOVED,
        Step.CODE_REMOVED,
        Step.SWEPT,
        Step.DONE,
    ),
    "keep-data": (Step.EXPORTED, *_DECISION, Step.CODE_REMOVED, Step.SWEPT, Step.DONE),
}


def is_decided(change: str, step: str) -> bool:
    """Whether the decision is on disk when this step is reached."""
    steps = STEPS[change]
    return steps.index(step) >= steps.index(Step.DECIDED)


async def prepare(folder: Path) -> None:
    """An app that was updated once, with data and grants, and a neighbour that has nothing to do with it."""
    first = make_package(folder / "1", permissions=NOTES + WEATHER)
    second = make_package(folder / "2", version="2.0.0", permissions=NOTES + WEATHER)
    make_package(folder / "3", version="3.0.0", permissions=NOTES + WEATHER)
    make_package(folder, name="other")
    async with opened(folder) as (center, server):
        await installed(center, first, "keep")
        await server.keep("notes", "text", "of the first")
        _write(center.layout.view_of("notes") / "db", "view of the first")
        await installed(center, second, "weather")
        await server.keep("notes", "text", "of the second")
        _write(center.layout.view_of("notes") / "db", "view of the second")
        await installed(center, make_package(folder, name="mail"), "keep")
        await server.keep("mail", "text", "of mail")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


async def carry_out(folder: Path, change: str, reached: Callable[[str], None]) -> None:
    """Make a change, telling every step of the host and of the App Server."""
    for name in REACHED:
        _tell_when_done(name, reached)

    def told(progress: Progress) -> None:
        reached(progress.step)

    async with opened(folder) as (center, _):
        await CHANGES[change](center, folder, InstallProgress(told))


def _tell_when_done(name: str, reached: Callable[[str], None]) -> None:
    original = getattr(StoragePart, name)

    async def wrapped(self: StoragePart, *arguments: object) -> None:
        await original(self, *arguments)
        reached(name)

    setattr(StoragePart, name, wrapped)


def run(folder: Path, change: str, reached: Callable[[str], None]) -> None:
    asyncio.run(carry_out(folder, change, reached))
