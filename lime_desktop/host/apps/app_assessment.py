"""How an app is judged: its package, and everything that holds for it now, make a `RegisteredApp`.

Knows no list and no observer. Reads packages; what a judgement rests on is given, or asked of the app center.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp, StoredGrant
from lime_desktop.host.apps.app_governance import AppGovernance, governing
from lime_desktop.host.apps.eval_facts import outcomes_that_hold, set_thresholds
from lime_desktop.host.apps.registered_app import RegisteredApp, SetupFacts
from lime_desktop.product import this_product
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.protocol.calls.evals import EvalOutcome
from lime_desktop.protocol.errors import PackageInvalid
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.facts import PackageTrust, ReadinessFacts
from lime_desktop.readiness.host_facts import host_facts
from lime_desktop.readiness.package_checks import claimed_trust


@dataclass(frozen=True)
class ReadPackage:
    """An installed package as it was read, and how its bytes stand to what was installed."""

    path: Path
    package: AppPackage
    package_hash: str
    trust: PackageTrust
    projection: Projection


def read_installed(center: AppCenter, app: InstalledApp) -> ReadPackage:
    """Read an installed package; one that was changed on disk is shown, but never trusted again. Blocks."""
    path = center.package_path(app.app_id)
    try:
        package, trust = center.load_package(app.app_id), app.trust
    except PackageInvalid:
        package, trust = load_package(open_package(path)), "mismatched"
    return ReadPackage(path, package, app.package_hash, trust, project(package, THIS_HOST))


class AppAssessor:
    """Judges apps by what is granted, set up and governed now, and words the findings."""

    def __init__(self, locale: str) -> None:
        self.locale = locale
        self.center: AppCenter | None = None
        """Where the installed apps are kept; None only while it is being opened, or held by another process."""
        self.setups: dict[str, SetupFacts] = {}
        """How apps were said to be set up."""
        self.tried_in_place: dict[str, dict[str, EvalOutcome]] = {}
        """What came of evals of packages that were opened where they lie: until the program ends, or their bytes change."""
        self._grounds: dict[str, tuple[object, ...]] = {}

    def judge(
        self, app: InstalledApp, known: ReadPackage, before: RegisteredApp | None
    ) -> RegisteredApp:
        """An installed app as it stands now; what nothing changed for stands as it did before."""
        grounds = self._grounds_of(app, known)
        if before is not None and self._grounds.get(app.app_id) == grounds and not _lapses(grounds):
            return before
        self._grounds[app.app_id] = grounds
        return self._judge_anew(app, known)

    def judge_in_place(
        self, path: Path, package: AppPackage, granted: frozenset[str]
    ) -> RegisteredApp:
        """A package that was opened where it lies, as it stands now."""
        projection = project(package, THIS_HOST)
        holds, trust = governing(self.center, package.manifest), claimed_trust(projection)
        facts = ReadinessFacts(
            # In the person's own time: findings name days.
            now=datetime.now(UTC).astimezone(),
            locale=self.locale,
            install_mode=this_product().install_mode,
            granted_permissions=granted,
            package_trust=trust,
            is_app_disabled=not holds.is_allowed,
            **self._setup(package, holds, self.tried_in_place.get(package.name, {})),
        )
        readiness = assess(projection, facts)
        return RegisteredApp(
            path, package, projection, readiness, granted, governing=holds, trust=trust
        )

    def _grounds_of(self, app: InstalledApp, known: ReadPackage) -> tuple[object, ...]:
        """All that a judgement about an app rests on, but for the time."""
        app_id, center = app.app_id, self.center
        own = (app, known, self.locale, self.setups.get(app_id))
        if center is None:
            return own
        return (
            *own,
            center.is_settled(app_id),
            center.recalls.of(app),
            center.eval_outcomes.of(app),
            center.permissions.grants(app_id),
            center.permissions.refusals(app_id),
            center.overlays.values(app_id, "user"),
            center.overlays.values(app_id, "workspace"),
            center.membership.organisation,
            center.workspaces.current,
        )

    def _judge_anew(self, app: InstalledApp, known: ReadPackage) -> RegisteredApp:
        now = datetime.now(UTC).astimezone()
        center = self.center
        grants = center.permissions.grants(app.app_id) if center else ()
        is_settled = center is None or center.is_settled(app.app_id)
        now_ms = int(now.timestamp() * 1_000)
        granted = frozenset(
            grant.permission for grant in grants if grant.as_fact().is_current(now_ms)
        )
        projection, recall = known.projection, center.recalls.of(app) if center else None
        is_revoked = recall is not None and recall.kind == "revoked"
        holds = governing(center, known.package.manifest)
        facts = ReadinessFacts(
            now=now,
            locale=self.locale,
            install_mode=this_product().install_mode,
            granted_permissions=granted,
            package_trust="revoked" if is_revoked else known.trust,
            revocation_reason=recall.reason_in(self.locale) if recall else "",
            is_app_disabled=not (app.is_enabled and is_settled and holds.is_allowed),
            runs_unconfined=app.runs_unconfined,
            **self._setup(known.package, holds, center.eval_outcomes.of(app) if center else {}),
        )
        readiness = assess(projection, facts)
        return RegisteredApp(
            known.path,
            known.package,
            projection,
            readiness,
            granted,
            app,
            holds,
            known.trust,
            recall,
        )

    def _setup(
        self, package: AppPackage, holds: AppGovernance, tried: Mapping[str, EvalOutcome]
    ) -> dict[str, Any]:
        setup = self.setups.get(package.manifest.name, SetupFacts())
        brought = host_facts(package)
        return (
            asdict(setup)
            | brought
            | {"available_skills": {**setup.available_skills, **brought["available_skills"]}}
            | {
                "eval_outcomes": outcomes_that_hold(
                    tried, set_thresholds(package.manifest, holds.overlays)
                ),
                "disabled_entries": holds.disabled_entries,
                "configured_overlays": holds.configured,
                "cost_budget": holds.cost_budget,
                "workspace": None if holds.workspace is None else holds.workspace_id,
            }
        )


def _lapses(grounds: tuple[object, ...]) -> bool:
    """Whether a judgement may change with time alone."""
    return any(
        isinstance(each, StoredGrant) and each.expires_at_ms is not None
        for part in grounds
        if isinstance(part, tuple)
        for each in cast("tuple[object, ...]", part)
    )
