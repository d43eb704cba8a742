"""Can this app, and can each of its entries, run here and now? Pure: runs nothing of the package."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.projection.projection import Projection
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.connection_checks import (
    check_integrations,
    check_operations,
    check_services,
)
from lime_desktop.readiness.declared_checks import check_declared
from lime_desktop.readiness.entry_checks import check_entry
from lime_desktop.readiness.explanation import Explanation, explain_in
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import Finding, Outcome, Tier, Verdict
from lime_desktop.readiness.flow_chart import Status, status_of
from lime_desktop.readiness.host_checks import check_capabilities, check_host, check_install
from lime_desktop.readiness.package_checks import check_health, check_lifecycle, check_package
from lime_desktop.readiness.resource_checks import (
    check_knowledge,
    check_outputs,
    check_permissions,
    check_setup,
    check_skills,
    check_storage,
    check_tools,
    check_workflows,
)
from lime_desktop.readiness.result import EntryReadiness, Readiness, Tiers

APP_CHECKS = (
    check_package,
    check_lifecycle,
    check_health,
    check_host,
    check_install,
    check_capabilities,
    check_permissions,
    check_knowledge,
    check_skills,
    check_tools,
    check_workflows,
    check_outputs,
    check_setup,
    check_storage,
    check_services,
    check_integrations,
    check_operations,
    check_declared,
)
"""In the order a person would go through them: first what no setup can change."""


@dataclass(frozen=True, slots=True)
class _EntryFindings:
    entry: ProjectedEntry
    findings: tuple[Finding, ...]
    status: Status


def assess(projection: Projection, facts: ReadinessFacts) -> Readiness:
    """Answer for the whole app and for each entry, with every finding and what to do about it."""
    explanation = explain_in(facts.locale, projection.manifest)
    of_app = _without_repeats(
        [finding for check in APP_CHECKS for finding in check(projection, facts)]
    )
    of_entries = [_entry_findings(projection, entry, of_app, facts) for entry in projection.entries]
    findings = (*of_app, *_unavailable(of_app, of_entries, facts, explanation))
    status = status_of(findings)
    checks = tuple(explanation.check(finding) for finding in findings)
    return Readiness(
        ok=status.may_start,
        status=status,
        app=projection.manifest.name,
        workspace=facts.workspace,
        checks=checks,
        tiers=Tiers.of(checks),
        blockers=tuple(check.message for check in checks if check.severity == "error"),
        warnings=tuple(check.message for check in checks if check.severity == "warning"),
        setup_actions=explanation.setup_actions(findings),
        entries=tuple(_entry_readiness(each, explanation) for each in of_entries),
        provenance=projection.provenance.document,
    )


def _without_repeats(findings: list[Finding]) -> tuple[Finding, ...]:
    """Where the package itself requires a thing and came to the same answer, its own words are enough."""
    said = {
        (each.kind, each.key, each.verdict.code)
        for each in findings
        if each.source != "host" and each.tier is Tier.REQUIRED and each.entries is None
    }
    return tuple(
        each
        for each in findings
        if each.source != "host" or (each.kind, each.key, each.verdict.code) not in said
    )


def _entry_findings(
    projection: Projection,
    entry: ProjectedEntry,
    of_app: Iterable[Finding],
    facts: ReadinessFacts,
) -> _EntryFindings:
    """What the entry names for itself comes first, and outweighs what the app says of the same thing."""
    own = tuple(check_entry(projection, entry, facts))
    named = {(finding.kind, finding.key) for finding in own}
    inherited = (
        finding
        for finding in of_app
        if finding.concerns(entry.key)
        and (finding.source != "host" or (finding.kind, finding.key) not in named)
    )
    findings = (*own, *inherited)
    return _EntryFindings(entry, findings, status_of(findings))


def _unavailable(
    of_app: tuple[Finding, ...],
    of_entries: list[_EntryFindings],
    facts: ReadinessFacts,
    explanation: Explanation,
) -> Iterator[Finding]:
    """Tell the app about entries that are worse off than it is.

    While another entry can start, the app is only degraded; with none left it is as stuck as its best
    entry. An entry that a policy hides is no loss as long as another one can start.
    """
    best = min((each.status for each in of_entries), key=list(Status).index, default=Status.READY)
    app_status = status_of(of_app)
    for each in of_entries:
        is_hidden = each.entry.key in facts.disabled_entries and best.may_start
        if each.status.may_start or is_hidden or not each.status.is_worse_than(app_status):
            continue
        first = next(
            f for f in each.findings if f.tier is Tier.REQUIRED and not f.verdict.is_passed
        )
        outcome = Outcome.UNKNOWN if best is Status.UNKNOWN else Outcome.FAILED
        yield Finding(
            kind="entry",
            key=each.entry.key,
            tier=Tier.RECOMMENDED if best.may_start else Tier.REQUIRED,
            verdict=Verdict(
                outcome, Code.ENTRY_UNAVAILABLE, {"reason": explanation.message(first)}
            ),
            is_blocker=best in {Status.BLOCKED, Status.FAILED},
        )


def _entry_readiness(each: _EntryFindings, explanation: Explanation) -> EntryReadiness:
    checks = tuple(explanation.check(finding) for finding in each.findings)
    unmet = (f.key for f in each.findings if f.tier is Tier.REQUIRED and not f.verdict.is_passed)
    return EntryReadiness(
        entry_key=each.entry.key,
        ok=each.status.may_start,
        status=each.status,
        missing=tuple(dict.fromkeys(unmet)),
        checks=checks,
        blockers=tuple(check.message for check in checks if check.severity == "error"),
        warnings=tuple(check.message for check in checks if check.severity == "warning"),
        setup_actions=explanation.setup_actions(each.findings),
    )
