"""Every demand held against what is known of an app, its page and this host."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lime_desktop.developer.conformance.declarations import DECLARATIONS
from lime_desktop.developer.conformance.demands import ALL_DEMANDS, RUNTIME_DEMANDS, UNTRIED, Demand
from lime_desktop.developer.conformance.facts import PackageFacts
from lime_desktop.developer.conformance.host_judges import HOST_JUDGES, describe_host
from lime_desktop.developer.conformance.package_judges import PACKAGE_JUDGES
from lime_desktop.developer.conformance.page_judges import PAGE_JUDGES
from lime_desktop.developer.conformance.report import (
    ExaminedApp,
    Finding,
    Judgement,
    Part,
    Report,
    not_checked,
)
from lime_desktop.developer.conformance.seen_page import SeenPage
from lime_desktop.developer.conformance.tried_host import joined, judge_tried
from lime_desktop.developer.testing.outcomes import TestOutcome

_RUNTIME_IDS = {each.id for each in RUNTIME_DEMANDS}


@dataclass(frozen=True, slots=True)
class Observations:
    """What an examination may go by beside the package; each may be the reason why nobody looked."""

    page: SeenPage | str
    """The open app."""
    host: Sequence[TestOutcome] | str
    """What the probe tried on this host."""
    shown_by: Mapping[str, tuple[str, ...]]
    """The tests of the product that show a demand: they ran where it was built, not here."""


def examine(facts: PackageFacts, seen: Observations, made_at: str) -> Report:
    """Judge every demand."""
    return Report(
        made_at=made_at,
        app=_app(facts),
        host=describe_host(),
        judgements=tuple(_judge(each, facts, seen) for each in ALL_DEMANDS),
    )


def _app(facts: PackageFacts) -> ExaminedApp:
    manifest = facts.package.manifest
    return ExaminedApp(
        name=manifest.name,
        title=manifest.title,
        version=manifest.version,
        package_hash=facts.verification.hashes.package_hash,
        manifest_hash=facts.verification.hashes.manifest_hash,
        signature=facts.verification.verdict,
    )


def _judge(demand: Demand, facts: PackageFacts, seen: Observations) -> Judgement:
    part, finding = _find(demand.id, facts, seen.page)
    tried = None if isinstance(seen.host, str) else judge_tried(demand.id, seen.host)
    findings = [each for each in (finding, tried) if each is not None]
    found = joined(findings) if findings else _unseen(demand.id, seen)
    return Judgement(
        id=demand.id,
        part=part,
        source=demand.source,
        demand=demand.sentence,
        verdict=found.verdict,
        why=found.why,
        evidence=found.evidence,
    )


def _find(demand_id: str, facts: PackageFacts, page: SeenPage | str) -> tuple[Part, Finding | None]:
    if declaration := DECLARATIONS.get(demand_id):
        return "package", declaration.judge(facts.package, facts.problems)
    if of_package := PACKAGE_JUDGES.get(demand_id):
        return "package", of_package(facts)
    if of_page := PAGE_JUDGES.get(demand_id):
        return "page", not_checked(page) if isinstance(page, str) else of_page(page)
    of_host = HOST_JUDGES.get(demand_id)
    part: Part = "runtime" if demand_id in _RUNTIME_IDS else "host"
    return part, of_host() if of_host else None


def _unseen(demand_id: str, seen: Observations) -> Finding:
    """Nobody looked: why, and which of the product's own tests show it."""
    reason = UNTRIED.get(demand_id) or _reason(seen.host)
    return not_checked(reason, *seen.shown_by.get(demand_id, ()))


def _reason(host: Sequence[TestOutcome] | str) -> str:
    if isinstance(host, str):
        return host
    problems = [each.problem for each in host if each.problem]
    return problems[0] if problems else "The host was not tried to the end."
