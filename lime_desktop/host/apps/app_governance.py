"""What the organisation, the person and the workspace say of an app right now. Pure over what the app center holds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property

from lime_desktop.app_package.manifest import Manifest
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.workspace_rules import WorkspaceRules
from lime_desktop.host.app_center.governance.workspaces import NO_FOLDER
from lime_desktop.overlay.app_defaults import app_defaults
from lime_desktop.overlay.resolve import Resolved, ResolvedValue, resolve
from lime_desktop.overlay.surface import surface_of
from lime_desktop.policy.facts import CostLimit
from lime_desktop.policy.governance import CURRENCY, UNGOVERNED, USUAL_ASK_FROM, Governance
from lime_desktop.policy.overlay_rules import budgets_of_overlays, rules_of_overlays
from lime_desktop.policy.policy_file import PolicyFile
from lime_desktop.policy.vocabulary import RISK_LEVELS, RiskLevel, rank
from lime_desktop.readiness.facts import UNLIMITED

_NOTHING_SET = Resolved({}, (), (), (), {})


@dataclass(frozen=True)
class AppGovernance:
    """What holds for one app from outside its package."""

    overlays: Resolved = _NOTHING_SET
    """Each setting with its source, and who locked it."""
    policy: Governance = UNGOVERNED
    is_allowed: bool = True
    """Whether the organisation lets the app be here at all."""
    configured: frozenset[str] = field(default_factory=frozenset[str])
    """The templates for settings that somebody filled."""
    workspace: WorkspaceRules | None = None
    """The open folder whose rules are among these."""

    @cached_property
    def workspace_id(self) -> str:
        """The workspace that this holds in."""
        return NO_FOLDER if self.workspace is None else self.workspace.workspace_id

    @property
    def disabled_entries(self) -> frozenset[str]:
        """The entries that somebody switched off."""
        return frozenset(
            key.removeprefix("entries.").removesuffix(".disabled")
            for key, each in self.overlays.values.items()
            if key.startswith("entries.") and each.value is True
        )

    @property
    def entry_order(self) -> tuple[str, ...]:
        """The entries that somebody wants first, in that order."""
        order = self.overlays.value("ui.order")
        return tuple(str(each) for each in order) if isinstance(order, list) else ()

    @property
    def cost_budget(self) -> str:
        """What its agents may spend in a month, as readiness reads it."""
        limits = [each.limit for each in self.policy.budgets if each.window == "month"]
        return f"{min(limits)} {CURRENCY}" if limits else UNLIMITED

    @property
    def task_limits(self) -> tuple[CostLimit, ...]:
        """What one task may cost; a task that is to begin has spent nothing."""
        return tuple(
            budget.with_spending(task=Decimal(0), month=Decimal(0))
            for budget in self.policy.budgets
            if budget.window == "task"
        )


def governing(center: AppCenter | None, manifest: Manifest) -> AppGovernance:
    """Gather what holds for an app; with no center nobody has said anything."""
    if center is None:
        overlays = resolve([app_defaults(manifest)], surface_of(manifest))
        return AppGovernance(overlays, governance_of((), overlays))
    overlays = center.overlays.resolved(manifest)
    organisation, workspace = center.membership.organisation, center.workspaces.current
    governors = (each for each in (organisation, workspace) if each is not None)
    said = governance_of((each.policy for each in governors), overlays)
    refused = (each.as_rule() for each in center.permissions.refusals(manifest.name))
    return AppGovernance(
        overlays,
        replace(said, rules=(*said.rules, *refused)),
        organisation is None or organisation.allows(manifest.name),
        _configured(manifest, overlays.values),
        workspace,
    )


def governance_of(policies: Iterable[PolicyFile], overlays: Resolved) -> Governance:
    """Merge policies and overlays; the lowest risk from which any of them asks a person wins."""
    files = tuple(policies)
    asking: list[RiskLevel] = [USUAL_ASK_FROM, *(each.ask_from for each in files)]
    return Governance(
        rules=(*(rule for each in files for rule in each.rules), *rules_of_overlays(overlays)),
        defaults=tuple(default for each in files for default in each.defaults),
        risk_rules=tuple(rule for each in files for rule in each.risk_rules),
        budgets=(
            *(budget for each in files for budget in each.budgets),
            *budgets_of_overlays(overlays, currency=CURRENCY),
        ),
        ask_from=min(asking, key=lambda level: rank(level, RISK_LEVELS)),
    )


def _configured(manifest: Manifest, values: Mapping[str, ResolvedValue]) -> frozenset[str]:
    return frozenset(
        template.key
        for template in manifest.overlay_templates
        if any(key.startswith(f"templates.{template.key}.") for key in values)
    )
