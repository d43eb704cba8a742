"""Files that a person opens with an app from outside: by a double click, or by the command line. Which may be given, and until when do they wait?

Opening a file is a choice as in the host's own dialog, so it is a grant: to the entry that it is opened in, and told to its
page once. Nobody saw the file in that dialog, though. So what is none, or stands in another's place, is refused: a link
that leads out of its folder may name a file that nobody meant to open.
"""

import asyncio
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Literal, TypeAlias

from lime_desktop.background.observers import Observers
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId

MOST_FILES = 100
"""That are given at once, whether opened or dropped."""
MOST_BYTES = 1024**3
"""Of one file that is opened from outside."""

FileFault: TypeAlias = Literal[
    "gone", "folder", "special", "elsewhere", "large", "closed", "many", "no-app"
]
"""Why a file is not given: there is none; it is a folder; a device, pipe or socket; a link that leads out of its folder;
too large; closed to this person; too many at once; or there is no such app."""
EntryView: TypeAlias = tuple[AppId, str]
"""An entry of an app, which is open once at most."""


def code_of(fault: FileFault) -> str:
    """The stable code of a refusal."""
    return f"OPENED_FILE_{fault.upper().replace('-', '_')}"


def fault_of(path: Path) -> FileFault | None:
    """Why a file cannot be given to an app; None where it can. Blocks."""
    try:
        found = path.stat()
        leads_out = path.is_symlink() and path.resolve().parent != path.parent.resolve()
    except FileNotFoundError:
        return "gone"
    except (OSError, ValueError):
        return "closed"
    faults: tuple[tuple[FileFault, bool], ...] = (
        ("folder", stat.S_ISDIR(found.st_mode)),
        ("special", not stat.S_ISREG(found.st_mode)),
        ("elsewhere", leads_out),
        ("large", found.st_size > MOST_BYTES),
        ("closed", not os.access(path, os.R_OK)),
    )
    return next((fault for fault, is_so in faults if is_so), None)


class OpenedFilesQueue:
    """What was opened and no page has been told of yet, by entry."""

    def __init__(self) -> None:
        self._batches: dict[EntryView, list[tuple[Path, ...]]] = {}
        self._arrived: dict[EntryView, asyncio.Event] = {}
        self.failed = Observers[AppError]()
        """What kept files from the page that had asked for them."""

    def give(self, view: EntryView, paths: tuple[Path, ...]) -> None:
        """Let an entry have files, as soon as its page asks for them; of too many the oldest go."""
        batches = self._batches.setdefault(view, [])
        batches.append(paths[:MOST_FILES])
        while sum(map(len, batches)) > MOST_FILES:
            batches.pop(0)
        self._event(view).set()

    def is_waiting(self, view: EntryView) -> bool:
        """Whether there is something that no page has taken."""
        return bool(self._batches.get(view))

    def take_back(self, view: EntryView) -> tuple[Path, ...]:
        """Let nobody have what still waits, and say what it was."""
        self._event(view).clear()
        return tuple(path for batch in self._batches.pop(view, ()) for path in batch)

    async def hand_over(
        self, view: EntryView, tell: Callable[[tuple[Path, ...]], Awaitable[None]]
    ) -> None:
        """Tell a page what there is for its entry, and what comes, until cancelled."""
        while True:
            await self._event(view).wait()
            batches = self._batches[view]
            batch = batches.pop(0)
            if not batches:
                self._event(view).clear()
            try:
                await tell(batch)
            except AppError as error:
                self.failed.notify(error)
            except asyncio.CancelledError:
                # The page went meanwhile: the next one is told.
                self._batches.setdefault(view, []).insert(0, batch)
                self._event(view).set()
                raise

    def _event(self, view: EntryView) -> asyncio.Event:
        return self._arrived.setdefault(view, asyncio.Event())
