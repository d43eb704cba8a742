"""When which lifecycle hook of an app runs, and what its failure decides. Knows neither tools nor servers.

Before an app is switched on, what is due must have run: a failure leaves it off, and an update is taken back. A person
who disables or removes an app is never held up by what the app wants run then: it is run, and told.
"""

from collections.abc import Iterable
from typing import Protocol

from lime_desktop.app_package.lifecycle import lifecycle_hooks
from lime_desktop.app_package.manifest import Manifest
from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.protocol.calls.lifecycle_hooks import HookOutcome
from lime_desktop.protocol.errors import AppError, LifecycleHookFailed
from lime_desktop.protocol.hook_points import HookPoint
from lime_desktop.protocol.ids import SessionId

_IN_ORDER: tuple[HookPoint, ...] = ("install", "upgrade", "activate")


class RunHook(Protocol):
    """Has a hook run, and says what came of it; a failure is an answer."""

    async def __call__(
        self, app: InstalledApp, point: HookPoint, *, is_attended: bool
    ) -> HookOutcome:
        """Run the hook of an installed app for one moment."""
        ...


class LoadInstalled(Protocol):
    """Reads the package of an installed app."""

    async def __call__(self, app_id: str) -> AppPackage:
        """The package, checked against its hash; raises an `AppError` where it is not that any more."""
        ...


class HookRuns:
    """The hooks of installed apps."""

    def __init__(self) -> None:
        self.runner: RunHook | None = None
        """Set by whoever can have tools run. Without one, what is due stays due."""

    async def run_due(
        self, app: InstalledApp, due: Iterable[HookPoint], *, is_attended: bool
    ) -> InstalledApp:
        """Run what must have run before the app is on; gives it switched on, or as it stands after a failure."""
        left = in_order(due)
        for point in left:
            outcome = await self._run(app, point, is_attended=is_attended)
            if not outcome.is_done:
                rest = left[left.index(point) :]
                failed = {"is_enabled": False, "due_hooks": rest, "failed_hook": outcome}
                return app.model_copy(update=failed)
        return app.model_copy(update={"is_enabled": True, "due_hooks": (), "failed_hook": None})

    async def run_last(
        self, app: InstalledApp, point: HookPoint, load: LoadInstalled
    ) -> HookOutcome | None:
        """Run what is to run as an app is disabled or removed; None where it wants nothing run."""
        try:
            manifest = (await load(app.app_id)).manifest
        except (AppError, OSError):
            return None  # nothing of a package that was changed on disk is run, and nothing waits for it
        if point not in declared_points(manifest):
            return None
        return await self._run(app, point, is_attended=True)

    async def _run(self, app: InstalledApp, point: HookPoint, *, is_attended: bool) -> HookOutcome:
        if self.runner is None:
            text = "Nothing of an app can be run here."
            return failed_outcome(point, "unavailable", text)
        return await self.runner(app, point, is_attended=is_attended)


def failed_outcome(point: HookPoint, category: str, message: str) -> HookOutcome:
    """What is said of a hook that could not even begin."""
    return HookOutcome(
        point=point, session_id=SessionId(""), is_done=False, category=category, message=message
    )


def hook_error(outcome: HookOutcome, *, is_taken_back: bool = False) -> LifecycleHookFailed:
    """A failure as whoever changes an app hears it."""
    details = {
        "hookPoint": outcome.point,
        "reasonCode": outcome.category or "",
        "isTakenBack": is_taken_back,
    }
    return LifecycleHookFailed(outcome.message or "", details=details)


def in_order(points: Iterable[HookPoint]) -> tuple[HookPoint, ...]:
    """What leads to an app that is on, in the order of running."""
    wanted = set(points)
    return tuple(point for point in _IN_ORDER if point in wanted)


def declared_points(manifest: Manifest) -> frozenset[HookPoint]:
    """The moments for which a manifest has a hook."""
    return frozenset(hook.point for hook in lifecycle_hooks(manifest))


def due_at_install(manifest: Manifest) -> tuple[HookPoint, ...]:
    """What must run before a new app is on."""
    return in_order(declared_points(manifest) & {"install", "activate"})


def due_at_update(before: InstalledApp, manifest: Manifest) -> tuple[HookPoint, ...]:
    """What must run before a new version is on: an app that was never set up is set up by its own install hook."""
    due = {*before.due_hooks} if "install" in before.due_hooks else {*before.due_hooks, "upgrade"}
    return in_order(declared_points(manifest) & due)


def due_at_enabling(app: InstalledApp, manifest: Manifest) -> tuple[HookPoint, ...]:
    """What must run before an app that was off is on again."""
    return in_order(declared_points(manifest) & {*app.due_hooks, "activate"})
