"""pytest-qt's hands with more patience: its five seconds pass on a machine that has other work.

A test that holds never waits this long, and one that fails fails all the same.
"""

from collections.abc import Callable

from pytestqt.qtbot import QtBot

_PATIENCE_MS = 30_000


class PatientBot(QtBot):
    """Waits as long as a loaded machine may need, where a test says nothing else."""

    def waitUntil(  # noqa: N802 - pytest-qt's own name
        self, callback: Callable[[], bool | None], *, timeout: int = _PATIENCE_MS
    ) -> None:
        """Wait until a condition holds."""
        super().waitUntil(callback, timeout=timeout)
