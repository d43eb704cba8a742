"""Carries out for commands what only the holder of a data folder can: changes of the app center, calls of the App Server.

A command comes through the same socket as a later start of the program, and has proved there that it is the same
person's. What it asks for is in the tables here and in `center_changes`, and nothing else. A change that was begun is
finished, whether the command still waits for it or was killed.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import JsonValue, ValidationError
from pydantic_core import to_jsonable_python

from lime_desktop import __version__
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.startup.center_changes import carry_out
from lime_desktop.protocol.app_call import APP_CALL
from lime_desktop.protocol.calls.app_data import DESCRIBE_APP_DATA
from lime_desktop.protocol.calls.evidence import EXPORT_EVIDENCE, EXPORT_REPLAY_CASE
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS
from lime_desktop.protocol.calls.workflow_runs import LIST_OPEN_RUNS
from lime_desktop.protocol.capability_calls import workflow
from lime_desktop.protocol.errors import (
    AppError,
    CapabilityMethodUnknown,
    DatabaseBusy,
    InternalError,
    InvalidMessage,
    ShuttingDown,
)
from lime_desktop.protocol.schedules import SCHEDULE_METHODS
from lime_desktop.protocol.triggers import TRIGGER_METHODS
from lime_desktop.protocol.wire import Method, WireModel

_log = logging.getLogger(__name__)

HELLO = "\x01commands"
"""What a command says in the place of something to be shown: no path and no link begins so."""
_CALLS: Mapping[str, Method[Any, Any]] = {
    each.name: each
    for each in (
        APP_CALL,
        DESCRIBE_APP_DATA,
        EXPORT_EVIDENCE,
        EXPORT_REPLAY_CASE,
        LIST_OPEN_RUNS,
        LIST_SESSIONS,
        *SCHEDULE_METHODS,
        *TRIGGER_METHODS,
    )
}
"""The calls of the App Server that commands make. None gives a secret."""
_FOR_APPS = frozenset(call.name for call in workflow.CALLS)
"""What is called in an app's name: a person at a terminal looks after its runs, as on its page."""
_CALL_S = 600.0


class Asked(WireModel):
    """One thing that a command wants done."""

    change: str | None = None
    """A change of the app center."""
    call: str | None = None
    """Or a call of the App Server."""
    arguments: dict[str, JsonValue]


class CommandDesk:
    """Answers commands for as long as the program runs."""

    def __init__(
        self,
        center: Callable[[], Awaitable[AppCenter | None]],
        call: CallServer,
        close_app: Callable[[str], object],
    ) -> None:
        """`center` waits for the app center that is being opened, and gives none where it cannot be."""
        self._center = center
        self._call = call
        self._close_app = close_app
        self._under_way: set[asyncio.Task[dict[str, JsonValue]]] = set()
        self._is_closed = False

    def welcome(self) -> dict[str, JsonValue]:
        """What a command is told first: one of another version asks for nothing."""
        return {"version": __version__}

    async def answer(self, text: bytes) -> dict[str, JsonValue]:
        """Do what one line asks for, and say what came of it."""
        work = asyncio.create_task(self._answer(text))
        self._under_way.add(work)
        work.add_done_callback(self._under_way.discard)
        return await asyncio.shield(work)

    async def finish(self) -> None:
        """Begin nothing more, and wait until what was begun is done."""
        self._is_closed = True
        while self._under_way:
            await asyncio.wait(self._under_way)

    async def _answer(self, text: bytes) -> dict[str, JsonValue]:
        try:
            return {"result": await self._do(_read(text))}
        except AppError as error:
            return _failure(error)
        except Exception:  # noqa: BLE001 - a fault of ours must not leave a command without an answer
            _log.exception("a command could not be answered")
            return _failure(InternalError("Lime Desktop could not do this"))

    async def _do(self, asked: Asked) -> JsonValue:
        if self._is_closed:
            raise ShuttingDown("Lime Desktop is being closed")
        if asked.change is not None:
            center = await self._center()
            if center is None:
                raise DatabaseBusy("Lime Desktop is open and cannot read its installed apps.")
            return await carry_out(center, asked.change, asked.arguments, self._close_app)
        method = _CALLS.get(asked.call or "")
        if method is None:
            raise CapabilityMethodUnknown(f"Commands make no call of the name {asked.call}")
        if method is APP_CALL and asked.arguments.get("call") not in _FOR_APPS:
            raise CapabilityMethodUnknown(
                "Commands call nothing in an app's name but its workflows"
            )
        params = method.params.read(json.dumps(asked.arguments).encode())
        answer = await self._call(method, params, timeout_s=_CALL_S)
        return json.loads(answer.to_bytes())


def _failure(error: AppError) -> dict[str, JsonValue]:
    return {"error": to_jsonable_python(error.to_data(), fallback=str)}


def _read(text: bytes) -> Asked:
    try:
        return Asked.read(text)
    except ValidationError:
        raise InvalidMessage("A command asked for something that cannot be read") from None
