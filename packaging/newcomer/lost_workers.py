"""A plugin of pytest: a worker that went down fails the run, even where no test was running in it.

xdist blames a crash on the test that was running. A worker that dies between two tests, or after its last one, is only
replaced with a line in the log, and the run ends well. This is the one module here that runs inside pytest.
"""

from collections.abc import Iterator
from typing import Protocol

import pytest

from newcomer.steadiness import LOST_WORKER


class _Gateway(Protocol):
    id: str


class _Worker(Protocol):
    """What is used of xdist's controller of a worker."""

    gateway: _Gateway


class LostWorkers:
    """Notes every worker that ended before it said so."""

    def __init__(self) -> None:
        self._lost: list[str] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: _Worker, error: object) -> None:
        """Xdist tells of a worker's end; an orderly one has no error."""
        if error:
            self._lost.append(node.gateway.id)

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Iterator[None]:
        """Have the last word on the exit code: what the tests say of themselves no longer counts."""
        yield
        if self._lost:
            session.exitstatus = LOST_WORKER

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name them at the end, where somebody reads."""
        if self._lost:
            terminalreporter.line(f"Workers that crashed or hung: {', '.join(self._lost)}")


def pytest_configure(config: pytest.Config) -> None:
    """Begin with every run, in the process that hands the tests out; a worker of it has nobody to lose."""
    config.pluginmanager.register(LostWorkers())
