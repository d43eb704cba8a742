"""The facts of a run. Pure: what is said when, and nothing of why."""

from lime_desktop.app_server.runtime_core.facts import CoreFact, fact
from lime_desktop.app_server.workflows.detail import Failure, RunDetail, StepDetail, stated, written
from lime_desktop.protocol.ids import JobId, JobItemId, JsonObject
from lime_desktop.protocol.runtime.event_types import EventType


class RunFacts:
    """Says things of one run."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id

    def created(self, title: str, detail: RunDetail) -> CoreFact:
        """The run is stated."""
        return self._fact("job.created", {"title": title, "detail": written(detail)})

    def started(self, **fields: object) -> CoreFact:
        """Work on it begins, or goes on after it had failed."""
        return self._fact("job.started", {"detail": stated(**fields)})

    def stands(self, **fields: object) -> CoreFact:
        """Something about the whole run has changed."""
        return self._fact("job.progress", {"detail": stated(**fields)})

    def succeeded(self, **fields: object) -> CoreFact:
        """It came to its end."""
        return self._fact("job.completed", {"detail": stated(**fields)})

    def failed(self, error: Failure, **fields: object) -> CoreFact:
        """It stopped on a failure."""
        payload: JsonObject = {
            "failureCategory": error.code,
            "message": error.message,
            "retryable": error.retryable,
            "detail": stated(error=error, **fields),
        }
        return self._fact("job.failed", payload)

    def cancelled(self, **fields: object) -> CoreFact:
        """It was stopped."""
        return self._fact("job.cancelled", {"detail": stated(**fields)})

    def step_started(self, step: str, detail: StepDetail) -> CoreFact:
        """A state is worked on."""
        payload: JsonObject = {"detail": written(detail)}
        return self._fact("job.item.started", payload, step)

    def step_again(self, step: str, **fields: object) -> CoreFact:
        """A state is worked on once more."""
        cleared = {"waits_for": None, "due_at": None, "due_means": None}
        return self._fact("job.item.started", {"detail": stated(**{**cleared, **fields})}, step)

    def step_waits(self, step: str, **fields: object) -> CoreFact:
        """A state waits for something."""
        return self._fact("job.progress", {"detail": stated(**fields)}, step, phase="waiting")

    def step_done(self, step: str, **fields: object) -> CoreFact:
        """A state is done."""
        cleared = {"waits_for": None, "due_at": None, "due_means": None}
        payload: JsonObject = {"detail": stated(**{**cleared, **fields})}
        return self._fact("job.item.completed", payload, step)

    def step_failed(self, step: str, error: Failure, **fields: object) -> CoreFact:
        """A state failed; what follows from it is said by the facts behind it."""
        cleared = {"waits_for": None, "due_at": None, "due_means": None}
        payload: JsonObject = {
            "lastError": {
                "failureCategory": error.code,
                "message": error.message,
                "retryable": error.retryable,
            },
            "retryable": error.retryable,
            "detail": stated(**{**cleared, **fields}),
        }
        return self._fact("job.item.failed", payload, step)

    def step_left(self, step: str, *, phase: str) -> CoreFact:
        """A state is not worked on any more, though it was not done: cancelled with its run, or skipped."""
        cleared = stated(waits_for=None, due_at=None, due_means=None)
        return self._fact("job.progress", {"detail": cleared}, step, phase=phase)

    def _fact(
        self,
        event_type: EventType,
        payload: JsonObject,
        step: str | None = None,
        phase: str | None = None,
    ) -> CoreFact:
        return fact(
            event_type,
            job_id=JobId(self.run_id),
            job_item_id=None if step is None else JobItemId(step),
            phase=phase,
            payload=payload,
        )
