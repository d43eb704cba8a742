"""The object that the relay talks to."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from lime_desktop.host.bridge.limits import relay_rate_limit_of
from lime_desktop.protocol.ids import AppId
from lime_desktop.shell.app_view.port import RelayCallbacks, RelayPort


@pytest.fixture
def port(qtbot: QtBot) -> Iterator[RelayPort]:
    del qtbot
    owner = QObject()
    callbacks = RelayCallbacks(lambda _: None, lambda _, __: None, lambda _: None)
    yield RelayPort("/", "Notes", relay_rate_limit_of(AppId("notes")), callbacks, owner)
    owner.deleteLater()


def test_a_lone_message_leaves_at_once_and_those_after_it_together(
    port: RelayPort, qtbot: QtBot
) -> None:
    """Ours: an answer waits for no turn of the loop, and a thousand events are no thousand crossings."""
    crossings: list[str] = []
    port.posted.connect(crossings.append)
    for message in ("1", "2", "3"):
        port.post(message)
    assert crossings == ["[1]"]
    qtbot.waitUntil(lambda: len(crossings) > 1, timeout=60_000)
    assert crossings == ["[1]", "[2,3]"]


def test_what_is_answered_at_once_returns_with_the_question(port: RelayPort) -> None:
    crossings: list[str] = []
    port.posted.connect(crossings.append)
    port.receive_by(lambda line: port.post(f'"{line}"'))
    assert port.receive("a\nb", 0) == '["a","b"]'
    assert crossings == []
