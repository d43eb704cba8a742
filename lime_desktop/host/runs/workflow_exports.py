"""A workflow's run as files for somebody who was not there: its own facts, and those of everybody who worked or decided in it."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

from lime_desktop.file_names import shown_name
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.runs.run_exports import export_run
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.capability_calls.workflow import WorkflowRunDetails
from lime_desktop.protocol.errors import HostActionFailed

WorkflowExportKind = Literal["evidence", "review"]
WORKFLOW_EXPORT_KINDS: tuple[WorkflowExportKind, ...] = get_args(WorkflowExportKind)


async def export_workflow_run(
    call: CallServer,
    kind: WorkflowExportKind,
    run: WorkflowRunDetails,
    data: Path,
    into: Path,
    texts: Texts,
) -> Path:
    """Write a run into a new folder of the person's, one export for each of its sessions, and say which folder.

    Raises:
        HostActionFailed: it could not be written there, or something of that name is there.
    """
    target = into / shown_name(f"{kind}-{run.key}-{run.workflow_run_id}")
    try:
        await asyncio.to_thread(target.mkdir)
    except OSError as error:
        raise HostActionFailed(f"The folder could not be made: {error.strerror}") from None
    for session_id in _sessions(run):
        await export_run(call, kind, session_id, data, target, texts)
    return target


def _sessions(run: WorkflowRunDetails) -> Iterable[str]:
    """Its own, and those of its steps in their order; each once."""
    of_steps = (each.session_id for each in run.steps if each.session_id)
    return dict.fromkeys([run.session_id, *of_steps])
