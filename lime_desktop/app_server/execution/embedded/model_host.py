"""Keeps one model loaded, in a process of its own: started when it is needed, replaced, restarted, let go when idle."""

import asyncio
import json
import logging
import os
import secrets
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lime_desktop.app_server.children.leashed_process import (
    LeashedProcess,
    Streams,
    clean_environment,
)
from lime_desktop.app_server.execution.embedded.memory import require_memory
from lime_desktop.app_server.models.free_memory import available_bytes
from lime_desktop.app_server.models.store import InstalledModel
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.executables import is_frozen
from lime_desktop.own_programs import module_command
from lime_desktop.protocol.errors import EngineUnavailable, ProviderFailed

_log = logging.getLogger(__name__)

CONTEXT_TOKENS = 4_096
"""What is loaded at most: twice as much takes twice as long to read on a small computer."""
PROGRAM = Path(__file__).with_name("model_process.py")
_LOAD_S = 180.0
_IDLE_S = 600.0
_DYING_S = 2.0
_MAX_FAILURES = 3
_FAILURES_WITHIN_S = 60.0


def context_of(model: InstalledModel) -> int:
    """How much of a conversation a model is given."""
    return min(CONTEXT_TOKENS, model.record.context_tokens or CONTEXT_TOKENS)


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that answers."""

    model_id: str
    address: str
    key: str
    context_tokens: int
    child: LeashedProcess

    @property
    def is_running(self) -> bool:
        """Whether its process is alive, as far as we were told."""
        return self.child.process.returncode is None

    def __repr__(self) -> str:
        return f"ServedModel({self.model_id!r}, pid {self.child.process.pid})"


class ModelHost:
    """At most one model process at a time: two would halve each other's memory and cores."""

    def __init__(
        self,
        program: Path = PROGRAM,
        *,
        idle_s: float = _IDLE_S,
        available: Callable[[], int | None] = available_bytes,
    ) -> None:
        self._program = program
        self._available = available
        self._served: ServedModel | None = None
        self._starting = asyncio.Lock()
        self._idle_s = idle_s
        self._idle: asyncio.TimerHandle | None = None
        self._failures: deque[float] = deque(maxlen=_MAX_FAILURES)
        self._stopping = BackgroundTasks(_log)

    @property
    def served(self) -> ServedModel | None:
        """What is loaded now."""
        served = self._served
        return served if served is not None and served.is_running else None

    async def serve(self, model: InstalledModel) -> ServedModel:
        """The model, loaded. A process that has died is started again.

        Raises:
            ProviderFailed: it could not be loaded.
            EngineUnavailable: it failed too often just now, or memory is short.
        """
        async with self._starting:
            self._stay()
            served = self.served
            if served is not None and served.model_id == model.record.model_id:
                return served
            await self._let_go()
            self._require_calm()
            require_memory(model, await asyncio.to_thread(self._available))
            try:
                self._served = await _start(self._program, model)
            except ProviderFailed:
                self._failures.append(time.monotonic())
                raise
            return self._served

    async def bury(self, served: ServedModel) -> int | None:
        """See to it that a model that was lost is gone, and give its exit code; 128 and more are signals."""
        if served is self._served:
            self._served = None
            self._failures.append(time.monotonic())
        try:
            async with asyncio.timeout(_DYING_S):
                await served.child.process.wait()
        except TimeoutError:
            # It lives and does not answer: to us that is the same.
            await served.child.stop()
        served.child.release()
        return served.child.process.returncode

    def rest(self) -> None:
        """Nobody needs the model now; after a while its memory is given back."""
        self._stay()
        loop = asyncio.get_running_loop()
        self._idle = loop.call_later(self._idle_s, self._fall_asleep)

    async def close(self) -> None:
        """End the process and wait for it."""
        self._stay()
        await self._let_go()
        await self._stopping.finish()

    def _stay(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _fall_asleep(self) -> None:
        self._stopping.spawn(self._let_go())

    async def _let_go(self) -> None:
        served, self._served = self._served, None
        if served is not None:
            await served.child.stop()

    def _require_calm(self) -> None:
        is_full = len(self._failures) == _MAX_FAILURES
        if is_full and time.monotonic() - self._failures[0] < _FAILURES_WITHIN_S:
            raise EngineUnavailable(
                "The local model failed several times in a row and is left alone for a minute.",
                details={"reasonCode": "model_crashes"},
            )


def _command(program: Path) -> tuple[str, ...]:
    if is_frozen() and program == PROGRAM:
        return module_command(f"{__package__}.{PROGRAM.stem}")
    return (sys.executable, "-P", str(program))


async def _start(program: Path, model: InstalledModel) -> ServedModel:
    key = secrets.token_urlsafe(32)
    context_tokens = context_of(model)
    child = await LeashedProcess.start(
        _command(program),
        environment=clean_environment(),
        streams=Streams(stdin=subprocess.PIPE, stdout=subprocess.PIPE),
    )
    order = {
        "path": str(model.path),
        "key": key,
        "contextTokens": context_tokens,
        # All cores would wait for each other on a busy desktop; one is left to the rest of it.
        "threads": max(1, (os.cpu_count() or 2) - 1),
    }
    try:
        address = await _introduced(child, order)
    except BaseException:
        await child.stop()
        raise
    _log.info("a model is loaded", extra={"modelId": model.record.model_id})
    return ServedModel(model.record.model_id, address, key, context_tokens, child)


async def _introduced(child: LeashedProcess, order: Mapping[str, object]) -> str:
    stdin, stdout = child.process.stdin, child.process.stdout
    if stdin is None or stdout is None:
        raise AssertionError("the streams were asked for")
    try:
        stdin.write(json.dumps(order).encode() + b"\n")
        async with asyncio.timeout(_LOAD_S):
            return str(json.loads(await stdout.readline())["address"])
    except (OSError, ValueError, KeyError, TypeError, TimeoutError) as error:
        raise ProviderFailed(
            "The local model could not be loaded.", details={"reasonCode": "model_not_loaded"}
        ) from error
