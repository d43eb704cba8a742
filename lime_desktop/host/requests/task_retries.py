"""A failed task of an app, run again because a person pressed for it in the host's own window."""

import time

from lime_desktop.host.app_server_client.calling import CallServer, call_for_app
from lime_desktop.host.apps.provenance import provenance_of
from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.host.requests.asked_call import AskedCall, Caller
from lime_desktop.host.requests.gate import refusal_of
from lime_desktop.host.requests.view_snapshots import policy_facts
from lime_desktop.policy.call import DryRun
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Denied
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.bridge.from_app import InvokePayload
from lime_desktop.protocol.capability_calls.agent import RETRY_TASK, TaskParams
from lime_desktop.protocol.ids import TaskId


async def retry_task(
    call: CallServer, app: RegisteredApp, task_id: str, session_id: str, locale: str
) -> TaskRecord:
    """Run it again, as the app could. The press answers what a person would be asked; what is denied stays so.

    Raises:
        AppError: a rule denies it, or it was retried as often as the app allows.
    """
    params = TaskParams(task_id=TaskId(task_id))
    payload = InvokePayload(capability="lime.agent", method="retryTask", input=params.to_wire())
    caller = Caller(app.app_id, None, session_id, app.governing.workspace_id)
    asked = AskedCall(RETRY_TASK, payload, params).for_policy(caller, DryRun.DONE)
    decision = decide(asked, policy_facts(app, int(time.time() * 1_000)))
    if isinstance(decision, Denied):
        raise refusal_of(asked.name, decision)
    teller = AppCaller(provenance=provenance_of(app), locale=locale)
    return await call_for_app(call, teller, RETRY_TASK, params)
