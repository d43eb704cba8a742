"""Wraps every engine: a turn that fails is told by the code of the app's own catalogue, and held to its number of retries."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import cast

from lime_desktop.app_server.app_evidence.service import AppEvidence
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.runtime_core.backend import (
    EngineMiddleware,
    ExecutionBackend,
    TurnRequest,
)
from lime_desktop.app_server.task_request import task_request_in
from lime_desktop.protocol.capability_calls.evidence import APP_ERROR, RecordEvidenceParams
from lime_desktop.protocol.errors import AppError, AppNotInstalled
from lime_desktop.protocol.errors.declared import DeclaredFailure
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.protocol.runtime.events import ProposedEvent

_log = logging.getLogger(__name__)

_DEFAULT_LOCALE = "en"


class DeclaredErrorsMiddleware(EngineMiddleware):
    """An engine whose failures have the app's own names."""

    def __init__(
        self, engine: ExecutionBackend, apps: RegisteredApps, evidence: AppEvidence
    ) -> None:
        super().__init__(engine)
        self._apps = apps
        self._evidence = evidence

    async def run_turn(self, request: TurnRequest) -> AsyncIterator[ProposedEvent]:
        """The engine's work; where it fails, with what the app says of that."""
        stream = cast("AsyncGenerator[ProposedEvent]", self._engine.run_turn(request))
        async with aclosing(stream):
            try:
                async for event in stream:
                    yield await self._named(request, event)
            except AppError as error:
                error.declared = await self._declared(request, error.code)
                raise

    async def _named(self, request: TurnRequest, event: ProposedEvent) -> ProposedEvent:
        # An engine may yield anything: what is no proposal is judged by whoever reads it.
        if not isinstance(event, ProposedEvent) or event.type != "turn.failed":  # pyright: ignore[reportUnnecessaryIsInstance]
            return event
        declared = await self._declared(request, str(event.payload.get("code") or ""))
        if declared is None:
            return event
        return event.model_copy(update={"payload": {**event.payload, **declared.to_payload()}})

    async def _declared(self, request: TurnRequest, code: str) -> DeclaredFailure | None:
        task = task_request_in(request.options)
        locale = task.locale if task and task.locale else _DEFAULT_LOCALE
        try:
            app = self._apps.get(request.app_id)
        except AppNotInstalled:
            return None
        found = app.package.errors.of_task(code, locale)
        if found is None:
            return None
        provenance = task.provenance if task else app.provenance
        await self._record(found, provenance, request)
        return found.after(task.retry_attempt if task else 0)

    async def _record(
        self, found: DeclaredFailure, provenance: Provenance, request: TurnRequest
    ) -> None:
        fact = RecordEvidenceParams(
            kind=APP_ERROR,
            message=f"A task failed: {found.code} {found.name}",
            subject=found.code,
            refs=(f"task:{request.task_id}",),
        )
        try:
            await self._evidence.keep(fact, provenance, run_id=request.run_id)
        except AppError:
            # The log has the same in the turn's own end.
            _log.warning("evidence of a failed task was not kept", exc_info=True)
