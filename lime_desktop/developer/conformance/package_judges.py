"""Demands that are answered by what verifying, projecting and assessing a package came to."""

import hashlib
from collections.abc import Callable, Mapping

from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import Severity
from lime_desktop.app_package.trust.verdict import Verdict as Trust
from lime_desktop.developer.conformance.declarations import told
from lime_desktop.developer.conformance.facts import PackageFacts
from lime_desktop.developer.conformance.report import (
    Finding,
    does_not_apply,
    fails,
    holds,
    not_checked,
)
from lime_desktop.projection.negotiation import CapabilityDemand
from lime_desktop.projection.versions import Fit
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.findings import Outcome

_CONTRADICTED = {Trust.FAILED, Trust.REVOKED}
_OVER = {Code.END_OF_LIFE, Code.APP_ARCHIVED}
_APP_MD = "APP.md"


def _is_valid(facts: PackageFacts) -> Finding:
    errors = [told(each) for each in facts.problems if each.severity is Severity.ERROR]
    if errors:
        return fails("`lime-desktop validate` finds errors.", *errors)
    warnings = [told(each) for each in facts.problems if each.severity is Severity.WARNING]
    return holds(
        "`lime-desktop validate` finds no error.",
        f"{len(facts.package.tree.files)} files read",
        *warnings,
    )


def _separate_file_wins(facts: PackageFacts) -> Finding:
    conflicts = facts.package.conflicts
    if not conflicts:
        return does_not_apply("No two files of the package disagree.")
    lines = [
        f"{each.key_path}: {each.kept.file}:{each.kept.line} over {each.dropped.file}:{each.dropped.line}"
        for each in conflicts
    ]
    if any(each.kept.file == _APP_MD for each in conflicts):
        return fails("A value of APP.md was kept over one of a separate file.", *lines)
    return holds("Each time the separate file was kept.", *lines)


def _is_verified(facts: PackageFacts) -> Finding:
    hashes = facts.verification.hashes
    seen = (
        f"package {hashes.package_hash}",
        f"manifest {hashes.manifest_hash}",
        f"signature: {facts.verification.verdict}",
        *map(_negotiated, facts.projection.capabilities),
    )
    if facts.verification.verdict in _CONTRADICTED:
        return fails("The package contradicts its signature.", *seen)
    if not hashes.manifest_hash:
        return fails("There is no manifest to verify.", *seen)
    return holds("All four were looked at, and none contradicts another.", *seen)


def _verified_in_order(facts: PackageFacts) -> Finding:
    found = facts.verification
    seen = [f"{each.name}: {each.status}, {each.reason}" for each in found.steps]
    if found.verdict is Trust.UNSIGNED:
        return does_not_apply("The package is not signed.")
    if found.verdict in _CONTRADICTED:
        return fails("A step failed.", *seen)
    if found.verdict is not Trust.VERIFIED:
        return not_checked("Nobody said on this machine whether this publisher is trusted.", *seen)
    return holds("Every step passed.", *seen)


def _projects_everything(facts: PackageFacts) -> Finding:
    projected = {each.key for each in facts.projection.entries}
    declared = {each.key for each in facts.package.manifest.entries}
    if missing := sorted(declared - projected):
        return fails("Entries would not be registered.", *missing)
    if not declared:
        return fails("The app declares no entry, so there is nothing to open.")
    return holds("Everything declared is in the projection.", *sorted(projected))


def _projects_the_same(facts: PackageFacts) -> Finding:
    first, second = (hashlib.sha256(each.encode()).hexdigest() for each in facts.documents)
    if first != second:
        return fails("Two projections of the same files differ.", first, second)
    return holds(
        "Read and projected twice with one result, and nothing was run.", f"sha256:{first}"
    )


def _claims_no_verification(facts: PackageFacts) -> Finding:
    claims = [
        told(each) for each in facts.problems if each.code == rules.PUBLISHER_SELF_VERIFIED.code
    ]
    publisher = facts.verification.publisher
    if publisher is None:
        return holds("The host takes the publisher for unknown, whatever is claimed.", *claims)
    return holds("The publisher was verified by a signature.", publisher.signer, *claims)


