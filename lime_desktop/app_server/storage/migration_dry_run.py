"""A package's migrations, tried on a copy of its app's file, in a process that can be ended.

SQLite works on a statement before it runs it, and nothing in it looks at a clock meanwhile: a few hundred characters of
queries inside queries keep it busy for days. What ends that is the end of the process; what comes back in time costs no
more on the file itself.

Run as a module, it is that process: a plan in, and what became of it out.
"""

import asyncio
import json
import math
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from lime_desktop.app_server.children.leashed_process import LeashedProcess, Streams
from lime_desktop.app_server.storage.app_migrations import (
    DEADLINE_S,
    AppMigration,
    MigrationPlan,
    rehearse,
)
from lime_desktop.child_limits import bare_environment, limit_this_process
from lime_desktop.own_programs import module_command
from lime_desktop.protocol.errors import AppError, StorageMigrationFailed, error_from_data

_MOST_S = 10 * DEADLINE_S
"""For all migrations that are waiting together, by the clock."""
_ANSWER_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """One attempt, as it is handed to the process."""

    plan: MigrationPlan
    copy: Path
    now: str
    processor_s: float


_REHEARSALS = TypeAdapter(Rehearsal)


def processor_time_for(pending: Sequence[AppMigration]) -> float:
    """How long these may work: each as long as its deadline, and all of them within what anybody waits for."""
    return min(len(pending) * DEADLINE_S, _MOST_S)


async def rehearse_apart(rehearsal: Rehearsal) -> None:
    """Carry a plan out on a copy of the file that nobody else sees, in a process of its own.

    Raises:
        AppError: it would fail on the file as well.
        StorageMigrationFailed: it did not come to an end.
    """
    child = await LeashedProcess.start(
        module_command(__name__),
        environment=bare_environment(),
        streams=Streams(subprocess.PIPE, subprocess.PIPE, longest_line=_ANSWER_BYTES),
    )
    try:
        async with asyncio.timeout(_MOST_S):
            answer, _ = await child.process.communicate(_REHEARSALS.dump_json(rehearsal))
    except TimeoutError:
        answer = b""
    finally:
        await asyncio.shield(child.stop())
    if not answer:
        raise StorageMigrationFailed("The migration took too long or too much memory")
    if failure := json.loads(answer):
        raise error_from_data(failure)


def main() -> None:
    """Carry out what stands on standard input, and tell how it failed, or nothing."""
    rehearsal = _REHEARSALS.validate_json(sys.stdin.buffer.read())
    limit_this_process(written_bytes=None, processor_s=math.ceil(rehearsal.processor_s))
    try:
        rehearse(rehearsal.plan, rehearsal.copy, rehearsal.now)
        failure = None
    except AppError as error:
        failure = error.to_data()
    sys.stdout.write(json.dumps(failure))


if __name__ == "__main__":
    main()
