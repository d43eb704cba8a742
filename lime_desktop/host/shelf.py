"""The apps at hand: read, judged, and ready to be looked at or opened. Knows packages; knows no widget.

A view over the app center: installed apps with the grants that are kept for them. Beside them stand packages that a
developer opened where they lie; these take the place of an installed app of the same name, and what they are granted
holds until the program ends.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from lime_desktop.app_package.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.host.app_center.catalog.folders import find_packages
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records import InstalledApp, StoredRefusal
from lime_desktop.host.approvals.refusals import refused_permission
from lime_desktop.host.governing import Governing, governing
from lime_desktop.host.package_face import in_language, package_icon, tagline_of, title_of
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.facts import CostLimit, Grant
from lime_desktop.policy.facts import Readiness as Standing
from lime_desktop.policy.manifest_rules import declared_by, rules_of
from lime_desktop.policy.rules import Rule
from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.protocol.errors import PackageInvalid
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import PackageTrust, ReadinessFacts
from lime_desktop.readiness.package_checks import claimed_trust
from lime_desktop.readiness.result import Readiness

__all__ = ["Shelf", "ShelfApp", "find_packages"]


@dataclass(frozen=True)
class ShelfApp:
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


class Shelf:
    """Every app at hand: the installed ones first, then those opened in place."""

    def __init__(self, locale: str) -> None:
        self._locale = locale
        self._center: AppCenter | None = None
        self._read: dict[str, _ReadPackage] = {}
        self._installed: dict[str, ShelfApp] = {}
        self._in_place: dict[str, ShelfApp] = {}
        self._setups: dict[str, SetupFacts] = {}
        self._watchers: list[Callable[[], None]] = []
        self._reading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def apps(self) -> tuple[ShelfApp, ...]:
        """The apps, one of each name."""
        return tuple({**self._installed, **self._in_place}.values())

    def app(self, app_id: str) -> ShelfApp | None:
        """The app of this name."""
        return self._in_place.get(app_id) or self._installed.get(app_id)

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Hear of every change; the returned function ends it."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    async def follow(self, center: AppCenter) -> None:
        """Show what is installed, from now on as it changes."""
        self._center = center
        center.watch(self._hear_center)
        await self._read_installed(center)

    async def close(self) -> None:
        """Wait for what was begun."""
        await asyncio.gather(*self._tasks)

    def add(self, paths: Iterable[Path]) -> tuple[ShelfApp, ...]:
        """Put packages on the shelf where they lie; a later one of the same name takes the place."""
        found = tuple(
            self._judge_in_place(path, load_package(open_package(path)), frozenset())
            for path in paths
        )
        self._in_place |= {app.app_id: app for app in found}
        self._tell()
        return found

    def renew(self, app: ShelfApp, package: AppPackage) -> ShelfApp:
        """Take an app opened in place as it reads now; what it was granted and still declares stays granted."""
        declared = {each.key for each in package.manifest.permissions}
        renewed = self._judge_in_place(app.path, package, app.granted & declared)
        self._in_place.pop(app.app_id, None)
        self._in_place[renewed.app_id] = renewed
        self._tell()
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
                self._soon(self._center.permits.grant(app_id, each))
        elif not app.granted.issuperset(given):
            self._regrant(app, app.granted.union(given))

    def revoke(self, app_id: str, permission: str) -> None:
        """Take a permission back."""
        app = self.app(app_id)
        if app is None:
            return
        if app.installed is not None and self._center is not None:
            self._soon(self._center.permits.revoke(app_id, permission))
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
        self._soon(self._center.permits.refuse(refused_permission(app_id, meant)))

    def refusals(self, app_id: str) -> tuple[StoredRefusal, ...]:
        """What the person refuses an app for good."""
        return () if self._center is None else self._center.permits.refusals(app_id)

    def forget_refusal(self, refusal_id: str) -> None:
        """Take a never back: what it refused is asked about again."""
        if self._center is not None:
            self._soon(self._center.permits.forget_refusal(refusal_id))

    def learn(self, app_id: str, setup: SetupFacts) -> None:
        """Hear how an app is set up, and judge it by that."""
        if self._setups.get(app_id) == setup:
            return
        self._setups[app_id] = setup
        app = self._in_place.get(app_id)
        if app is not None:
            self._regrant(app, app.granted)
        else:
            self._judge_installed()

    def knows_setup(self, app_id: str) -> bool:
        """Whether anybody has said how an app is set up; until then, what it needs counts as missing."""
        return app_id in self._setups

    def speak(self, locale: str) -> None:
        """Word every finding in another language."""
        self._locale = locale
        self._judge_all()

    def _regrant(self, app: ShelfApp, granted: frozenset[str]) -> None:
        self._in_place[app.app_id] = self._judge_in_place(app.path, app.package, granted)
        self._tell()

    def _hear_center(self) -> None:
        center = self._center
        if center is None:
            return
        if all(self._has_read(app) for app in center.installed()):
            self._judge_all()
        else:
            self._soon(self._read_installed(center))

    def _has_read(self, app: InstalledApp) -> bool:
        known = self._read.get(app.app_id)
        return known is not None and known.package_hash == app.package_hash

    async def _read_installed(self, center: AppCenter) -> None:
        async with self._reading:
            for app in center.installed():
                if not self._has_read(app):
                    self._read[app.app_id] = await _read_package(center, app)
        self._judge_all()

    def _judge_all(self) -> None:
        """Whatever changed may concern any app: what an organisation says holds for packages opened in place too."""
        self._in_place = {
            key: self._judge_in_place(app.path, app.package, app.granted)
            for key, app in self._in_place.items()
        }
        self._judge_installed()

    def _judge_installed(self) -> None:
        installed = self._center.installed() if self._center else ()
        self._installed = {
            app.app_id: self._judge(app, self._read[app.app_id])
            for app in installed
            if self._has_read(app)
        }
        self._tell()

    def _judge(self, app: InstalledApp, known: _ReadPackage) -> ShelfApp:
        now = datetime.now(UTC)
        center = self._center
        grants = center.permits.grants(app.app_id) if center else ()
        is_settled = center is None or center.is_settled(app.app_id)
        now_ms = int(now.timestamp() * 1_000)
        granted = frozenset(
            grant.permission for grant in grants if grant.as_fact().is_current(now_ms)
        )
        projection = project(known.package, THIS_HOST)
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
        return ShelfApp(
            known.path, known.package, projection, readiness, granted, app, holds, known.trust
        )

    def _judge_in_place(self, path: Path, package: AppPackage, granted: frozenset[str]) -> ShelfApp:
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
        return ShelfApp(path, package, projection, readiness, granted, governing=holds, trust=trust)

    def _setup(self, app_id: str, holds: Governing) -> dict[str, Any]:
        return asdict(self._setups.get(app_id, SetupFacts())) | {
            "disabled_entries": holds.disabled_entries,
            "configured_overlays": holds.configured,
            "cost_budget": holds.cost_budget,
            "workspace": None if holds.workspace is None else holds.workspace_id,
        }

    def _soon(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()


async def _read_package(center: AppCenter, app: InstalledApp) -> _ReadPackage:
    """Read an installed package; one that was changed on disk is shown, but never trusted again."""
    path = center.package_path(app.app_id)
    try:
        package, trust = await center.package(app.app_id), app.trust
    except PackageInvalid:
        package, trust = load_package(open_package(path)), "mismatched"
    return _ReadPackage(path, package, app.package_hash, trust)
