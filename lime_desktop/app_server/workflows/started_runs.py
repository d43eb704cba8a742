"""How the run stands that a schedule or a trigger began last: a start alone says nothing of what came of it."""

from lime_desktop.app_server.workflows.store import RunStore
from lime_desktop.app_server.workflows.told import tell_run
from lime_desktop.protocol.errors import WorkflowRunNotFound
from lime_desktop.protocol.schedules import ScheduledStart, StartedRun


async def with_its_run(store: RunStore, start: ScheduledStart | None) -> ScheduledStart | None:
    """The start with how its run stands, as long as that is on record."""
    if start is None or start.workflow_run_id is None:
        return start
    try:
        run = await tell_run(await store.find(start.workflow_run_id), store.values)
    except WorkflowRunNotFound:
        return start
    stands = StartedRun(
        status=run.status,
        waits_for=run.waits_for,
        decision=run.decision,
        error=run.error,
        session_id=run.session_id,
    )
    return start.model_copy(update={"run": stands})
