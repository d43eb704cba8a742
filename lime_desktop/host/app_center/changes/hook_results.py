"""What comes of hooks that were due: the app is on, off with the reason, or back at the version before."""

from typing import NoReturn

from lime_desktop.host.app_center.changes.due_hooks import hook_error
from lime_desktop.host.app_center.changes.parts import CenterParts
from lime_desktop.host.app_center.changes.rolling_back import roll_back
from lime_desktop.host.app_center.packages.progress import InstallProgress
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.records.rows import put_app
from lime_desktop.protocol.calls.lifecycle_hooks import HookOutcome
from lime_desktop.protocol.hook_points import HookPoint


async def run_due(
    parts: CenterParts, app: InstalledApp, due: tuple[HookPoint, ...], *, is_attended: bool
) -> InstalledApp:
    """Run what must have run, and keep what came of it: the app is on, or off with the reason."""
    after = await parts.hooks.run_due(app, due, is_attended=is_attended)
    await parts.ledger.change(lambda connection: put_app(connection, after))
    return after


async def take_back(parts: CenterParts, before: InstalledApp, failed: HookOutcome) -> NoReturn:
    """Bring back the version that an update replaced, on as it was, and say why.

    Raises:
        LifecycleHookFailed: always.
    """
    back = await roll_back(parts, before.app_id, None, InstallProgress())
    now = {"is_enabled": before.is_enabled, "failed_hook": failed}
    on = back.model_copy(update=now)
    await parts.ledger.change(lambda connection: put_app(connection, on))
    raise hook_error(failed, is_taken_back=True)
