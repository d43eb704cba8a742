"""Is the package itself fit to run: valid, trusted, complete, and not past its time?"""

from collections.abc import Iterator
from datetime import datetime

from lime_desktop.app_package.manifest import parse_time
from lime_desktop.app_package.manifest.self_checks import Health
from lime_desktop.app_package.problems import Severity
from lime_desktop.projection.projection import Projection
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.facts import PackageTrust, ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Finding, Tier, Verdict, failed, unknown


def check_package(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Whether its content can be used at all."""
    yield Finding(kind="package", key="package", tier=Tier.REQUIRED, verdict=_validity(projection))
    yield _trust(facts)
    yield from _parts(projection)
    if facts.is_app_disabled:
        verdict = failed(Code.APP_DISABLED)
        yield Finding(kind="policy", key="app", tier=Tier.REQUIRED, verdict=verdict)


def check_lifecycle(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """End of life and archiving block; deprecation and the end of support warn."""
    manifest = projection.manifest
    window = manifest.support_window
    if manifest.status == "archived":
        yield _lifecycle("status", Tier.REQUIRED, failed(Code.APP_ARCHIVED))
    if manifest.end_of_life_at is not None:
        verdict = _past(manifest.end_of_life_at, facts.now, Code.END_OF_LIFE)
        yield _lifecycle("endOfLifeAt", Tier.REQUIRED, verdict)
    if manifest.status == "deprecated":
        yield _lifecycle("status", Tier.RECOMMENDED, failed(Code.APP_DEPRECATED))
    elif manifest.deprecated_at is not None:
        verdict = _past(manifest.deprecated_at, facts.now, Code.APP_DEPRECATED)
        yield _lifecycle("deprecatedAt", Tier.RECOMMENDED, verdict)
    if window is not None and window.supported_until is not None:
        verdict = _past(window.supported_until, facts.now, Code.SUPPORT_ENDED)
        yield _lifecycle("supportWindow.supportedUntil", Tier.RECOMMENDED, verdict)


def check_health(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """A failed start leads back here: a critical check blocks, another one warns. One that fails later only warns."""
    health = projection.manifest.health or Health()
    for check in health.startup:
        tier = Tier.REQUIRED if check.critical else Tier.RECOMMENDED
        if check.check in facts.failed_startup_checks:
            yield _health(check.check, tier, failed(Code.HEALTH_STARTUP_FAILED))
        elif check.check in facts.tried_startup_checks:
            yield _health(check.check, tier, PASSED)
        else:
            # Worth saying, and no reason to keep the app from the start at which it would be tried.
            yield _health(check.check, None, unknown(Code.HEALTH_NOT_TRIED))
    for check in health.runtime:
        if check.check in facts.failed_runtime_checks:
            yield _health(check.check, Tier.RECOMMENDED, failed(Code.HEALTH_RUNTIME_FAILED))
        elif check.check in facts.tried_runtime_checks:
            yield _health(check.check, Tier.RECOMMENDED, PASSED)
        else:
            yield _health(check.check, None, unknown(Code.HEALTH_NOT_TRIED))


def _health(key: str, tier: Tier | None, verdict: Verdict) -> Finding:
    return Finding(kind="health", key=key, tier=tier, verdict=verdict)


def claimed_trust(projection: Projection) -> PackageTrust:
    """How a package stands before anybody has checked it: a claimed signature is not yet a proof."""
    return "unsigned" if projection.manifest.signature is None else "unchecked"


def _validity(projection: Projection) -> Verdict:
    errors = (each for each in projection.problems if each.severity is Severity.ERROR)
    first = next(errors, None)
    return PASSED if first is None else failed(Code.PACKAGE_INVALID, problem=first.message)


def _trust(facts: ReadinessFacts) -> Finding:
    verdict, tier = PASSED, Tier.REQUIRED
    match facts.package_trust:
        case "verified" | "pinned":
            pass
        case "unsigned":
            verdict, tier = failed(Code.PACKAGE_UNSIGNED), Tier.RECOMMENDED
        case "unchecked":
            verdict, tier = unknown(Code.PACKAGE_HASH_MISSING), Tier.RECOMMENDED
        case "mismatched":
            verdict = failed(Code.PACKAGE_HASH_MISMATCH)
        case "revoked":
            verdict = failed(Code.PACKAGE_REVOKED, reason=facts.revocation_reason)
    return Finding(kind="package", key="signature", tier=tier, verdict=verdict)


def _parts(projection: Projection) -> Iterator[Finding]:
    """Every bundle that the manifest points to must be in the package."""
    for key, path in _declared_paths(projection):
        is_there = projection.holds(path)
        verdict = PASSED if is_there else failed(Code.PACKAGE_INCOMPLETE, path=path)
        yield Finding(kind="runtimePackage", key=key, tier=Tier.REQUIRED, verdict=verdict)
        if key == "ui" and is_there:
            yield from _first_page(projection, path)


def _first_page(projection: Projection, folder: str) -> Iterator[Finding]:
    """A bundle is served beginning with its index page: without it, what is a page of the app would open empty."""
    pages = frozenset(each.key for each in projection.entries if each.is_embeddable)
    path = f"{folder.rstrip('/')}/index.html"
    if pages and not projection.holds(path):
        verdict = failed(Code.PACKAGE_INCOMPLETE, path=path)
        yield Finding(
            kind="runtimePackage", key="ui", tier=Tier.REQUIRED, verdict=verdict, entries=pages
        )


def _declared_paths(projection: Projection) -> Iterator[tuple[str, str]]:
    bundles = projection.manifest.runtime_package
    for key in ("ui", "worker", "tools"):
        bundle = getattr(bundles, key, None)
        if bundle is not None:
            yield key, bundle.path
    storage = projection.manifest.storage
    if storage is not None and storage.schema_path:
        yield "storage.schema", storage.schema_path
    if storage is not None and storage.migrations:
        yield "storage.migrations", storage.migrations


def _lifecycle(key: str, tier: Tier, verdict: Verdict) -> Finding:
    return Finding(kind="lifecycle", key=key, tier=tier, verdict=verdict)


def _past(date: str, now: datetime, code: Code) -> Verdict:
    moment = parse_time(date)
    return failed(code, date=moment.date().isoformat()) if moment < now else PASSED
