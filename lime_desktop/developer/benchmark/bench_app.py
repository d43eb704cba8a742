"""An installed app made known to an App Server for a benchmark, under everything that holds for it in the window."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.requests.app_without_window import (
    app_without_window,
    require_allowed,
    require_ready,
)
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.called import targets_of
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.capability_calls.agent import START_TASK


def app_for_benchmark(
    center: AppCenter, call: CallServer, data_dir: Path, app_id: str, locale: str
) -> AbstractAsyncContextManager[RegisteredApp]:
    """The app, known to the server and ready to work.

    Raises:
        AppNotInstalled: there is no such app.
        ReadinessBlocked: it is not set up.
        PolicyDenied: whoever governs here lets it start no tasks.
    """
    return app_without_window(center, call, data_dir, app_id, locale, require=_require)


def _require(app: RegisteredApp) -> None:
    require_ready(app)
    require_task(app)


def require_task(app: RegisteredApp, asked: StartTaskParams | None = None) -> None:
    """Refuse what no yes could let pass, of any task or of this one; that a person wants it, the command itself says.

    Raises:
        AppError: the app does not declare what the task names, or whoever governs here forbids it.
    """
    call = PolicyCall(
        app_id=app.app_id,
        capability=START_TASK.capability,
        method=START_TASK.method,
        entry=asked.entry if asked else None,
        targets=() if asked is None else targets_of(asked),
        access="execute",
        has_idempotency_key=True,
    )
    require_allowed(app, START_TASK.name, call)
