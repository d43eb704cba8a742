"""job/*: batches of items worked through one by one. Facts only."""

from collections.abc import Sequence
from typing import Any

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.runtime_core.commands.named_records import (
    list_records,
    read_record,
    require,
    without_nothing,
)
from lime_desktop.app_server.runtime_core.commands.task_facts import with_reason
from lime_desktop.app_server.runtime_core.facts import fact
from lime_desktop.app_server.runtime_core.folds.work import JobItem
from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.runtime_core.log.journal import Decide, Journal, SessionView
from lime_desktop.app_server.runtime_core.reading.paging import page_of
from lime_desktop.app_server.runtime_core.reading.session_reader import SessionReader
from lime_desktop.protocol.calls.jobs import (
    CreateJobParams,
    JobParams,
    JobResult,
    ListJobsParams,
    ListJobsResult,
    ReportJobItemParams,
    ReportJobParams,
)
from lime_desktop.protocol.errors import Conflict
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.event_types import EventType
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.runtime.threads import JobSnapshot
from lime_desktop.protocol.wire import WireModel

MAX_LISTED_ITEMS = 1_000


class JobCommands:
    """Batches of items. A job's status is never that of an item."""

    def __init__(self, journal: Journal):
        self._journal = journal

    async def create(self, params: CreateJobParams, context: CallContext) -> JobResult:
        """Record a batch; its items are named once, here."""
        job_id = params.job_id or new_id("job")
        payload = without_nothing(
            {
                "title": params.title,
                "instructionRef": params.instruction_ref,
                "outputSchemaRef": params.output_schema_ref,
                "maxRuntimeS": params.max_runtime_s,
                "counts": {"items": len(params.items)},
            }
        )

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            if view.get("job", job_id):
                raise Conflict("A job of this id exists.")
            ids: dict[str, Any] = {
                "job_id": job_id,
                "task_id": params.task_id,
                "trace_id": context.trace_id or None,
            }
            return [fact("job.created", payload=payload, **ids)]

        return await self._after(params.session_id, job_id, decide)

    async def report_item(self, params: ReportJobItemParams, context: CallContext) -> JobResult:
        """Record an item's outcome. Saying it again changes nothing and duplicates no output."""
        del context
        kinds: dict[str, EventType] = {
            "running": "job.item.started",
            "completed": "job.item.completed",
            "reported": "job.item.completed",
            "failed": "job.item.failed",
        }
        payload = without_nothing(
            {
                "status": params.status,
                "outputRef": params.output_ref,
                "lastError": params.last_error,
                "retryable": params.retryable,
            }
        )

        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            require(view, JobSnapshot, "job", params.job_id)
            item = view.get("job_item", params.job_item_id)
            event_type = kinds.get(params.status)
            if event_type is None or _is_told(item, event_type):
                return ()
            ids: dict[str, Any] = {"job_id": params.job_id, "job_item_id": params.job_item_id}
            return [fact(event_type, payload=payload, **ids)]

        return await self._after(params.session_id, params.job_id, decide)

    async def report(self, params: ReportJobParams, context: CallContext) -> JobResult:
        """Record how the batch as a whole stands."""
        del context
        kinds: dict[str, EventType] = {
            "queued": "job.progress",
            "running": "job.started",
            "completed": "job.completed",
            "failed": "job.failed",
            "cancelled": "job.cancelled",
        }
        payload = without_nothing(
            {"failureCategory": params.failure_category, "message": params.message}
        )
        return await self._tell(params.session_id, params.job_id, kinds[params.status], payload)

    async def cancel(self, params: JobParams, context: CallContext) -> JobResult:
        """End the batch; finished items stay finished."""
        del context
        why = with_reason({}, params.reason)
        return await self._tell(params.session_id, params.job_id, "job.cancelled", why)

    async def read(self, params: JobParams, context: CallContext) -> JobResult:
        """One job with its items."""
        del context
        return await self._result(params.session_id, params.job_id)

    async def list(self, params: ListJobsParams, context: CallContext) -> ListJobsResult:
        """Every job."""
        del context
        return ListJobsResult(
            jobs=await list_records(self._journal, params.session_id, JobSnapshot, "job")
        )

    async def _tell(
        self, session_id: str, job_id: str, event_type: EventType, payload: JsonObject
    ) -> JobResult:
        def decide(view: SessionView) -> Sequence[ProposedEvent]:
            job = require(view, JobSnapshot, "job", job_id)
            if job.status in {"completed", "failed", "cancelled"}:
                raise Conflict("The job has ended.", details={"status": job.status})
            return [fact(event_type, job_id=job_id, payload=payload)]

        return await self._after(session_id, job_id, decide)

    async def _after(self, session_id: str, job_id: str, decide: Decide) -> JobResult:
        await self._journal.append(session_id, decide)
        return await self._result(session_id, job_id)

    async def _result(self, session_id: str, job_id: str) -> JobResult:
        job = await read_record(self._journal, session_id, JobSnapshot, "job", job_id)
        items, _ = await self._journal.read(
            session_id,
            lambda connection, row: page_of(
                SessionReader.of(connection, row),
                JobItem,
                "job_item",
                None,
                MAX_LISTED_ITEMS,
                lambda item: item.job_id == job_id,
            ),
        )
        shown = tuple(item.to_wire() for item in reversed(items))
        return JobResult(job=job.model_copy(update={"items": shown}))


def _is_told(item: WireModel | None, event_type: EventType) -> bool:
    """An item that is finished stays so; only a failed one can be started again."""
    if not isinstance(item, JobItem):
        return False
    if event_type == "job.item.started":
        return item.status in {"running", "completed"}
    return item.status in {"completed", event_type.removeprefix("job.item.")}
