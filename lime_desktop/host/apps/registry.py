"""The apps at hand: read, judged, and ready to be looked at or opened. Knows packages; knows no widget.

A view over the app center: installed apps with the grants that are kept for them. Beside them stand packages that a
developer opened where they lie; these take the place of an installed app of the same name, and what they are granted
holds until the program ends.

Reading and judging a package takes far longer than naming it, so of many installed apps only the first are read at once;
each other is read when somebody asks for it by name, and all that nobody asked for bit by bit, once the program stands.
An app that was not read yet is `unread`: it has a name, and nothing may be decided about it.
One whose package kept its reader from coming to an end is `set_aside` at the next start, and the others are read as ever.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any, cast

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
    StoredGrant,
    StoredRefusal,
)
from lime_desktop.host.appearance.package_face import (
    in_language,
    package_icon,
    tagline_of,
    title_of,
)
from lime_desktop.host.apps.governing import Governing, governing
from lime_desktop.host.apps.set_aside import SetAsideApp, SetAsideApps
from lime_desktop.host.user_profile.unsaved_decisions import DecisionKind, UnkeptDecisions
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.facts import CostLimit, Grant
from lime_desktop.policy.facts import Readiness as Standing
from lime_desktop.policy.manifest_rules import declared_by, rules_of
from lime_desktop.policy.rules import Rule
from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.protocol.errors import AppError, DatabaseBusy, PackageInvalid
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import PackageTrust, ReadinessFacts
from lime_desktop.readiness.package_checks import claimed_trust
from lime_desktop.readiness.result import Readiness

_EAGER = 20
"""Installed apps that are read at the start: more than fit on the first page, and few enough not to be noticed."""
_TOGETHER_S = 0.05
"""What changes within this time is told once."""
_AT_A_TIME = 4
_REST = 3.0
"""How much longer than a few packages took the reading of the rest pauses: the window and its calls come first."""

__all__ = ["AppRegistry", "RegisteredApp", "find_packages"]

_log = logging.getLogger(__name__)

_CLOSE_S = 30.0
"""How long decisions that are on their way to the disk may take at the end."""


@dataclass(frozen=True)
class RegisteredApp:
    """One app as it stands now."""

    path: Path
    package: AppPackage
    projection: Projection
    readiness: Readiness
    granted: frozenset[str] = field(default_factory=frozenset[str])
    installed: InstalledApp | None = None
    """How it is installed; None for a package that was opened where it lies."""
    governing: Governing = field(default_factory=Governing)
    """What holds for it from outside its package."""
    trust: PackageTrust = "unchecked"
    """Who vouches for the bytes that are shown, as far as that was checked."""

    @property
    def app_id(self) -> str:
        """The app's name in its manifest."""
        return self.package.manifest.name

    @cached_property
    def declared(self) -> Declared:
        """What its manifest declares, as policy reads it: asked at every call, read once."""
        return declared_by(self.package.manifest)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule that speaks of it: its manifest's own, and those of whoever governs here."""
        return (*rules_of(self.package.manifest), *self.governing.policy.rules)

    @cached_property
    def entries(self) -> tuple[ProjectedEntry, ...]:
        """Its entries as they are shown: first those that somebody put first, then in the author's order."""
        order = self.governing.entry_order
        places = {key: place for place, key in enumerate(order)}
        found = self.projection.entries
        return tuple(sorted(found, key=lambda entry: places.get(entry.key, len(order))))

    @cached_property
    def grants(self) -> tuple[Grant, ...]:
        """What it was granted, as policy reads it."""
        return tuple(Grant(permission=key) for key in sorted(self.granted))

    @cached_property
    def cost_limits(self) -> tuple[CostLimit, ...]:
        """What one of its tasks may cost, as policy reads it."""
        return self.governing.task_limits

    @cached_property
    def standing(self) -> Standing:
        """How ready it is, as policy reads it."""
        return Standing(state=self.readiness.status.value)

    @property
    def can_start(self) -> bool:
        """Whether readiness lets it start, with or without warnings."""
        return self.package.is_valid and self.readiness.ok

    def can_open(self, entry_key: str) -> bool:
        """Whether one of its entries can be opened now, whatever kind of place it opens."""
        entry, answer = self.projection.entry(entry_key), self.readiness.entry(entry_key)
        is_there = entry is not None and not entry.is_route_refused
        return self.package.is_valid and is_there and answer is not None and answer.ok

    @property
    def views(self) -> tuple[ProjectedEntry, ...]:
        """The entries that are shown as a view of the app's own bundle."""
        return tuple(
            entry for entry in self.projection.entries if entry.is_embeddable and entry.route
        )

    def title(self, locale: str) -> str:
        """The name to show, in the person's language where the author gave it."""
        return title_of(self.package.manifest, locale)

    def entry_title(self, entry_key: str, locale: str) -> str:
        """The name of one of its entries, likewise."""
        entry = self.projection.entry(entry_key)
        if entry is None:
            return plain_name(entry_key)
        return plain_name(in_language(entry.declared.title_i18n, locale) or entry.declared.title)

    def tagline(self, locale: str) -> str:
        """One line about the app."""
        return tagline_of(self.package.manifest, locale)

    def icon(self) -> bytes | None:
        """The bytes of the app's icon, if it has one that is really there."""
        return package_icon(self.package)


