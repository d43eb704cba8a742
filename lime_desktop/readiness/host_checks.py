"""Does the app fit this host: versions, targets, capabilities, the way it is installed?"""

from collections.abc import Iterator

from lime_desktop.projection.host_profile import SDK_PACKAGE
from lime_desktop.projection.projection import Projection
from lime_desktop.projection.versions import parse_sdk_demand
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Finding, Tier, Verdict, failed, unknown
from lime_desktop.readiness.judges import (
    judge_capability,
    judge_host,
    judge_lowest_host,
    judge_sdk,
)
from lime_desktop.readiness.scope import entries_using_capability


def check_host(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """The versions and targets the app was written for."""
    yield _manifest_version(projection, facts)
    targets = projection.manifest.runtime_targets
    if targets:
        verdict = _any_of(targets, facts.host.runtime_targets, Code.RUNTIME_TARGET_UNSUPPORTED)
        yield _required("runtime", "runtimeTargets", verdict)
    for name, demand in projection.manifest.requires.lime.items():
        is_known = name == "appRuntime"
        verdict = judge_host(demand, facts) if is_known else unknown(Code.CHECK_UNKNOWN)
        yield _required("runtime", name, verdict, version=demand)
    if sdk := projection.manifest.requires.sdk:
        demand = parse_sdk_demand(sdk, default_package=SDK_PACKAGE)
        yield _required("sdk", demand.package, judge_sdk(sdk, facts), version=demand.range)
    yield from _bridge(projection, facts)


def check_capabilities(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Required ones must fit; without the others the app starts, with a warning."""
    for demand in projection.capabilities:
        yield Finding(
            kind="capability",
            key=demand.name,
            tier=Tier.REQUIRED if demand.is_required else Tier.RECOMMENDED,
            verdict=judge_capability(demand.name, demand.range, facts),
            version=demand.range,
            entries=entries_using_capability(projection, demand.name),
        )
    for name in projection.standards:
        is_known = name in facts.host.standards
        verdict = PASSED if is_known else failed(Code.STANDARD_UNSUPPORTED)
        yield Finding(kind="standard", key=name, tier=Tier.RECOMMENDED, verdict=verdict)


def check_install(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """The way the app is installed must suit its author and this host."""
    contract = projection.manifest.install
    if contract is None:
        return
    mode = facts.install_mode
    is_possible = mode in contract.modes and mode in facts.host.install_modes
    refused = failed(Code.INSTALL_MODE_UNSUPPORTED, offered=", ".join(contract.modes))
    yield _required("install", mode, PASSED if is_possible else refused)
    if contract.runtime and contract.runtime.min_version:
        lowest = contract.runtime.min_version
        yield _required("install", "lime-runtime", judge_lowest_host(lowest, facts), version=lowest)
    platforms = contract.standalone.platforms if contract.standalone else ()
    if mode == "standalone" and platforms:
        verdict = _any_of((facts.host.platform,), platforms, Code.PLATFORM_UNSUPPORTED)
        yield _required("install", facts.host.platform, verdict)


def _manifest_version(projection: Projection, facts: ReadinessFacts) -> Finding:
    version = projection.provenance.standard_version
    is_read = version in facts.host.manifest_versions
    verdict = PASSED if is_read else failed(Code.MANIFEST_VERSION_UNSUPPORTED, demand=version)
    return _required("manifest", "manifestVersion", verdict, version=version)


def _bridge(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    runtime = projection.manifest.agent_runtime
    kind = runtime.bridge.kind if runtime and runtime.bridge else None
    if kind is not None:
        is_served = kind in facts.host.bridge_kinds
        verdict = PASSED if is_served else failed(Code.RUNTIME_BRIDGE_UNSUPPORTED)
        yield _required("runtime", kind, verdict)


def _any_of(wanted: tuple[str, ...], offered: tuple[str, ...], code: Code) -> Verdict:
    if set(wanted) & set(offered):
        return PASSED
    return failed(code, demand=", ".join(wanted), offered=", ".join(offered))


def _required(kind: str, key: str, verdict: Verdict, *, version: str | None = None) -> Finding:
    return Finding(kind=kind, key=key, tier=Tier.REQUIRED, verdict=verdict, version=version)
