"""Keep a damaged file for whoever wants to look, before it is mended."""

import contextlib
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from lime_desktop.database.backups import stamp
from lime_desktop.database.connection import open_for_reading

FOLDER = "damaged"
MAX_KEPT = 3


def keep_damaged(path: Path) -> Path | None:
    """Copy a file as it is, with everything committed so far; nothing where there is no room. Blocks.

    A copy that cannot be made is no reason not to mend: what is mended follows from what is left as it was.
    """
    folder = path.parent / FOLDER
    kept = folder / f"{stamp(time.time_ns() // 1_000_000)}-{path.name}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        with (
            closing(open_for_reading(path, trusts_schema=True)) as source,
            closing(sqlite3.connect(kept)) as target,
        ):
            source.backup(target)
        for old in sorted(folder.glob(f"*-{path.name}"))[:-MAX_KEPT]:
            old.unlink(missing_ok=True)
    except (OSError, sqlite3.Error):
        with contextlib.suppress(OSError):
            kept.unlink(missing_ok=True)
        return None
    return kept
