"""How every SQLite file is opened, written, migrated, checked and backed up. Knows no tables.

The promise: **an acknowledged write is on disk.** Files are opened in WAL mode with ``synchronous=FULL``.
``NORMAL`` would be faster for a lone writer, but in WAL mode it syncs only at checkpoints: after a power
cut the last commits may be gone although callers were told they had happened, and a runtime fact that was
announced and then vanishes is worse than a slow one. The price of ``FULL`` is one sync per *commit*, so
`Writer` puts every write that waits at the same moment into one commit; fifty producers share a sync.

One exception, for which the writer must be asked: what is *passing*, such as a piece of an answer that a
model is still giving. It is handed to the operating system before anybody hears of it, so it outlives any
crash of ours; a power cut, which also ends everyone who heard, may take its last second. It is synced with
the next write that lasts, and what it became (the whole answer) is such a write.

Reading order: `Database` (what callers hold) → `Writer` → `connection` → `migrations`.
`sqlite3` is imported in this package and nowhere else.
"""
