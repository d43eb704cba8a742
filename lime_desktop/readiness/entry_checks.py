"""What does one entry need for itself? Only what it names, whatever the rest of the app needs."""

from collections.abc import Iterator

from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.projection.projection import Projection
from lime_desktop.projection.versions import CURRENT
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.connection_checks import judge_service
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Finding, Tier, Verdict, failed
from lime_desktop.readiness.judges import judge_capability, judge_permission, judge_workspace
from lime_desktop.readiness.resource_checks import judge_artifact, judge_workflow

CAPABILITY_BY_KIND = {
    "page": "lime.ui",
    "panel": "lime.ui",
    "settings": "lime.ui",
    "expert-chat": "lime.agent",
    "workflow": "lime.workflow",
}
"""What a kind of entry cannot do without, whether or not the author says so."""


def check_entry(
    projection: Projection, entry: ProjectedEntry, facts: ReadinessFacts
) -> Iterator[Finding]:
    """Everything the entry itself names, each of it required."""
    yield _needed("entry", entry.key, _judge_entry(entry, facts))
    yield from _capabilities(projection, entry, facts)
    optional = {each.key for each in projection.manifest.permissions if not each.required}
    for key in entry.declared.permissions:
        # What the app can do without, its entries can too: they do less, and the app says so.
        if key not in optional:
            yield _needed("permission", key, judge_permission(key, facts))
    for key in entry.declared.artifact_types:
        yield _needed("artifact", key, _judge_artifact(projection, key, facts))
    if entry.declared.visibility == "workspace":
        yield _needed("workspace", "workspace", judge_workspace(facts))
    yield from _targets(projection, entry, facts)


def _judge_entry(entry: ProjectedEntry, facts: ReadinessFacts) -> Verdict:
    if entry.key in facts.disabled_entries:
        return failed(Code.ENTRY_DISABLED)
    return failed(Code.ENTRY_ROUTE_REFUSED) if entry.is_route_refused else PASSED


def _capabilities(
    projection: Projection, entry: ProjectedEntry, facts: ReadinessFacts
) -> Iterator[Finding]:
    ranges = {demand.name: demand.range for demand in projection.capabilities}
    implied = CAPABILITY_BY_KIND.get(entry.declared.kind)
    listed = entry.declared.required_capabilities
    for name in dict.fromkeys((*((implied,) if implied else ()), *listed)):
        demand = ranges.get(name, CURRENT)
        verdict = judge_capability(name, demand, facts)
        yield _needed("capability", name, verdict, version=demand)


def _targets(
    projection: Projection, entry: ProjectedEntry, facts: ReadinessFacts
) -> Iterator[Finding]:
    """The workflow, service or persona behind the entry."""
    declared = entry.declared
    if declared.workflow:
        verdict = judge_workflow(projection, declared.workflow, facts)
        tier = _workflow_tier(entry, verdict)
        yield _needed("workflow", declared.workflow, verdict, tier=tier)
    if declared.service:
        verdict = _judge_service(projection, declared.service, facts)
        yield _needed("service", declared.service, verdict)
    if declared.persona and _is_path(declared.persona):
        is_there = projection.holds(declared.persona)
        verdict = PASSED if is_there else failed(Code.PERSONA_REQUIRED)
        yield _needed("persona", declared.persona, verdict)


def _workflow_tier(entry: ProjectedEntry, verdict: Verdict) -> Tier:
    """An entry that is a workflow opens even where it cannot be run: its page says why, and shows the steps."""
    is_told_there = (
        entry.declared.kind == "workflow" and verdict.code is Code.WORKFLOW_NOT_EXECUTABLE
    )
    return Tier.RECOMMENDED if is_told_there else Tier.REQUIRED


def _judge_service(projection: Projection, key: str, facts: ReadinessFacts) -> Verdict:
    service = next((each for each in projection.manifest.services if each.key == key), None)
    if service is None:
        return failed(Code.SERVICE_REQUIRED, reason=key)
    return judge_service(service, projection, facts)


def _judge_artifact(projection: Projection, key: str, facts: ReadinessFacts) -> Verdict:
    if all(each.key != key for each in projection.manifest.artifact_types):
        return failed(Code.ARTIFACT_TYPE_REQUIRED)
    return judge_artifact(projection, key, facts)


def _is_path(text: str) -> bool:
    return "/" in text or text.endswith(".md")


def _needed(
    kind: str,
    key: str,
    verdict: Verdict,
    *,
    version: str | None = None,
    tier: Tier = Tier.REQUIRED,
) -> Finding:
    return Finding(kind=kind, key=key, tier=tier, verdict=verdict, version=version)
