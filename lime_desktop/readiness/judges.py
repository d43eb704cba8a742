"""Hold one need against the facts. Each function answers for one kind of need."""

from decimal import Decimal

from lime_desktop.projection.host_profile import SDK_PACKAGE
from lime_desktop.projection.versions import CURRENT, Fit, minimum_fit, parse_sdk_demand, range_fit
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.facts import UNLIMITED, ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Verdict, failed, unknown
from lime_desktop.readiness.units import Quantity, expectation_fit, parse_quantity

RUNTIME = "Lime Runtime"
"""What a person calls the contract that `requires.lime.appRuntime` speaks of."""


def judge_capability(name: str, demand: str, facts: ReadinessFacts) -> Verdict:
    """A capability must be offered, in a version that fits, and be there right now."""
    offered = facts.host.capabilities.get(name, ())
    if not offered:
        return failed(Code.CAPABILITY_MISSING)
    verdict = _judge_range(demand, offered, Code.CAPABILITY_VERSION_UNSUPPORTED)
    if verdict.is_passed and name in facts.unavailable_capabilities:
        return failed(Code.CAPABILITY_UNAVAILABLE, reason=facts.unavailable_capabilities[name])
    return verdict


def judge_sdk(text: str, facts: ReadinessFacts) -> Verdict:
    """``requires.sdk`` or the check ``sdk_version``: a package with a range, or either alone."""
    demand = parse_sdk_demand(text, default_package=SDK_PACKAGE)
    offered = facts.host.sdk_versions.get(demand.package, ())
    fit = range_fit(demand.range, offered) if offered else Fit.UNMET
    return _verdict_on(fit, demand.range, offered, Code.SDK_VERSION_UNSUPPORTED, demand.package)


def judge_host(demand: str, facts: ReadinessFacts) -> Verdict:
    """``requires.lime.appRuntime``: the contract this host serves."""
    offered = facts.host.app_runtime_versions
    fit = range_fit(demand, offered)
    return _verdict_on(fit, demand, offered, Code.HOST_VERSION_UNSUPPORTED, RUNTIME)


def judge_lowest_host(demand: str, facts: ReadinessFacts) -> Verdict:
    """A lowest version of the runtime, as installation contracts give it."""
    offered = facts.host.app_runtime_versions
    fit = minimum_fit(demand, offered)
    return _verdict_on(fit, demand, offered, Code.HOST_VERSION_UNSUPPORTED, RUNTIME)


def judge_permission(key: str, facts: ReadinessFacts) -> Verdict:
    """A grant counts only where no policy denies."""
    if key in facts.denied_permissions:
        return failed(Code.PERMISSION_DENIED)
    return PASSED if key in facts.granted_permissions else failed(Code.PERMISSION_REQUIRED)


def judge_knowledge(key: str, wanted_type: str | None, facts: ReadinessFacts) -> Verdict:
    """A template must be bound, to a pack of its type where both types are known."""
    if key not in facts.bound_knowledge:
        return failed(Code.KNOWLEDGE_BINDING_REQUIRED)
    bound_type = facts.bound_knowledge[key]
    if wanted_type and bound_type and wanted_type != bound_type:
        return failed(Code.KNOWLEDGE_INCOMPATIBLE, demand=wanted_type, offered=bound_type)
    return PASSED


def judge_skill(skill_id: str, demand: str | None, facts: ReadinessFacts) -> Verdict:
    """A skill must be there, in the asked version where a version is known."""
    if skill_id not in facts.available_skills:
        return failed(Code.SKILL_REQUIRED)
    version = facts.available_skills[skill_id]
    if demand is None or demand == CURRENT:
        return PASSED
    if version is None:
        return unknown(Code.FACT_UNKNOWN)
    return _judge_range(demand, (version,), Code.SKILL_VERSION_UNSUPPORTED)


def judge_member(key: str, present: frozenset[str], missing: Code) -> Verdict:
    """Tools, secrets, overlays, evals, connections: there or not."""
    return PASSED if key in present else failed(missing)


def judge_workspace(facts: ReadinessFacts) -> Verdict:
    """Some things exist only inside a workspace."""
    return PASSED if facts.workspace else failed(Code.WORKSPACE_REQUIRED)


def judge_quota(expectation: str, facts: ReadinessFacts) -> Verdict:
    """The check ``storage_quota``."""
    if facts.storage_quota_bytes is None:
        return unknown(Code.FACT_UNKNOWN)
    room = Quantity(Decimal(facts.storage_quota_bytes), "bytes")
    shown = f"{facts.storage_quota_bytes / 1_000_000:.1f} MB"
    return _judge_amount(expectation, room, shown, Code.STORAGE_QUOTA_LOW)


def judge_budget(expectation: str, facts: ReadinessFacts) -> Verdict:
    """The check ``agent_cost_budget``; another currency leaves the check open."""
    if facts.cost_budget == UNLIMITED:
        return PASSED
    budget = parse_quantity(facts.cost_budget) if facts.cost_budget else None
    if budget is None or facts.cost_budget is None:
        return unknown(Code.FACT_UNKNOWN)
    return _judge_amount(expectation, budget, facts.cost_budget, Code.COST_BUDGET_LOW)


def _judge_amount(expectation: str, actual: Quantity, shown: str, low: Code) -> Verdict:
    match expectation_fit(expectation, actual):
        case Fit.MET:
            return PASSED
        case Fit.UNMET | Fit.OUTDATED:
            return failed(low, demand=expectation, offered=shown)
        case Fit.UNREADABLE:
            return unknown(Code.EXPECTATION_UNREADABLE, demand=expectation)


def _judge_range(demand: str, offered: tuple[str, ...], unmet: Code) -> Verdict:
    return _verdict_on(range_fit(demand, offered), demand, offered, unmet)


def _verdict_on(
    fit: Fit, demand: str, offered: tuple[str, ...], unmet: Code, name: str | None = None
) -> Verdict:
    """Turn a fit into a verdict; `name` is what to call the thing where its key is not its name."""
    named = {"key": name} if name else {}
    match fit:
        case Fit.MET:
            return PASSED
        case Fit.UNMET:
            newest = offered[-1] if offered else "–"
            return failed(unmet, demand=demand, offered=newest, **named)
        case Fit.OUTDATED:
            return failed(Code.APP_OUTDATED, demand=demand, offered=offered[0], **named)
        case Fit.UNREADABLE:
            return unknown(Code.VERSION_RANGE_UNREADABLE, demand=demand, **named)