@dataclass(frozen=True, slots=True)
class SetupFacts:
    """What was set up for an app beside its permissions."""

    configured_secrets: frozenset[str] = frozenset()
    applied_migrations: frozenset[str] = frozenset()
    bound_knowledge: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    storage_quota_bytes: int | None = None
    """Room left for the app's data; None where nobody has looked."""
    command_sandbox_absence: str | None = None
    """Why nothing walls its programs off, with what would; None where something does, or it has none."""


@dataclass(frozen=True)
class _ReadPackage:
    """An installed package as it was read, and how its bytes stand to what was installed."""

    path: Path
    package: AppPackage
    package_hash: str
    trust: PackageTrust
    projection: Projection


class AppRegistry:
    """Every app at hand: the installed ones first, then those opened in place."""

    def __init__(
        self,
        locale: str,
        unkept: UnkeptDecisions | None = None,
        aside: SetAsideApps | None = None,
    ) -> None:
        self._locale = locale
        self._aside = aside
        self._center: AppCenter | None = None
        self._read: dict[str, _ReadPackage] = {}
        self._left: dict[str, None] = {}
        """Installed apps that are read when somebody asks for them."""
        self._asked_for: set[str] = set()
        self._judged_by: dict[str, tuple[object, ...]] = {}
        self._installed: dict[str, RegisteredApp] = {}
        self._in_place: dict[str, RegisteredApp] = {}
        self._setups: dict[str, SetupFacts] = {}
        self._expects_setup = False
        self._watchers = Observers[()]()
        self._asking_watchers = Observers[()]()
        self._is_to_be_told = False
        self._hurry = asyncio.Event()
        self._rest: asyncio.Task[None] | None = None
        self._reading = asyncio.Lock()
        self._trials: set[asyncio.Task[object]] = set()
        self._tasks = BackgroundTasks(_log, AppError)
        self.unkept = unkept or UnkeptDecisions()
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
        center = self._center
        found = (center.installed_app(app_id) for app_id in self._left) if center else ()
        return tuple(app for app in found if app is not None and app.app_id not in self._in_place)

    @property
    def set_aside(self) -> tuple[SetAsideApp, ...]:
        """Installed apps that are not read: they kept their reader from coming to an end."""
        return self._aside.apps if self._aside is not None else ()

    def try_again(self, app_id: str) -> None:
        """Read an app that was set aside, if that comes to an end now."""
        app = self._aside.begin(app_id) if self._aside is not None else None
        if app is not None:
            self._retry_soon((app,))
            self._notify()

    @property
    def asked_for(self) -> frozenset[str]:
        """The apps that somebody dealt with: what they need must be known before anything else."""
        return frozenset((*self._asked_for, *self._in_place))

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
        self._center = center
        suspects = self._aside.take(center.installed()) if self._aside is not None else ()
        sound = (app for app in center.installed() if not self._is_set_aside(app))
        by_name = sorted(sound, key=lambda app: app.title.casefold())
        self._asked_for |= {app.app_id for app in by_name[:_EAGER]}
        self._left = dict.fromkeys(app.app_id for app in by_name[_EAGER:])
        center.watch(self._on_center_changed)
        await self._read_installed(center)
        if suspects:
            self._retry_soon(suspects)

    def read_rest(self, after_s: float) -> None:
        """Read what nobody has asked for, bit by bit, after a while or as soon as somebody is in a hurry."""
        if self._left and self._rest is None:
            self._rest = asyncio.get_running_loop().create_task(self._read_left(after_s))

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
            self._judge_in_place(path, load_package(open_package(path)), frozenset())
            for path in paths
        )
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
        renewed = self._judge_in_place(app.path, package, app.granted & declared)
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
                self._keep(app_id, "grant", self._center.permits.grant(app_id, each))
        elif not app.granted.issuperset(given):
            self._regrant(app, app.granted.union(given))

    def revoke(self, app_id: str, permission: str) -> None:
        """Take a permission back."""
        app = self.app(app_id)
        if app is None:
            return
        if app.installed is not None and self._center is not None:
            self._keep(app_id, "revoke", self._center.permits.revoke(app_id, permission))
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
        refusing = self._center.permits.refuse(refused_permission(app_id, meant))
        self._keep(app_id, "never", refusing)

    def approvals(self, app_id: str) -> tuple[StoredApproval, ...]:
        """What the person agreed to for good when the app asked."""
        return () if self._center is None else self._center.permits.approvals(app_id)

    def refusals(self, app_id: str) -> tuple[StoredRefusal, ...]:
        """What the person refuses an app for good."""
        return () if self._center is None else self._center.permits.refusals(app_id)

    def forget_refusal(self, refusal_id: str) -> None:
        """Take a never back: what it refused is asked about again."""
        if self._center is not None:
            app_id = self._center.permits.refused_app(refusal_id)
            self._keep(app_id, "forget-never", self._center.permits.forget_refusal(refusal_id))

    def learn(self, app_id: str, setup: SetupFacts) -> None:
        """Hear how an app is set up, and judge it by that."""
        if self._setups.get(app_id) == setup:
            return
        self._setups[app_id] = setup
        app = self._in_place.get(app_id)
        if app is not None:
            self._regrant(app, app.granted)
        elif (installed := self._center and self._center.installed_app(app_id)) is not None:
            self._put(installed)
            self._notify_soon()

    def expect_setup(self) -> None:
        """Somebody will say how apps are set up: until then it is not known what an app needs."""
        self._expects_setup = True

    def is_checking(self, app_id: str) -> bool:
        """Whether it is still to be said how an app is set up."""
        return self._expects_setup and not self.knows_setup(app_id)

    def knows_setup(self, app_id: str) -> bool:
        """Whether anybody has said how an app is set up; until then, what it needs counts as missing."""
        return app_id in self._setups

    def retranslate(self, locale: str) -> None:
        """Word every finding in another language."""
        self._locale = locale
        self._judge_all()

    def _regrant(self, app: RegisteredApp, granted: frozenset[str]) -> None:
        self._in_place[app.app_id] = self._judge_in_place(app.path, app.package, granted)
        self._notify()

    def _on_center_changed(self) -> None:
        center = self._center
        if center is None:
            return
        if self._aside is not None:
            self._aside.keep_only(center.installed())
        gone = self._left.keys() - {app.app_id for app in center.installed()}
        self._left = {app_id: None for app_id in self._left if app_id not in gone}
        if any(not self._has_read(app) for app in self._wanted(center)):
            self._tasks.spawn(self._read_installed(center))
        else:
            self._judge_all()

    def _wanted(self, center: AppCenter) -> Iterable[InstalledApp]:
        return (
            app
            for app in center.installed()
            if app.app_id not in self._left and not self._is_set_aside(app)
        )

    def _is_set_aside(self, app: InstalledApp) -> bool:
        return self._aside is not None and self._aside.holds(app)

    def _retry_soon(self, suspects: Iterable[InstalledApp]) -> None:
        trial = self._tasks.spawn(self._retry(suspects))
        self._trials.add(trial)
        trial.add_done_callback(self._trials.discard)

    async def _retry(self, suspects: Iterable[InstalledApp]) -> None:
        """Try one suspect after the other; what comes to an end is read like any app that was asked for."""
        center = self._center
        for app in suspects:
            if center is None or self._aside is None or center.installed_app(app.app_id) is None:
                continue
            if await self._aside.retry(app, center.package_path(app.app_id)):
                await self._read_installed(center)
            self._notify()

    def _has_read(self, app: InstalledApp) -> bool:
        known = self._read.get(app.app_id)
        return known is not None and known.package_hash == app.package_hash

    async def _read_installed(self, center: AppCenter) -> None:
        async with self._reading:
            for app in tuple(self._wanted(center)):
                if not self._has_read(app):
                    self._read[app.app_id] = await asyncio.to_thread(self._read_noted, center, app)
                    self._asked_for.add(app.app_id)
        self._judge_all()

    def _catch_up(self, app_id: str) -> RegisteredApp | None:
        center = self._center
        app = center.installed_app(app_id) if center and app_id in self._left else None
        if center is None or app is None:
            return None
        self._take_read(app, self._read_noted(center, app))
        self._notify_soon()
        return self._installed.get(app_id)

    async def _read_left(self, after_s: float) -> None:
        center = self._center
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurry.wait(), after_s)
        while center is not None and self._left:
            begun = time.monotonic()
            for app in self.unread[:_AT_A_TIME]:
                known = await asyncio.to_thread(self._read_noted, center, app)
                if app.app_id in self._left:
                    self._take_read(app, known)
            took = time.monotonic() - begun
            self._notify_soon()
            await asyncio.sleep(0 if self._hurry.is_set() else took * _REST)

    def _read_noted(self, center: AppCenter, app: InstalledApp) -> _ReadPackage:
        """Read a package and leave a note meanwhile, which stays if that never comes to an end. Blocks."""
        aside = self._aside
        with nullcontext() if aside is None else aside.journal.reading(app.package_hash):
            return _read_package(center, app)

    def _take_read(self, app: InstalledApp, known: _ReadPackage) -> None:
        del self._left[app.app_id]
        self._read[app.app_id] = known
        self._put(app)

    def _judge_all(self) -> None:
        """Whatever changed may concern any app: what an organisation says holds for packages opened in place too."""
        self._in_place = {
            key: self._judge_in_place(app.path, app.package, app.granted)
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
        if not self._has_read(app):
            return
        judged_by = self._grounds(app)
        if before is None or self._judged_by.get(app.app_id) != judged_by or _expires(judged_by):
            before = self._judge(app, self._read[app.app_id])
        self._judged_by[app.app_id] = judged_by
        self._installed[app.app_id] = before

    def _grounds(self, app: InstalledApp) -> tuple[object, ...]:
        """All that a judgement about an app rests on, but for the time."""
        app_id, center = app.app_id, self._center
        own = (app, self._read[app_id], self._locale, self._setups.get(app_id))
        if center is None:
            return own
        return (
            *own,
            center.is_settled(app_id),
            center.permits.grants(app_id),
            center.permits.refusals(app_id),
            center.overlays.values(app_id, "user"),
            center.overlays.values(app_id, "workspace"),
            center.membership.organisation,
            center.workspaces.current,
        )

    def _judge(self, app: InstalledApp, known: _ReadPackage) -> RegisteredApp:
        now = datetime.now(UTC)
        center = self._center
        grants = center.permits.grants(app.app_id) if center else ()
        is_settled = center is None or center.is_settled(app.app_id)
        now_ms = int(now.timestamp() * 1_000)
        granted = frozenset(
            grant.permission for grant in grants if grant.as_fact().is_current(now_ms)
        )
        projection = known.projection
        holds = governing(center, known.package.manifest)
        facts = ReadinessFacts(
            now=now,
            locale=self._locale,
            granted_permissions=granted,
            package_trust=known.trust,
            is_app_disabled=not (app.is_enabled and is_settled and holds.is_allowed),
            runs_unconfined=app.runs_unconfined,
            **self._setup(app.app_id, holds),
        )
        readiness = assess(projection, facts)
        return RegisteredApp(
            known.path, known.package, projection, readiness, granted, app, holds, known.trust
        )

    def _judge_in_place(
        self, path: Path, package: AppPackage, granted: frozenset[str]
    ) -> RegisteredApp:
        projection = project(package, THIS_HOST)
        holds, trust = governing(self._center, package.manifest), claimed_trust(projection)
        facts = ReadinessFacts(
            now=datetime.now(UTC),
            locale=self._locale,
            granted_permissions=granted,
            package_trust=trust,
            is_app_disabled=not holds.is_allowed,
            **self._setup(package.manifest.name, holds),
        )
        readiness = assess(projection, facts)
        return RegisteredApp(
            path, package, projection, readiness, granted, governing=holds, trust=trust
        )

    def _setup(self, app_id: str, holds: Governing) -> dict[str, Any]:
        return asdict(self._setups.get(app_id, SetupFacts())) | {
            "disabled_entries": holds.disabled_entries,
            "configured_overlays": holds.configured,
            "cost_budget": holds.cost_budget,
            "workspace": None if holds.workspace is None else holds.workspace_id,
        }

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


def _expires(judged_by: tuple[object, ...]) -> bool:
    """Whether a judgement may change with time alone."""
    return any(
        isinstance(each, StoredGrant) and each.expires_at_ms is not None
        for part in judged_by
        if isinstance(part, tuple)
        for each in cast("tuple[object, ...]", part)
    )


def _read_package(center: AppCenter, app: InstalledApp) -> _ReadPackage:
    """Read an installed package; one that was changed on disk is shown, but never trusted again. Blocks."""
    path = center.package_path(app.app_id)
    try:
        package, trust = center.load_package(app.app_id), app.trust
    except PackageInvalid:
        package, trust = load_package(open_package(path)), "mismatched"
    return _ReadPackage(path, package, app.package_hash, trust, project(package, THIS_HOST))
