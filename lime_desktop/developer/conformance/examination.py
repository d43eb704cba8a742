"""Every demand held against what is known of an app, its page and this host."""

from collections.abc import Mapping

from lime_desktop.developer.conformance.declarations import DECLARATIONS
from lime_desktop.developer.conformance.demands import ALL_DEMANDS, RUNTIME_DEMANDS, Demand
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

_RUNTIME_IDS = {each.id for each in RUNTIME_DEMANDS}


def examine(
    facts: PackageFacts,
    page: SeenPage | str,
    shown_by: Mapping[str, tuple[str, ...]],
    made_at: str,
) -> Report:
    """Judge every demand. `page` may be the reason why the app was not opened.

    `shown_by` names the tests of the product that show a demand: they ran where it was built, not here.
    """
    return Report(
        made_at=made_at,
        app=_app(facts),
        host=describe_host(),
        judgements=tuple(_judge(each, facts, page, shown_by) for each in ALL_DEMANDS),
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


def _judge(
    demand: Demand,
    facts: PackageFacts,
    page: SeenPage | str,
    shown_by: Mapping[str, tuple[str, ...]],
) -> Judgement:
    part, finding = _find(demand.id, facts, page)
    found = finding or _left_to_tests(shown_by.get(demand.id, ()))
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


def _left_to_tests(tests: tuple[str, ...]) -> Finding:
    if not tests:
        return not_checked("No test of this host shows it.")
    return not_checked(
        "The host's own tests show it where it is built; they do not run here.", *tests
    )
