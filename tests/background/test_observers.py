"""Several hear of one change: what one does wrong is nobody else's."""

import logging

import pytest

from lime_desktop.background.observers import Observers, notify_all


def test_an_observer_that_fails_is_logged_and_hurts_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard: list[str] = []

    def fail(_news: str) -> None:
        raise RuntimeError("deleted")

    with caplog.at_level(logging.ERROR):
        notify_all([heard.append, fail, heard.append], "changed")
    assert heard == ["changed", "changed"]
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_observers_may_leave_and_come_while_they_are_told() -> None:
    heard: list[str] = []
    watchers = [lambda: watchers.remove(watchers[0]), lambda: heard.append("told")]
    notify_all(watchers)
    assert heard == ["told"]
    assert len(watchers) == 1


def test_an_observer_hears_until_it_unsubscribes() -> None:
    heard: list[str] = []
    observers = Observers[str]()
    unsubscribe = observers.subscribe(heard.append)
    also = observers.subscribe(heard.append)
    observers.notify("first")
    unsubscribe()
    unsubscribe()
    observers.notify("second")
    also()
    observers.notify("third")
    assert heard == ["first", "first", "second"]
    assert len(observers) == 0


def test_an_observer_may_unsubscribe_while_it_is_told() -> None:
    heard: list[str] = []
    observers = Observers[()]()

    def leave() -> None:
        ending()

    ending = observers.subscribe(leave)
    observers.subscribe(lambda: heard.append("told"))
    observers.notify()
    observers.notify()
    assert heard == ["told", "told"]
    assert len(observers) == 1
