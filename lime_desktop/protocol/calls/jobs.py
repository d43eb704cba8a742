"""job: a batch of items worked through one by one. Experimental."""

from pydantic import Field

from lime_desktop.protocol.ids import JobId, JobItemId, JsonObject, NonEmpty, SessionId, TaskId
from lime_desktop.protocol.runtime.statuses import JobItemStatus, JobStatus
from lime_desktop.protocol.runtime.threads import JobSnapshot
from lime_desktop.protocol.wire import Method, WireModel


class NewJobItem(WireModel):
    """One thing to work on."""

    job_item_id: NonEmpty[JobItemId]
    input_ref: str | None = None


class CreateJobParams(WireModel):
    """Begin a batch."""

    session_id: NonEmpty[SessionId]
    job_id: NonEmpty[JobId] | None = None
    task_id: NonEmpty[TaskId] | None = None
    title: str | None = Field(default=None, max_length=500)
    instruction_ref: str | None = None
    output_schema_ref: str | None = None
    max_runtime_s: float | None = Field(default=None, gt=0)
    items: tuple[NewJobItem, ...] = Field(default=(), max_length=10_000)


class ReportJobItemParams(WireModel):
    """Say how one item stands. Reporting the same outcome again changes nothing."""

    session_id: NonEmpty[SessionId]
    job_id: NonEmpty[JobId]
    job_item_id: NonEmpty[JobItemId]
    status: JobItemStatus
    output_ref: str | None = None
    last_error: JsonObject | None = None
    retryable: bool = False


class ReportJobParams(WireModel):
    """Say how the batch as a whole stands."""

    session_id: NonEmpty[SessionId]
    job_id: NonEmpty[JobId]
    status: JobStatus
    failure_category: str | None = None
    message: str | None = Field(default=None, max_length=8_000)


class JobParams(WireModel):
    """Name a job. Cancelling leaves finished items finished."""

    session_id: NonEmpty[SessionId]
    job_id: NonEmpty[JobId]
    reason: str | None = Field(default=None, max_length=2_000)


class ListJobsParams(WireModel):
    """List a session's jobs."""

    session_id: NonEmpty[SessionId]


class JobResult(WireModel):
    """The job as it now stands."""

    job: JobSnapshot


class ListJobsResult(WireModel):
    """All of them."""

    jobs: tuple[JobSnapshot, ...]


CREATE_JOB = Method("job/create", CreateJobParams, JobResult)
REPORT_JOB_ITEM = Method("job/item/report", ReportJobItemParams, JobResult)
REPORT_JOB = Method("job/report", ReportJobParams, JobResult)
CANCEL_JOB = Method("job/cancel", JobParams, JobResult, "Stop a job; finished items stay finished.")
READ_JOB = Method("job/read", JobParams, JobResult, "Read a job with its items.")
LIST_JOBS = Method("job/list", ListJobsParams, ListJobsResult)
