"""Start a program that ends with us: by our will, by our death, or by its own, and takes along what it started."""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.children import leash
from lime_desktop.own_programs import script_command
from lime_desktop.protocol.runtime.payload_rules import is_key_like

_PIECE_BYTES = 1 << 20
_KEY_ENDINGS = ("KEY", "TOKEN", "SECRET", "PASSWORD")

# Windows hands no descriptors on; there a child is ended by whoever started it, and by nobody after a crash.
_HAS_LEASH = os.name == "posix"


def scrub(environment: MutableMapping[str, str]) -> list[str]:
    """Remove every variable that could hold a secret, and name what was removed."""
    removed = [
        name for name in environment if name.upper().endswith(_KEY_ENDINGS) or is_key_like(name)
    ]
    for name in removed:
        del environment[name]
    return removed


def clean_environment(**more: str) -> dict[str, str]:
    """Our own environment without anything that is named like a secret, and what the child needs beside it."""
    environment = dict(os.environ)
    scrub(environment)
    return {**environment, **more}


@dataclass(frozen=True, slots=True)
class Streams:
    """What becomes of a child's standard streams; unless asked for, they lead nowhere."""

    stdin: int = subprocess.DEVNULL
    stdout: int = subprocess.DEVNULL
    stderr: int = subprocess.DEVNULL
    longest_line: int = 1 << 16


_NOWHERE = Streams()


class LeashedProcess:
    """A running program. Whoever holds this must `release` it; the end of our process does so too."""

    def __init__(self, process: asyncio.subprocess.Process, held: int | None) -> None:
        self.process = process
        self._held = held

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        streams: Streams = _NOWHERE,
    ) -> "LeashedProcess":
        """Start the command; one that cannot be run ends at once with 127 or 126."""
        watched, held = os.pipe() if _HAS_LEASH else (None, None)
        try:
            process = await asyncio.create_subprocess_exec(
                *(_on_leash(watched, command) if watched is not None else command),
                env=dict(environment) if environment is not None else clean_environment(),
                cwd=folder,
                stdin=streams.stdin,
                stdout=streams.stdout,
                stderr=streams.stderr,
                limit=streams.longest_line,
                pass_fds=(watched,) if watched is not None else (),
            )
        except BaseException:
            _close(held)
            raise
        finally:
            _close(watched)
        return cls(process, held)

    def release(self) -> None:
        """End it now, with everything it started. Idempotent."""
        if not _HAS_LEASH and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
        _close(self._held)
        self._held = None

    async def stop(self) -> None:
        """End it and wait until it is gone."""
        self.release()
        await self.process.wait()

    async def stop_unread(self, timeout_s: float) -> None:
        """End it and wait until it is gone, where nobody reads what it says any more.

        A pipe that is not read to its end stays open, and keeps all that waits in it. What escaped the group may hold it
        open, too: it gets no more of our time than this.
        """
        self.release()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                for stream in (self.process.stdout, self.process.stderr):
                    while stream is not None and await stream.read(_PIECE_BYTES):
                        pass
                await self.process.wait()

    async def ended(self) -> int:
        """Wait for its end and give its exit code; 128 and more are signals."""
        try:
            return await self.process.wait()
        finally:
            self.release()


def _on_leash(watched: int, command: Sequence[str]) -> tuple[str, ...]:
    return script_command(leash, str(watched), *command)


def _close(descriptor: int | None) -> None:
    if descriptor is not None:
        os.close(descriptor)
