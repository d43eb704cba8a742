"""Evals that a person has run from the window: how far each is, the way to stop it, and what came of it kept for readiness.

Knows no widget. The App Server judges; one that was stopped or failed has no outcome, and is told as what it was before.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.background.observers import Observers
from lime_desktop.background.tasks import BackgroundTasks, Failed
from lime_desktop.host.app_center.records.records import now_ms
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.protocol.calls.evals import RUN_EVAL, EvalOutcome, EvalTally, RunEvalParams
from lime_desktop.protocol.errors import AppError, Conflict
from lime_desktop.protocol.ids import AppId

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class EvalProgress:
    """How far an eval is."""

    done: int
    total: int | None = None
    """None until somebody knows."""


Tell = Callable[[EvalProgress], None]


class EvalRuns:
    """The evals that run now."""

    def __init__(self, registry: AppRegistry, call: CallServer) -> None:
        self._registry = registry
        self._call = call
        self._tasks = BackgroundTasks(_log, AppError)
        self._running: dict[tuple[str, str], EvalProgress] = {}
        self._endings: dict[tuple[str, str], Callable[[], object]] = {}
        self._watchers = Observers[()]()

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change; the returned function ends it."""
        return self._watchers.subscribe(watcher)

    def progress(self, app_id: str, eval_key: str) -> EvalProgress | None:
        """How far an eval is; None where it does not run."""
        return self._running.get((app_id, eval_key))

    def start(self, app: RegisteredApp, eval_key: str, failed: Failed) -> None:
        """Run an eval, unless it runs already; `failed` hears why it could not be."""
        meant = (app.app_id, eval_key)
        if meant in self._running:
            return
        self._tell(meant, EvalProgress(0))
        task = self._tasks.spawn(self._run(app, eval_key), failed)
        self._endings[meant] = task.cancel
        # Also of one that is cancelled before its first step.
        task.add_done_callback(lambda _task: self._end(meant))

    def stop(self, app_id: str, eval_key: str) -> None:
        """End an eval; nothing is kept of it."""
        end = self._endings.get((app_id, eval_key))
        if end is not None:
            end()

    def end_soon(self) -> None:
        """End everything without waiting for it."""
        self._watchers.clear()
        self._tasks.cancel_soon()

    async def _run(self, app: RegisteredApp, eval_key: str) -> None:
        meant = (app.app_id, eval_key)
        outcome = await run_eval(self._call, app, eval_key, lambda each: self._tell(meant, each))
        await self._registry.keep_outcome(app, outcome)

    def _tell(self, meant: tuple[str, str], progress: EvalProgress) -> None:
        self._running[meant] = progress
        self._watchers.notify()

    def _end(self, meant: tuple[str, str]) -> None:
        self._running.pop(meant, None)
        self._endings.pop(meant, None)
        self._watchers.notify()


async def run_eval(call: CallServer, app: RegisteredApp, eval_key: str, tell: Tell) -> EvalOutcome:
    """Have an eval run to its end.

    Raises:
        AppError: it cannot be run, or the server knows other bytes of the app by now.
    """
    package_hash, app_id = provenance_of(app).package_hash, AppId(app.app_id)
    tally, first = EvalTally(), 0
    while True:
        asked = RunEvalParams(app_id=app_id, eval_key=eval_key, first=first)
        part = await call(RUN_EVAL, asked)
        if part.package_hash != package_hash:
            raise Conflict("The app changed while its eval was run. Run it again")
        tally = _joined(tally, part.tally)
        if part.next is None:
            return EvalOutcome(
                eval_key=eval_key, at_ms=now_ms(), threshold=part.threshold, **tally.model_dump()
            )
        first = part.next
        tell(EvalProgress(first, part.total))


def _joined(one: EvalTally, other: EvalTally) -> EvalTally:
    scores = [each.score for each in (one, other) if each.score is not None]
    return EvalTally(
        cases=one.cases + other.cases,
        wrong=one.wrong + other.wrong,
        worse=one.worse + other.worse,
        score=min(scores, default=None),
    )
