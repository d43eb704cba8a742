"""Which files of a folder were saved? Told in batches, from a thread of its own, a few milliseconds after the last."""

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from watchfiles import DefaultFilter, watch

_STEP_MS = 6
"""How long nothing more may be saved before a batch is told: long enough for an editor that renames."""
_LONGEST_MS = 200
"""A build that writes many files is told in parts rather than late."""

Saved = Callable[[frozenset[str]], None]
"""Hears of files by their path in the folder, with forward slashes. Called on the watching thread."""


class FolderWatch:
    """Watches from `start` to `stop`."""

    def __init__(self, folder: Path, saved: Saved) -> None:
        self._folder = folder.resolve()
        self._saved = saved
        self._bell = _Bell()
        self._thread = Thread(target=self._main, name="folder-watch", daemon=True)

    def start(self) -> None:
        """Begin; nothing saved after this returns is missed."""
        self._thread.start()
        self._bell.is_watching.wait()

    def stop(self) -> None:
        """End, and wait until nothing is told any more."""
        self._bell.is_stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    def _main(self) -> None:
        try:
            for batch in watch(
                self._folder,
                watch_filter=DefaultFilter(),
                debounce=_LONGEST_MS,
                step=_STEP_MS,
                stop_event=self._bell,
                raise_interrupt=False,
            ):
                self._saved(frozenset(self._name(path) for _, path in batch))
        finally:
            # Also where the system has no more watches to give: nobody is kept waiting.
            self._bell.is_watching.set()

    def _name(self, path: str) -> str:
        return Path(path).relative_to(self._folder).as_posix()


class _Bell:
    """Asked by the watcher on every round whether to stop: the first time, it is known to watch."""

    def __init__(self) -> None:
        self.is_watching = Event()
        self.is_stopped = Event()

    def is_set(self) -> bool:
        self.is_watching.set()
        return self.is_stopped.is_set()
