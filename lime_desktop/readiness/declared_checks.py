"""The package's own checks, from ``evals/readiness.yaml``. A check nobody knows stays open."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from lime_desktop.app_package.manifest import ReadinessCheck, ReadinessChecks
from lime_desktop.projection.projection import Projection
from lime_desktop.projection.versions import CURRENT
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.connection_checks import judge_integration_named
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Finding, Tier, Verdict, failed, unknown
from lime_desktop.readiness.judges import (
    judge_budget,
    judge_capability,
    judge_host,
    judge_knowledge,
    judge_member,
    judge_permission,
    judge_quota,
    judge_sdk,
    judge_skill,
    judge_workspace,
)
from lime_desktop.readiness.resource_checks import judge_artifact, judge_tool


@dataclass(frozen=True, slots=True)
class _Question:
    """One check, with its subject and its expectation already read."""

    subject: str
    expect: str | None
    projection: Projection
    facts: ReadinessFacts


Answer = Callable[[_Question], Verdict]


@dataclass(frozen=True, slots=True)
class _Kind:
    kind: str
    subjects: tuple[str, ...]
    """Fields that may name what the check is about; none if it is about the host or the app."""
    answer: Answer


def check_declared(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Answer every check of every tier, in the author's order."""
    declared = projection.manifest.readiness or ReadinessChecks()
    for tier in Tier:
        checks: tuple[ReadinessCheck, ...] = getattr(declared, tier.value)
        for check in checks:
            yield _finding(check, tier, projection, facts)


def _finding(
    check: ReadinessCheck, tier: Tier, projection: Projection, facts: ReadinessFacts
) -> Finding:
    known = _KINDS.get(check.check)
    subject = _subject(check, known.subjects if known else ())
    return Finding(
        kind=known.kind if known else check.check,
        key=subject or check.check,
        tier=tier,
        verdict=_answer(check, known, subject, (projection, facts)),
        is_blocker=check.blocker is True,
        entries=_entries(check),
        source=check.check,
        message=_localised(check, "message", facts.locale) or check.message,
        remediation=_localised(check, "remediation", facts.locale) or check.remediation,
    )


def _answer(
    check: ReadinessCheck,
    known: _Kind | None,
    subject: str | None,
    against: tuple[Projection, ReadinessFacts],
) -> Verdict:
    if known is None:
        return unknown(Code.CHECK_UNKNOWN)
    if known.subjects and subject is None:
        return unknown(Code.CHECK_INCOMPLETE)
    if check.expect is False:
        return unknown(Code.EXPECTATION_UNREADABLE, demand="false")
    expect = None if check.expect is None or check.expect is True else str(check.expect)
    return known.answer(_Question(subject or check.check, expect, *against))


def _subject(check: ReadinessCheck, fields: tuple[str, ...]) -> str | None:
    written = check.model_dump(by_alias=True, exclude_unset=True)
    for field in fields:
        value = written.get(field)
        if isinstance(value, str) and value:
            return value
    return None


def _entries(check: ReadinessCheck) -> frozenset[str] | None:
    listed = (check.model_extra or {}).get("entries")
    if not isinstance(listed, list):
        return None
    return frozenset(str(key) for key in cast("list[object]", listed))


def _localised(check: ReadinessCheck, field: str, locale: str) -> str | None:
    texts = (check.model_extra or {}).get(f"{field}I18n")
    text = cast("dict[str, object]", texts).get(locale) if isinstance(texts, dict) else None
    return text if isinstance(text, str) else None


def _knowledge(question: _Question) -> Verdict:
    templates = question.projection.manifest.knowledge_templates
    wanted = next((each.type for each in templates if each.key == question.subject), None)
    return judge_knowledge(question.subject, wanted, question.facts)


def _migrated(question: _Question) -> Verdict:
    pending = [
        step.id
        for step in question.projection.migrations
        if step.id not in question.facts.applied_migrations
    ]
    if not pending:
        return PASSED
    storage = question.projection.manifest.storage
    namespace = storage.namespace if storage else question.projection.manifest.name
    return failed(Code.STORAGE_MIGRATION_REQUIRED, pending=", ".join(pending), key=namespace)


def _quota(question: _Question) -> Verdict:
    if question.expect is None:
        return unknown(Code.CHECK_INCOMPLETE)
    return judge_quota(question.expect, question.facts)


def _budget(question: _Question) -> Verdict:
    if question.expect is None:
        return unknown(Code.CHECK_INCOMPLETE)
    return judge_budget(question.expect, question.facts)


def _member(present: Callable[[ReadinessFacts], frozenset[str]], missing: Code) -> Answer:
    return lambda question: judge_member(question.subject, present(question.facts), missing)


def _connected(question: _Question) -> Verdict:
    return judge_integration_named(question.projection, question.subject, question.facts)


def _tool(question: _Question) -> Verdict:
    declared = question.projection.manifest.tool_refs
    named = next((each for each in declared if each.key == question.subject), None)
    if named is not None:
        return judge_tool(named, question.facts)
    return judge_member(question.subject, question.facts.available_tools, Code.TOOL_REQUIRED)


_KINDS: dict[str, _Kind] = {
    "sdk_version": _Kind("sdk", (), lambda q: judge_sdk(q.expect or CURRENT, q.facts)),
    "host_version": _Kind("runtime", (), lambda q: judge_host(q.expect or CURRENT, q.facts)),
    "capability_available": _Kind(
        "capability",
        ("capability",),
        lambda q: judge_capability(q.subject, q.expect or CURRENT, q.facts),
    ),
    "knowledge_bound": _Kind("knowledge", ("template", "knowledge"), _knowledge),
    "tool_available": _Kind("tool", ("tool",), _tool),
    "permission_granted": _Kind(
        "permission", ("permission",), lambda q: judge_permission(q.subject, q.facts)
    ),
    "secret_configured": _Kind(
        "secret",
        ("secret", "slot", "key"),
        _member(lambda facts: facts.configured_secrets, Code.SECRET_REQUIRED),
    ),
    "skill_available": _Kind(
        "skill", ("skill", "id"), lambda q: judge_skill(q.subject, q.expect, q.facts)
    ),
    "integration_connected": _Kind("integration", ("integration", "key"), _connected),
    "integration_available": _Kind("integration", ("integration", "key"), _connected),
    "overlay_configured": _Kind(
        "overlay",
        ("overlay", "key"),
        _member(lambda facts: facts.configured_overlays, Code.OVERLAY_REQUIRED),
    ),
    "eval_available": _Kind(
        "eval", ("eval", "key"), _member(lambda facts: facts.available_evals, Code.EVAL_REQUIRED)
    ),
    "artifact_viewer_available": _Kind(
        "artifact",
        ("artifact", "type", "key"),
        lambda q: judge_artifact(q.projection, q.subject, q.facts),
    ),
    "workspace_available": _Kind("workspace", (), lambda q: judge_workspace(q.facts)),
    "storage_migrated": _Kind("migration", (), _migrated),
    "storage_quota": _Kind("storage", (), _quota),
    "agent_cost_budget": _Kind("budget", (), _budget),
}
"""The standard's own examples, and the checks an author would expect beside them."""