def _is_supported(facts: PackageFacts) -> Finding:
    checks = [each for each in facts.readiness.checks if each.kind == "lifecycle"]
    lines = [f"{each.key}: {each.message}" for each in checks]
    if any(each.code in _OVER for each in checks):
        return fails("The app is past its end.", *lines)
    if not checks:
        return does_not_apply("The app names no end of life or support.")
    return holds("The app is not past its end.", *lines)


def _is_assessed(facts: PackageFacts) -> Finding:
    answered = {each.entry_key: each.status for each in facts.readiness.entries}
    silent = [e.key for e in facts.package.manifest.entries if e.key not in answered]
    seen = [f"{key}: {status}" for key, status in answered.items()]
    if silent:
        return fails("Readiness has no answer for an entry.", *silent)
    count = len(facts.readiness.checks)
    return holds(f"Readiness made {count} checks and answered for every entry.", *seen)


def _explains(facts: PackageFacts) -> Finding:
    unmet = [each for each in facts.readiness.checks if each.outcome is Outcome.FAILED]
    mute = [each.key for each in unmet if not each.remediation]
    if mute:
        return fails("A finding does not say what to do.", *mute)
    if not unmet:
        return does_not_apply("Nothing is missing, so there is nothing to explain.")
    return holds("Every finding says what to do.", *(f"{c.message} {c.remediation}" for c in unmet))


def _asks_permission(facts: PackageFacts) -> Finding:
    permissions = facts.package.manifest.permissions
    if not permissions:
        return does_not_apply("The app asks for no permission.")
    return holds("Each has to be granted before it is of use.", *(each.key for each in permissions))


def _migrates_safely(facts: PackageFacts) -> Finding:
    disorder = [told(e) for e in facts.problems if e.code == rules.MIGRATION_UNORDERED.code]
    steps = facts.projection.migrations
    risky = [each.path for each in steps if not each.is_reversible and each.risk is None]
    if disorder or risky:
        return fails("A migration has neither a way back nor a declared risk.", *disorder, *risky)
    if not steps:
        return does_not_apply("The app has no migration.")
    return holds("Each has a way back or says what it risks.", *(each.path for each in steps))


def _declares_capabilities(facts: PackageFacts) -> Finding:
    kinds = {rules.CAPABILITY_UNDECLARED.code, rules.RANGE_INVALID.code}
    broken = [told(each) for each in facts.problems if each.code in kinds]
    unmet = [
        _negotiated(each)
        for each in facts.projection.capabilities
        if each.is_required and each.fit is not Fit.MET
    ]
    if broken or unmet:
        return fails("A capability is undeclared, or not to be had here.", *broken, *unmet)
    if not facts.projection.capabilities:
        return does_not_apply("The app needs no capability.")
    return holds(
        "Every capability that it needs is offered in its range.",
        *map(_negotiated, facts.projection.capabilities),
    )


def _negotiated(demand: CapabilityDemand) -> str:
    offered = demand.offered[-1] if demand.offered else "not offered"
    return f"{demand.name} {demand.range}: {demand.fit} ({offered})"


def _maps_requirements(facts: PackageFacts) -> Finding:
    manifest = facts.package.manifest
    wanted = [each.id for each in manifest.requirements.requirements]
    mapped = {each.requirement_id for each in manifest.boundary.boundaries}
    if not wanted:
        return does_not_apply("The app states no requirements.")
    if nobodys := [each for each in wanted if each not in mapped]:
        return fails("Nobody is named who serves them.", *nobodys)
    return holds("Each names who serves it.", *wanted)


PACKAGE_JUDGES: Mapping[str, Callable[[PackageFacts], Finding]] = {
    "PKG-01": _is_valid,
    "APP-03": _separate_file_wins,
    "APP-04": _is_verified,
    "APP-05": _verified_in_order,
    "APP-07": _projects_everything,
    "APP-08": _projects_the_same,
    "APP-09": _claims_no_verification,
    "APP-10": _is_supported,
    "APP-12": _is_assessed,
    "APP-14": _explains,
    "APP-17": _asks_permission,
    "APP-48": _migrates_safely,
    "APP-53": _declares_capabilities,
    "APP-65": _maps_requirements,
}
