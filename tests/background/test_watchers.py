"""Several hear of one change: what one does wrong is nobody else's."""

import logging

import pytest

from lime_desktop.background.watchers import notify_all


def test_a_watcher_that_fails_is_logged_and_hurts_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard: list[str] = []

    def fail(_news: str) -> None:
        raise RuntimeError("deleted")

    with caplog.at_level(logging.ERROR):
        notify_all([heard.append, fail, heard.append], "changed")
    assert heard == ["changed", "changed"]
    assert [record.exc_info is not None for record in caplog.records] == [True]


def test_watchers_may_leave_and_come_while_they_are_told() -> None:
    heard: list[str] = []
    watchers = [lambda: watchers.remove(watchers[0]), lambda: heard.append("told")]
    notify_all(watchers)
    assert heard == ["told"]
    assert len(watchers) == 1
