"""localModel/*: installs run here, beside the calls that ask for them, and tell how far they are."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.models.catalogue import known_model
from lime_desktop.app_server.models.free_memory import available_bytes
from lime_desktop.app_server.models.installation import (
    OnProgress,
    Progress,
    install_file,
    install_known,
    name_for,
)
from lime_desktop.app_server.models.listing import ABOUT_OWN_FILES, engine_problem, list_models
from lime_desktop.app_server.models.store import InstalledModel, ModelStore
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.protocol.calls.local_models import (
    InstallLocalModelParams,
    ListLocalModelsResult,
    LocalModel,
    LocalModelParams,
    LocalModelResult,
    RemoveLocalModelResult,
)
from lime_desktop.protocol.errors import AppError, Conflict, InternalError, InvalidInput
from lime_desktop.protocol.wire import HostOnlyParams

_log = logging.getLogger(__name__)

_TELL_EVERY_S = 0.1

Announce = Callable[[LocalModel], None]
Install = Callable[[OnProgress], Awaitable[InstalledModel]]


class _Installing:
    """One install: what it does now, and the task that does it."""

    def __init__(self, model: LocalModel) -> None:
        self.model = model
        self.task: asyncio.Task[object] | None = None
        self.told_at = float("-inf")


class LocalModels:
    """The models of one store, and the installs that run now. `close` stops those."""

    def __init__(self, store: ModelStore, announce: Announce) -> None:
        self._store = store
        self._announce = announce
        self._installing: dict[str, _Installing] = {}
        self._problems: dict[str, str] = {}
        self._tasks = BackgroundTasks(_log)

    async def list(self, params: HostOnlyParams, context: CallContext) -> ListLocalModelsResult:
        """OnProgress every model, with what is going on now."""
        del params, context
        models = await asyncio.to_thread(list_models, self._store)
        named = {model.model_id for model in models}
        coming = [row.model for name, row in self._installing.items() if name not in named]
        told = (*(self._as_it_is(model) for model in models), *coming)
        free = await asyncio.to_thread(available_bytes)
        return ListLocalModelsResult(
            models=told,
            available_memory_mb=None if free is None else free // 1_000_000,
            engine_problem=engine_problem(),
        )

    async def install(
        self, params: InstallLocalModelParams, context: CallContext
    ) -> LocalModelResult:
        """Begin, and return at once."""
        del context
        if (params.path is None) == (params.model_id is None):
            raise InvalidInput("Name either a known model or a file.")
        if params.path is not None:
            return LocalModelResult(model=self._install_file(Path(params.path)))
        return LocalModelResult(model=await self._install_known(params.model_id or ""))

    async def cancel(self, params: LocalModelParams, context: CallContext) -> LocalModelResult:
        """Stop an install, and wait until it has stopped."""
        del context
        row = self._installing.get(params.model_id)
        if row is None or row.task is None:
            raise Conflict("This model is not being installed.")
        row.task.cancel()
        await asyncio.wait([row.task])
        return LocalModelResult(model=await self._model(params.model_id, row.model))

    async def remove(
        self, params: LocalModelParams, context: CallContext
    ) -> RemoveLocalModelResult:
        """Delete a model; one that is being installed must be stopped first."""
        del context
        if params.model_id in self._installing:
            raise Conflict("This model is being installed.")
        self._problems.pop(params.model_id, None)
        was_there = await asyncio.to_thread(self._store.remove, params.model_id)
        if was_there and known_model(params.model_id):
            self._announce(await self._model(params.model_id))
        return RemoveLocalModelResult(was_there=was_there)

    async def close(self) -> None:
        """Stop every install; each goes on from where it was the next time."""
        await self._tasks.cancel()

    async def _install_known(self, model_id: str) -> LocalModel:
        known = known_model(model_id)
        if known is None:
            raise InvalidInput("No model of this name is known.")
        if model_id in self._installing:
            return self._installing[model_id].model
        model = await self._model(model_id)
        if model.state == "installed":
            return model
        return self._begin(
            model, lambda on_progress: install_known(self._store, known, on_progress)
        )

    def _install_file(self, path: Path) -> LocalModel:
        name = name_for(path)
        if name in self._installing:
            return self._installing[name].model
        model = LocalModel(
            model_id=name,
            title=path.stem,
            about=ABOUT_OWN_FILES,
            size_bytes=0,
            sha256="",
            state="installing",
            is_own_file=True,
        )
        return self._begin(model, lambda on_progress: install_file(self._store, path, on_progress))

    def _begin(self, model: LocalModel, install: Install) -> LocalModel:
        self._problems.pop(model.model_id, None)
        row = _Installing(model.model_copy(update={"state": "installing", "problem": None}))
        self._installing[model.model_id] = row
        row.task = self._tasks.spawn(self._run(row, install))
        return row.model

    async def _run(self, row: _Installing, install: Install) -> None:
        def on_progress(progress: Progress) -> None:
            row.model = row.model.model_copy(
                update={
                    "phase": progress.phase,
                    "done_bytes": progress.done_bytes,
                    "size_bytes": progress.total_bytes,
                }
            )
            if time.monotonic() - row.told_at >= _TELL_EVERY_S:
                row.told_at = time.monotonic()
                self._announce(row.model)

        name = row.model.model_id
        try:
            await install(on_progress)
        except AppError as error:
            self._problems[name] = error.message
        except Exception:  # noqa: BLE001 - a bug in an install is told as any other failure of it
            _log.exception("an install failed")
            self._problems[name] = InternalError.__doc__ or ""
        finally:
            self._installing.pop(name, None)
            self._announce(await self._model(name, row.model))

    async def _model(self, model_id: str, otherwise: LocalModel | None = None) -> LocalModel:
        """A model as it is now; an own file whose install ended without it is only remembered."""
        for model in await asyncio.to_thread(list_models, self._store):
            if model.model_id == model_id:
                return self._as_it_is(model)
        if otherwise is None:
            raise InvalidInput("No model of this name is known.")
        gone = otherwise.model_copy(update={"state": "available", "phase": None, "done_bytes": 0})
        return self._as_it_is(gone)

    def _as_it_is(self, model: LocalModel) -> LocalModel:
        if row := self._installing.get(model.model_id):
            return row.model
        problem = self._problems.get(model.model_id)
        if problem is None or model.state == "installed":
            return model
        return model.model_copy(update={"state": "failed", "problem": problem})
