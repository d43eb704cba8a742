"""One program per person: a later start hands over and ends (ours)."""

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtNetwork import QLocalSocket
from pytestqt.qtbot import QtBot

from lime_desktop.shell.single_instance import FirstInstance, hand_over, meeting_place
from tests.shell.conftest import WAIT_MS


class Hearing:
    """A first instance, and everything it heard."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.heard: list[str] = []
        self.first = FirstInstance(place, self.heard.append)


@pytest.fixture
def hearing(qtbot: QtBot) -> Iterator[Hearing]:
    del qtbot
    made = Hearing(f"lime-test-{uuid.uuid4().hex}")
    yield made
    made.first.close()


def test_nobody_there_means_that_this_is_the_first() -> None:
    assert not hand_over(f"lime-test-{uuid.uuid4().hex}", "lime://app/x")


def test_what_a_later_start_was_asked_for_is_heard(hearing: Hearing, qtbot: QtBot) -> None:
    assert hearing.first.is_listening
    assert hand_over(hearing.place, "lime://app/hello-lime")
    qtbot.waitUntil(lambda: hearing.heard == ["lime://app/hello-lime"], timeout=WAIT_MS)


def test_a_start_without_wishes_is_heard_too(hearing: Hearing, qtbot: QtBot) -> None:
    assert hand_over(hearing.place, "")
    qtbot.waitUntil(lambda: hearing.heard == [""], timeout=WAIT_MS)


def test_a_guest_that_talks_too_much_is_shown_out(hearing: Hearing, qtbot: QtBot) -> None:
    guest = QLocalSocket()
    guest.connectToServer(hearing.place)
    guest.waitForConnected(WAIT_MS)
    guest.write(b"x" * 100_000)
    guest.flush()
    unconnected = QLocalSocket.LocalSocketState.UnconnectedState
    qtbot.waitUntil(lambda: guest.state() == unconnected, timeout=WAIT_MS)
    assert hearing.heard == []


def test_the_place_belongs_to_one_data_folder(tmp_path: Path) -> None:
    assert meeting_place(tmp_path / "a") != meeting_place(tmp_path / "b")
    assert meeting_place(tmp_path / "a") == meeting_place(tmp_path / "b" / ".." / "a")
