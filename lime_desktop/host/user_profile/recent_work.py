"""What the person worked in last, and which failed runs they have looked at: so that Home shows where to go on.

Holds names and times, nothing of an app's content.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

from pydantic import Field

from lime_desktop.host.user_profile.settings import read_kept, write_kept
from lime_desktop.protocol.wire import WireModel

_MOST = 30
_MOST_SEEN = 200
_SAME_MS = 60_000
"""How long it is not written again that the same entry is in front."""
_END_S = 3.0
"""How long the program's end waits for the disk."""


class RecentEntry(WireModel):
    """One entry that was in front."""

    app_id: str
    entry_key: str
    at_ms: int


class ShownWork(WireModel):
    """How much of the person's work Home last showed: as much room is kept for it at the next start."""

    tiles: int = Field(default=0, ge=0, le=_MOST)
    rows: int = Field(default=0, ge=0, le=_MOST)


class _Kept(WireModel):
    """The file."""

    entries: tuple[RecentEntry, ...] = Field(default=(), max_length=_MOST)
    seen_runs: tuple[str, ...] = Field(default=(), max_length=_MOST_SEEN)
    shown: ShownWork = ShownWork()


class RecentWork:
    """One small file beside the settings; the disk is waited for on a thread of its own."""

    def __init__(self, path: Path, now_ms: Callable[[], int]) -> None:
        self._path = path
        self._now_ms = now_ms
        self._kept = read_kept(path, _Kept)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="recent-work")
        self._writing: Future[None] | None = None

    @property
    def entries(self) -> tuple[RecentEntry, ...]:
        """The newest first."""
        return self._kept.entries

    def note(self, app_id: str, entry_key: str) -> None:
        """The person works in this now."""
        latest, now = next(iter(self._kept.entries), None), self._now_ms()
        is_known = latest is not None and _names(latest) == (app_id, entry_key)
        if is_known and latest is not None and now - latest.at_ms < _SAME_MS:
            return  # it is in front already, and said so a moment ago
        others = [each for each in self._kept.entries if _names(each) != (app_id, entry_key)]
        fresh = RecentEntry(app_id=app_id, entry_key=entry_key, at_ms=now)
        self._keep(entries=(fresh, *others)[:_MOST])

    @property
    def shown(self) -> ShownWork:
        """How much Home showed last."""
        return self._kept.shown

    def note_shown(self, tiles: int, rows: int) -> None:
        """Home shows so much of it now."""
        now = ShownWork(tiles=tiles, rows=rows)
        if now != self._kept.shown:
            self._keep(shown=now)

    def has_seen(self, session_id: str) -> bool:
        """Whether the person looked at a run that failed."""
        return session_id in self._kept.seen_runs

    def see(self, session_id: str) -> None:
        """The person looked at this run, or does not want to."""
        if not self.has_seen(session_id):
            self._keep(seen_runs=(session_id, *self._kept.seen_runs)[:_MOST_SEEN])

    def _keep(self, **changes: object) -> None:
        """Written behind the person's back: without it Home knows a little less, and nothing else is lost."""
        self._kept = self._kept.model_copy(update=changes)
        self._writing = self._writer.submit(write_kept, self._path, self._kept)

    def close(self) -> None:
        """Let what is on its way be written, as far as the disk answers."""
        if self._writing is not None:
            wait((self._writing,), timeout=_END_S)


def _names(entry: RecentEntry) -> tuple[str, str]:
    return entry.app_id, entry.entry_key
