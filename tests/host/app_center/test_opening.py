"""Opening the app center of a folder: what is in its way, and that nobody else suffers for it."""

import asyncio
from pathlib import Path

import pytest

from lime_desktop.host.app_center import opening
from lime_desktop.host.app_center.records.layout import CenterLayout
from tests.host.app_center.opened import center_without_server, play


async def look_into(folder: Path) -> int:
    async with center_without_server(folder) as center:
        return len(center.installed())


def test_who_comes_after_one_that_could_not_open_finds_the_folder_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug: the folder stayed held by the process that had failed, and its next attempt waited for itself."""

    def fails(_parts: object) -> None:
        raise PermissionError(13, "Permission denied")

    async def scene() -> int:
        with monkeypatch.context() as broken:
            broken.setattr(opening, "_clear_away", fails)
            with pytest.raises(PermissionError):
                await look_into(tmp_path)
        return await look_into(tmp_path)

    assert play(scene()) == 0


def test_an_opening_that_is_given_up_lets_go_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> int:
        reached = asyncio.Event()
        loop = asyncio.get_running_loop()

        def note(_parts: object) -> None:
            loop.call_soon_threadsafe(reached.set)

        with monkeypatch.context() as watched:
            watched.setattr(opening, "_clear_away", note)
            task = asyncio.create_task(look_into(tmp_path))
            await reached.wait()
            task.cancel()
            await asyncio.wait({task})
        return await look_into(tmp_path)

    assert play(scene()) == 0


def test_a_file_that_somebody_laid_among_the_packages_is_cleared_away(tmp_path: Path) -> None:
    """A bug: the app center could not be opened any more."""
    packages = CenterLayout(tmp_path / "data").packages
    packages.mkdir(parents=True)
    (packages / ".DS_Store").write_bytes(b"left by a file manager")
    assert play(look_into(tmp_path)) == 0
    assert not list(packages.iterdir())
