"""Has the App Server run a lifecycle hook of an installed app, with what people and policies say of the app now."""

import asyncio
import secrets

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.changes.due_hooks import failed_outcome
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.app_assessment import AppAssessor, read_installed
from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.host.apps.registration import registration_of
from lime_desktop.host.proxy.access import AgentNetwork
from lime_desktop.protocol.calls.apps import RegisterAppParams
from lime_desktop.protocol.calls.lifecycle_hooks import (
    LONGEST_ANSWER_S,
    LONGEST_HOOK_S,
    RUN_HOOK,
    HookOutcome,
    RunHookParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.hook_points import HookPoint
from lime_desktop.protocol.ids import SessionId

_LONGEST_S = LONGEST_HOOK_S + 5 * LONGEST_ANSWER_S + 30.0
"""Longer than the server lets one take, with every question that it may ask."""


class HookRunner:
    """Runs the hooks of the apps of one center. Without somebody at the screen, none is attended."""

    def __init__(
        self,
        center: AppCenter,
        call: CallServer,
        network: AgentNetwork | None = None,
        *,
        is_attended: bool = True,
    ) -> None:
        self._center = center
        self._call = call
        self._network = network
        self._is_attended = is_attended

    async def __call__(
        self, app: InstalledApp, point: HookPoint, *, is_attended: bool
    ) -> HookOutcome:
        """Run the hook of an installed app for one moment; a failure is an answer."""
        try:
            registration = await asyncio.to_thread(self._registration, app)
            params = RunHookParams(
                registration=registration,
                point=point,
                session_id=SessionId(f"session_hook_{secrets.token_hex(12)}"),
                is_attended=is_attended and self._is_attended,
            )
            return (await self._call(RUN_HOOK, params, timeout_s=_LONGEST_S)).outcome
        except AppError as error:
            return failed_outcome(point, error.stable_code, error.message)
        except OSError:
            return failed_outcome(point, "package_invalid", "The app's files could not be read.")

    def _registration(self, app: InstalledApp) -> RegisterAppParams:
        """The app as it would be registered, but for being off. Reads its package. Blocks."""
        assessor = AppAssessor("en")
        assessor.center = self._center
        judged = assessor.judge(app, read_installed(self._center, app), None)
        standing = {"readiness_state": "ready" if _may_run(judged) else "disabled"}
        return registration_of(judged, self._network).model_copy(update=standing)


def _may_run(app: RegisteredApp) -> bool:
    """Whether anything of it may run at all.

    What it needs to be set up with is no reason against a hook, which may be a part of that: what the hook's own tool
    lacks, the tool says.
    """
    is_revoked = app.recall is not None and app.recall.kind == "revoked"
    is_whole = app.package.is_valid and app.trust != "mismatched"
    return is_whole and not is_revoked and app.governing.is_allowed
