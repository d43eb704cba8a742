"""One app as it stands now: its package, what holds for it, and whether it can be opened. Knows no list of apps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lime_desktop.app_package.package import AppPackage
from lime_desktop.host.app_center.records.recalls import AppRecall
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.appearance.package_face import (
    category_of,
    home_text_of,
    in_language,
    order_of,
    package_icon,
    tagline_of,
    title_of,
)
from lime_desktop.host.apps.app_governance import AppGovernance
from lime_desktop.policy.declared import Declared
from lime_desktop.policy.facts import CostLimit, Grant
from lime_desktop.policy.facts import Readiness as Standing
from lime_desktop.policy.manifest_rules import declared_by, rules_of
from lime_desktop.policy.rules import Rule
from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.projection.projection import Projection
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.readiness.facts import PackageTrust
from lime_desktop.readiness.naming import title_in
from lime_desktop.readiness.result import Readiness


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
    governing: AppGovernance = field(default_factory=AppGovernance)
    """What holds for it from outside its package."""
    trust: PackageTrust = "unchecked"
    """Who vouches for the bytes that are shown, as far as that was checked."""
    recall: AppRecall | None = None
    """Whether its version was withdrawn or revoked, and why."""

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

    @property
    def first_entry(self) -> str | None:
        """The entry that it starts with; None where it has none."""
        return self.projection.default_entry or next((each.key for each in self.entries), None)

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
        return plain_name(
            self.package.translations.title(locale, "entries", entry_key)
            or in_language(entry.declared.title_i18n, locale)
            or entry.declared.title
        )

    def entry_about(self, entry_key: str, locale: str) -> str:
        """What its author says one of its entries is for, likewise; empty where nobody says."""
        entry = self.projection.entry(entry_key)
        if entry is None:
            return ""
        written = self.package.translations.text(locale, "entries", entry_key, "description")
        declared = entry.declared
        translated = in_language(declared.description_i18n, locale)
        return written or translated or declared.description or ""

    def skill_title(self, skill_id: str, locale: str) -> str | None:
        """What its author calls a skill in the person's language; None where nobody says."""
        return self.package.translations.title(locale, "skills", skill_id)

    def skill_about(self, skill_id: str, locale: str) -> str | None:
        """What a skill is for, likewise."""
        return self.package.translations.text(locale, "skills", skill_id, "description")

    def operation_title(self, key: str | None, locale: str) -> str:
        """What its author calls one of its operations, likewise; empty where nobody says."""
        found = next((each for each in self.package.manifest.operations if each.key == key), None)
        if key is None or found is None:
            return ""
        written = self.package.translations.title(locale, "operations", key)
        return plain_name(written or title_in(found, locale) or "")

    def workflow_title(self, key: str, locale: str, written: str | None = None) -> str:
        """What a workflow is called, likewise: as its author wrote it, or as somebody has told it."""
        found = (each for each in self.package.workflows if each.key == key)
        definition = next((each.described.definition for each in found), None)
        said = self.package.translations.title(locale, "workflows", key)
        return plain_name(said or (definition and definition.title) or written or key)

    def workflow_entry(self, key: str) -> str | None:
        """The entry that shows the runs of a workflow: its own page before one that only starts it; None where it has none."""
        path = next((each.path for each in self.package.workflows if each.key == key), None)
        fitting = [
            each.declared
            for each in self.entries
            if (named := each.declared.workflow) and named.removeprefix("./") in {key, path}
        ]
        fitting.sort(key=lambda each: each.kind != "workflow")
        return fitting[0].key if fitting else None

    def workflow_about(self, key: str, locale: str) -> str | None:
        """What a workflow is for in the person's language; None where nobody says."""
        return self.package.translations.text(locale, "workflows", key, "description")

    def trigger_title(self, key: str, locale: str, written: str) -> str:
        """What a trigger is called likewise, by the key of its workflow and its own."""
        workflow, _, own = key.partition("/")
        declared = next((each.titles for each in self.package.triggers if each.key == key), None)
        said = self.package.translations.title(locale, "workflows", workflow, "triggers", own)
        return plain_name(said or in_language(declared, locale) or written)

    def step_title(self, workflow_key: str, state_key: str, locale: str) -> str:
        """What a step of a workflow is called, likewise; its key where nobody says."""
        path = ("workflows", workflow_key, "states", state_key)
        found = (each for each in self.package.workflows if each.key == workflow_key)
        states = (state for each in found for state in each.described.outline.states)
        written = next((each.title for each in states if each.key == state_key), None)
        return plain_name(self.package.translations.title(locale, *path) or written or state_key)

    def setting_title(self, key: str, locale: str) -> str | None:
        """What its author calls a field of one of its templates in the person's language; None where nobody says."""
        path = key.removeprefix("templates.").split(".")
        return self.package.translations.title(locale, "settings", *path)

    def tagline(self, locale: str) -> str:
        """One line about the app."""
        return tagline_of(self.package.manifest, locale)

    def home_text(self, locale: str) -> str:
        """What its tile on Home says of it."""
        return home_text_of(self.package.manifest, locale)

    def category(self, locale: str) -> str | None:
        """The shelf it stands on; None where the author names none."""
        return category_of(self.package.manifest, locale)

    @property
    def order(self) -> int:
        """Its place among other apps, as the author suggests."""
        return order_of(self.package.manifest)

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
    tried_startup_checks: frozenset[str] = frozenset()
    failed_startup_checks: frozenset[str] = frozenset()
    tried_runtime_checks: frozenset[str] = frozenset()
    failed_runtime_checks: frozenset[str] = frozenset()
    available_tools: frozenset[str] = frozenset()
    available_integrations: frozenset[str] = frozenset()
    available_services: frozenset[str] = frozenset()
    """Its own backends whose program is on this machine."""
    available_skills: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    """Skills from elsewhere that are here in a version that the app asks for."""
    command_sandbox_absence: str | None = None
    """Why nothing walls its programs off, with what would; None where something does, or it has none."""
