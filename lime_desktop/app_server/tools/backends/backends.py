"""The backends of all apps, running or not. One of an app that is gone, or on other terms now, is ended."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec
from pydantic import JsonValue

from lime_desktop.app_package.manifest.services import Service
from lime_desktop.app_server.apps.registered import RegisteredApp, RegisteredApps
from lime_desktop.app_server.tools.backends.contract import call_seconds_of, memory_bytes_of
from lime_desktop.app_server.tools.backends.process import Launch, Times
from lime_desktop.app_server.tools.backends.program import FoundProgram
from lime_desktop.app_server.tools.backends.supervised import SupervisedBackend
from lime_desktop.app_server.tools.commands.running import CommandLimits
from lime_desktop.app_server.tools.commands.sandbox import Sandbox
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.file_names import plain_name, stored_name
from lime_desktop.protocol.errors import AppNotInstalled

_log = logging.getLogger(__name__)

_PROCESSOR_S = 86_400.0
"""Of one process, however long it lives: a day."""
_PROCESSES = 64

AnswerService = Callable[[str, str, msgspec.Raw], Awaitable[JsonValue]]
"""Answers `lime/call` of an app's service."""
_Key = tuple[str, str]


class Backends:
    """Every backend that was called since this process began."""

    def __init__(
        self, folder: Path, apps: RegisteredApps, answer: AnswerService, times: Times | None = None
    ) -> None:
        self.folder = folder
        """Each app's folders and logs are below it."""
        self._apps = apps
        self._answer = answer
        self._times = times or Times()
        self._known: dict[_Key, SupervisedBackend] = {}
        self._changing = asyncio.Lock()
        self._tasks = BackgroundTasks(_log)
        apps.registered.subscribe(self._look_at)
        apps.unregistered.subscribe(self._look_at)

    async def of(
        self, app: RegisteredApp, service: Service, program: FoundProgram, sandbox: Sandbox
    ) -> SupervisedBackend:
        """The one of a service, on the terms of this moment."""
        launch = self._launch(app, service, program, sandbox)
        key = (launch.app_id, launch.service_key)
        known = self._known.get(key)
        if known is not None and known.launch == launch:
            return known
        async with self._changing:
            known = self._known.get(key)
            if known is not None and known.launch != launch:
                # Two of them would share one folder.
                await known.stop()
            if known is None or known.launch != launch:
                answer = partial(self._answer, launch.app_id, launch.service_key)
                known = self._known[key] = SupervisedBackend(launch, answer, self._times)
            return known

    async def end_of_app(self, app_id: str) -> None:
        """End those of an app."""
        await self._end([key for key in self._known if key[0] == app_id])

    async def close(self) -> None:
        """End all."""
        await self._end(list(self._known))
        await self._tasks.cancel()

    async def _end(self, keys: list[_Key]) -> None:
        async with self._changing:
            ended = [self._known[key] for key in keys if key in self._known]
            await asyncio.gather(*(each.stop() for each in ended))
            for key in keys:
                self._known.pop(key, None)

    def _look_at(self, app_id: str) -> None:
        """An app was told of anew or taken back: what may run no more, or not so, is ended now and not at its next call."""
        kept = self._terms(app_id)
        changed = [
            key
            for key, each in self._known.items()
            if key[0] == app_id and _terms_of(each.launch) != kept
        ]
        if changed:
            self._tasks.spawn(self._end(changed))

    def _terms(self, app_id: str) -> tuple[object, ...] | None:
        try:
            told = self._apps.get(app_id).registration
        except AppNotInstalled:
            return None
        return told.package_path, told.package_hash, told.runs_unconfined

    def _launch(
        self, app: RegisteredApp, service: Service, program: FoundProgram, sandbox: Sandbox
    ) -> Launch:
        place = self.folder / plain_name(app.app_id)
        is_mediated = service.network == "host-mediated"
        return Launch(
            app_id=app.app_id,
            app_version=app.package.manifest.version,
            package_hash=app.registration.package_hash,
            service_key=service.key,
            program=program,
            folder=place / "state" / stored_name(service.key),
            log=place / "logs" / stored_name(service.key, ".log"),
            sandbox=sandbox,
            limits=CommandLimits(
                time_s=_PROCESSOR_S, memory_bytes=memory_bytes_of(service), processes=_PROCESSES
            ),
            call_s=call_seconds_of(service),
            network=app.registration.command_network if is_mediated else None,
            runs_unconfined=app.registration.runs_unconfined,
        )


def _terms_of(launch: Launch) -> tuple[object, ...]:
    return str(launch.program.package), launch.package_hash, launch.runs_unconfined
