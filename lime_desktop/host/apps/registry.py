"""The apps at hand: read, judged, and ready to be looked at or opened. Knows packages; knows no widget.

A view over the app center: installed apps with the grants that are kept for them. Beside them stand packages that a
developer opened where they lie; these take the place of an installed app of the same name, and what they are granted
holds until the program ends.

Reading a package (`installed_packages`) and judging it (`judging`) takes far longer than naming it, so not all are read
at once. An app that was not read yet is `unread`: it has a name, and nothing may be decided about it.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.background.observers import Observers
from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.host.app_center.catalog.folders import find_packages
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.permissions import refused_permission
from lime_desktop.host.app_center.records.records import (
    InstalledApp,
    StoredApproval,
    StoredRefusal,
)
from lime_desktop.host.apps.app_assessment import AppAssessor
from lime_desktop.host.apps.installed_packages import InstalledPackages
from lime_desktop.host.apps.registered_app import RegisteredApp, SetupFacts
from lime_desktop.host.apps.set_aside import SetAsideApp, SetAsideApps
from lime_desktop.host.user_profile.unsaved_decisions import DecisionKind, UnsavedDecisions
from lime_desktop.protocol.calls.evals import EvalOutcome
from lime_desktop.protocol.errors import AppError, Conflict, DatabaseBusy

_TOGETHER_S = 0.05
"""What changes within this time is told once."""

__all__ = ["AppRegistry", "RegisteredApp", "SetupFacts", "find_packages"]

_log = logging.getLogger(__name__)

_CLOSE_S = 30.0
"""How long decisions that are on their way to the disk may take at the end."""


class AppRegistry:
    """Every app at hand: the installed ones first, then those opened in place."""

    def __init__(
        self,
        locale: str,
        unkept: UnsavedDecisions | None = None,
        aside: SetAsideApps | None = None,
    ) -> None:
        self._aside = aside
        self._center: AppCenter | None = None
        self._packages: InstalledPackages | None = None
        self._judge = AppAssessor(locale)
        self._asked_for: set[str] = set()
        self._installed: dict[str, RegisteredApp] = {}
        self._in_place: dict[str, RegisteredApp] = {}
        self._expects_setup = False
        self._watchers = Observers[()]()
        self._asking_watchers = Observers[()]()
        self._is_to_be_told = False
        self._hurry = asyncio.Event()
        self._rest: asyncio.Task[None] | None = None
        self._trials: set[asyncio.Task[object]] = set()
        self._tasks = BackgroundTasks(_log, AppError)
        self.unkept = unkept or UnsavedDecisions()
        """Hears of what the person decided and could not be kept."""

    @property
    def center(self) -> AppCenter | None:
        """Where the installed apps are kept; None only while it is being opened, or held by another process."""
        return self._center

    def require_center(self) -> AppCenter:
        """Where the installed apps are kept, for whoever deals with one of them.

        Raises:
            DatabaseBusy: it is not open, or another process holds it.
        """
        if self._center is None:
            raise DatabaseBusy("the installed apps are not open, or another process holds them")
        return self._center

    @property
    def apps(self) -> tuple[RegisteredApp, ...]:
        """The apps that were read, one of each name: all there are, a little after the start."""
        return tuple({**self._installed, **self._in_place}.values())

    @property
    def unread(self) -> tuple[InstalledApp, ...]:
        """Installed apps that nobody has asked for yet, by name alone."""
        found = self._packages.unread if self._packages else ()
        return tuple(app for app in found if app.app_id not in self._in_place)

    @property
    def set_aside(self) -> tuple[SetAsideApp, ...]:
        """Installed apps that are not read: they kept their reader from coming to an end."""
        return self._packages.set_aside if self._packages else ()

    def try_again(self, app_id: str) -> None:
        """Read an app that was set aside, if that comes to an end now."""
        app = self._packages.take_back(app_id) if self._packages else None
        if app is not None:
            self._retry_soon((app,))
            self._notify()

    @property
    def asked_for(self) -> frozenset[str]:
        """The apps that somebody dealt with: what they need must be known before anything else."""
        return frozenset((*self._asked_for, *self._in_place))

    def hides_installed(self, app: RegisteredApp) -> bool:
        """Whether an app in a folder stands where an installed one of its name would."""
        is_installed = self.center is not None and self.center.installed_app(app.app_id) is not None
        return app.installed is None and is_installed

    def app(self, app_id: str) -> RegisteredApp | None:
        """The app of this name; one that was not read yet is read now."""
        found = self._in_place.get(app_id) or self._installed.get(app_id) or self._catch_up(app_id)
        if found is not None and app_id not in self._asked_for:
            self._asked_for.add(app_id)
            self._asking_watchers.notify()
        return found

    def watch_asking(self, watcher: Callable[[], None]) -> None:
        """Hear at once when an app is asked for the first time, before whoever asked goes on."""
        self._asking_watchers.subscribe(watcher)

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change; the returned function ends it."""
        return self._watchers.subscribe(watcher)

    async def follow(self, center: AppCenter) -> None:
        """Show what is installed, from now on as it changes."""
        self._center = self._judge.center = center
        self._packages = InstalledPackages(center, self._aside, self._hurry)
        self._asked_for |= self._packages.eager
        center.watch(self._on_center_changed)
        await self._read_wanted(self._packages)
        if self._packages.suspects:
            self._retry_soon(self._packages.suspects)

    def read_rest(self, after_s: float) -> None:
        """Read what nobody has asked for, bit by bit, after a while or as soon as somebody is in a hurry."""
        if self._packages and self._packages.unread and self._rest is None:
            reading = self._packages.read_left(
                after_s, lambda app_id: app_id in self._in_place, self._put_left
            )
            self._rest = asyncio.get_running_loop().create_task(reading)

    def hurry(self) -> None:
        """Somebody searches among all apps: read the rest without pauses."""
        self._hurry.set()

    async def close(self) -> None:
        """Wait for what was begun, and leave unread what was not."""
        for trial in tuple(self._trials):
            trial.cancel()
        if self._rest is not None:
            self._rest.cancel()
            await asyncio.wait({self._rest})
        await self._tasks.finish(_CLOSE_S)

    def add(self, paths: Iterable[Path]) -> tuple[RegisteredApp, ...]:
        """Register packages where they lie; a later one of the same name takes the place."""
        found = tuple(
            self._judge.judge_in_place(path, load_package(open_package(path)), frozenset())
            for path in paths
        )
        for app in found:
            self._judge.tried_in_place.pop(app.app_id, None)
        self._in_place |= {app.app_id: app for app in found}
        self._notify()
        return found

    def take_off(self, app_id: str) -> Path | None:
        """Let the installed app stand where one was opened in place, and say where that one lies."""
        app = self._in_place.pop(app_id, None)
        if app is None:
            return None
        self._notify()
        return app.path

    def renew(self, app: RegisteredApp, package: AppPackage) -> RegisteredApp:
        """Take an app opened in place as it reads now; what it was granted and still declares stays granted."""
        declared = {each.key for each in package.manifest.permissions}
        self._judge.tried_in_place.pop(app.app_id, None)
        renewed = self._judge.judge_in_place(app.path, package, app.granted & declared)
        self._in_place.pop(app.app_id, None)
        self._in_place[renewed.app_id] = renewed
        self._notify()
        return renewed

    def grant(self, app_id: str, *permissions: str) -> None:
        """Give an app permissions that it declares: kept if it is installed, else until the program ends."""
        app = self.app(app_id)
        declared = {each.key for each in app.package.manifest.permissions} if app else set[str]()
        given = [each for each in permissions if each in declared]
        if app is None or not given:
            return
        if app.installed is not None and self._center is not None:
            for each in given:
                self._keep(app_id, "grant", self._center.permissions.grant(app_id, each))
        elif not app.granted.issuperset(given):
            self._regrant(app, app.granted.union(given))

    def revoke(self, app_id: str, permission: str) -> None:
        """Take a permission back."""
        app = self.app(app_id)
        if app is None:
            return
        if app.installed is not None and self._center is not None:
            self._keep(app_id, "revoke", self._center.permissions.revoke(app_id, permission))
        else:
            self._regrant(app, app.granted - {permission})

    def refuse(self, app_id: str, permission: str) -> None:
        """Refuse a permission for good, and take it back where it was given."""
        app = self.app(app_id)
        asked = app.package.manifest.permissions if app is not None else ()
        meant = next((each for each in asked if each.key == permission), None)
        if app is None or meant is None or self._center is None:
            return
        if app.installed is None:
            self._regrant(app, app.granted - {permission})
        refusing = self._center.permissions.refuse(refused_permission(app_id, meant))
        self._keep(app_id, "never", refusing)

    def approvals(self, app_id: str) -> tuple[StoredApproval, ...]:
        """What the person agreed to for good when the app asked."""
        return () if self._center is None else self._center.permissions.approvals(app_id)

    def refusals(self, app_id: str) -> tuple[StoredRefusal, ...]:
        """What the person refuses an app for good."""
        return () if self._center is None else self._center.permissions.refusals(app_id)

    def forget_refusal(self, refusal_id: str) -> None:
        """Take a never back: what it refused is asked about again."""
        if self._center is not None:
            app_id = self._center.permissions.refused_app(refusal_id)
            self._keep(app_id, "forget-never", self._center.permissions.forget_refusal(refusal_id))

    def learn(self, app_id: str, setup: SetupFacts) -> None:
        """Hear how an app is set up, and judge it by that."""
        if self._judge.setups.get(app_id) == setup:
            return
        self._judge.setups[app_id] = setup
        app = self._in_place.get(app_id)
        if app is not None:
            self._regrant(app, app.granted)
        elif (installed := self._center and self._center.installed_app(app_id)) is not None:
            self._put(installed)
            self._notify_soon()

    async def keep_outcome(self, app: RegisteredApp, outcome: EvalOutcome) -> None:
        """Keep what came of an eval of an app: with the app center, or until the program ends where it only lies open.

        Raises:
            AppError: the app has changed since, or is gone.
        """
        if app.installed is not None:
            kept = self.require_center().eval_outcomes
            await kept.keep(app.app_id, app.installed.package_hash, (outcome,))
            return
        now = self._in_place.get(app.app_id)
        if now is None or now.package is not app.package:
            raise Conflict("The app changed since its evals were run. Run them again")
        tried = self._judge.tried_in_place
        tried[app.app_id] = {**tried.get(app.app_id, {}), outcome.eval_key: outcome}
        self._regrant(now, now.granted)

    def expect_setup(self) -> None:
        """Somebody will say how apps are set up: until then it is not known what an app needs."""
        self._expects_setup = True

    def is_checking(self, app_id: str) -> bool:
        """Whether it is still to be said how an app is set up."""
        return self._expects_setup and not self.knows_setup(app_id)

    def knows_setup(self, app_id: str) -> bool:
        """Whether anybody has said how an app is set up; until then, what it needs counts as missing."""
        return app_id in self._judge.setups

    def retranslate(self, locale: str) -> None:
        """Word every finding in another language."""
        self._judge.locale = locale
        self._judge_all()

    def _regrant(self, app: RegisteredApp, granted: frozenset[str]) -> None:
        self._in_place[app.app_id] = self._judge.judge_in_place(app.path, app.package, granted)
        self._notify()

    def _on_center_changed(self) -> None:
        packages = self._packages
        if packages is None:
            return
        if packages.follow_center():
            self._tasks.spawn(self._read_wanted(packages))
        else:
            self._judge_all()

    def _retry_soon(self, suspects: Iterable[InstalledApp]) -> None:
        trial = self._tasks.spawn(self._retry(suspects))
        self._trials.add(trial)
        trial.add_done_callback(self._trials.discard)

    async def _retry(self, suspects: Iterable[InstalledApp]) -> None:
        """Try one suspect after the other; what comes to an end is read like any app that was asked for."""
        packages = self._packages
        for app in suspects:
            if packages is None:
                return
            if await packages.retry(app):
                await self._read_wanted(packages)
            self._notify()

    async def _read_wanted(self, packages: InstalledPackages) -> None:
        self._asked_for |= await packages.read_wanted()
        self._judge_all()

    def _catch_up(self, app_id: str) -> RegisteredApp | None:
        app = self._packages.catch_up(app_id) if self._packages else None
        if app is None:
            return None
        self._put_left(app)
        return self._installed.get(app_id)

    def _put_left(self, app: InstalledApp) -> None:
        self._put(app)
        self._notify_soon()

    def _judge_all(self) -> None:
        """Whatever changed may concern any app: what an organisation says holds for packages opened in place too."""
        self._in_place = {
            key: self._judge.judge_in_place(app.path, app.package, app.granted)
            for key, app in self._in_place.items()
        }
        self._judge_installed()

    def _judge_installed(self) -> None:
        installed = self._center.installed() if self._center else ()
        before, self._installed = self._installed, {}
        for app in installed:
            self._put(app, before.get(app.app_id))
        self._notify()

    def _put(self, app: InstalledApp, before: RegisteredApp | None = None) -> None:
        """Judge one installed app as it stands now; what nothing changed for stands as it did."""
        known = self._packages.known(app) if self._packages else None
        if known is not None:
            self._installed[app.app_id] = self._judge.judge(app, known, before)

    def _keep(self, app_id: str, kind: DecisionKind, work: Coroutine[Any, Any, None]) -> None:
        """Write a decision down. It holds once it is written; where it cannot be, the person is told."""
        self._tasks.spawn(work, partial(self.unkept.notify, app_id, kind))

    def _notify_soon(self) -> None:
        """Tell once of what changes together; at once where nothing could be waited for."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._notify()
            return
        if not self._is_to_be_told:
            self._is_to_be_told = True
            loop.call_later(_TOGETHER_S, self._notify)

    def _notify(self) -> None:
        self._is_to_be_told = False
        self._watchers.notify()
