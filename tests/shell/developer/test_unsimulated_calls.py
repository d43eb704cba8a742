"""What a developer may have acted is in no call's way before anything is, nor after (ours)."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest
from pytestqt.qtbot import QtBot

from lime_desktop.developer.simulation import Simulation
from tests.shell.open_desktop import OpenDesktop

pytestmark = pytest.mark.system
SIMULATING = ("developer/simulation.py", "inspector/simulated_view.py")


@pytest.fixture
def desktop(qtbot: QtBot, tmp_path: Path, loop: asyncio.AbstractEventLoop) -> Iterator[OpenDesktop]:
    opened = OpenDesktop(tmp_path, qtbot, loop)
    yield opened
    opened.close()


def entered_while_saving(desktop: OpenDesktop, text: str) -> set[str]:
    """The modules of the simulator that a page's call enters, from the page to the server and back."""
    entered: set[str] = set()

    def note(frame: FrameType, _event: str, _given: object) -> None:
        name = Path(frame.f_code.co_filename).as_posix()
        entered.update(each for each in SIMULATING if name.endswith(each))

    sys.setprofile(note)
    try:
        desktop.save(text)
        desktop.sees("greeting", text)
    finally:
        sys.setprofile(None)
    return entered


def test_a_call_passes_the_simulator_only_while_something_is_acted(desktop: OpenDesktop) -> None:
    desktop.start_server()
    desktop.tab.reload()
    assert entered_while_saving(desktop, "Bonjour") == set()

    desktop.tab.toggle_inspector()
    desktop.tab.simulated.act(Simulation(has_no_model=True))
    assert entered_while_saving(desktop, "Servus") == set(SIMULATING)

    desktop.tab.toggle_inspector()
    assert entered_while_saving(desktop, "Hallo") == set()
