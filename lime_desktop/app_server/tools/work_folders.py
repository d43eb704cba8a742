"""The folders that an app's programs, tool servers and external agents work in, as a part of its data: counted, removed, in no copy."""

import asyncio
import os
import shutil
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from lime_desktop.app_server.apps.data_holder import HeldAmount
from lime_desktop.database.failures import catalogued
from lime_desktop.file_names import plain_name
from lime_desktop.protocol.ids import AppId

EndOfApp = Callable[[str], Awaitable[None]]
"""Ends whatever works for an app."""


class WorkFolders:
    """What programs left behind. What they were to deliver, they gave as an answer: the rest is theirs alone, and passing."""

    name = "work"

    def __init__(self, folders: tuple[Path, ...], end_servers: EndOfApp) -> None:
        """Each of `folders` holds one for every app; what still runs in one is ended before it goes."""
        self._folders = folders
        self._endings = (end_servers,)

    def add(self, folder: Path, end: EndOfApp) -> None:
        """Count and remove what lies in another one too, which somebody else has worked in."""
        self._folders = (*self._folders, folder)
        self._endings = (*self._endings, end)

    async def amount(self, app_id: AppId) -> HeldAmount:
        """Count the files, and measure them."""
        return await asyncio.to_thread(_measure, self._of(app_id))

    async def copy_to(self, app_id: AppId, folder: Path) -> None:
        """Nothing: a program's leavings are in no copy."""

    async def replace_from(self, app_id: AppId, folder: Path) -> None:
        """Nothing: they are as they were."""

    async def remove(self, app_id: AppId) -> None:
        """Delete them."""
        for end in self._endings:
            await end(app_id)
        try:
            await asyncio.to_thread(_remove, self._of(app_id))
        except OSError as error:
            raise catalogued(error) from error

    def _of(self, app_id: AppId) -> tuple[Path, ...]:
        return tuple(folder / plain_name(app_id) for folder in self._folders)


def _measure(folders: tuple[Path, ...]) -> HeldAmount:
    items = size = 0
    for folder in folders:
        # Links are counted and not followed: a program may have made one to anywhere.
        for where, _, names in os.walk(folder):
            for name in names:
                with suppress(FileNotFoundError):
                    size += (Path(where) / name).lstat().st_size
                    items += 1
    return HeldAmount(items, size)


def _remove(folders: tuple[Path, ...]) -> None:
    for folder in folders:
        if not folder.is_dir():
            continue
        # A program may have shut a folder of its own against everybody.
        for where, inner, _ in os.walk(folder):
            for each in (Path(where) / name for name in inner):
                if not each.is_symlink():
                    each.chmod(stat.S_IRWXU)
        shutil.rmtree(folder)
