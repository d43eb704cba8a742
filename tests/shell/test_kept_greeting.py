"""Hello Lime as a person meets it: a real view, a real App Server, and a greeting that stays (the goal of the sample)."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.shell.open_desktop import OpenDesktop

pytestmark = pytest.mark.system


OpenAgain = Callable[[], OpenDesktop]


@pytest.fixture
def open_desktop(
    qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop
) -> Iterator[OpenAgain]:
    opened: list[OpenDesktop] = []

    def open_again() -> OpenDesktop:
        if opened:
            opened.pop().close()
        opened.append(OpenDesktop(tmp_path, qtbot, loop))
        return opened[-1]

    yield open_again
    opened.pop().close()


def test_a_greeting_is_still_there_when_everything_was_closed(open_desktop: OpenAgain) -> None:
    desktop = open_desktop()
    desktop.start_server()
    desktop.tab.reload()
    desktop.save("Bonjour, 你好")
    desktop.sees("status", "Saved")
    desktop = open_desktop()
    desktop.start_server()
    desktop.tab.reload()
    desktop.sees("greeting", "Bonjour, 你好")


def test_without_an_app_server_the_page_says_so_and_offers_to_try_again(
    open_desktop: OpenAgain,
) -> None:
    desktop = open_desktop()
    desktop.sees("problem-code", "capability_unavailable")
    desktop.start_server()
    desktop.run("d.getElementById('retry').click()")
    desktop.save("Hi")
    desktop.sees("status", "Saved")
