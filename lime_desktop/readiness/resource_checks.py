"""Is everything the app works with at hand: permissions, knowledge, skills, tools, secrets, storage?"""

from collections.abc import Iterator

from lime_desktop.app_package.manifest.resources import MCP_PROVIDER, Eval, ToolRef
from lime_desktop.projection.migrations import inside_package
from lime_desktop.projection.projection import Projection
from lime_desktop.projection.versions import CURRENT
from lime_desktop.protocol.host_tools import HOST_PROVIDER, capability_of_tool
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.eval_checks import judge_eval
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import PASSED, Finding, Tier, Verdict, failed
from lime_desktop.readiness.judges import (
    judge_capability,
    judge_knowledge,
    judge_member,
    judge_permission,
    judge_skill,
    judge_workspace,
)
from lime_desktop.readiness.naming import title_in
from lime_desktop.readiness.scope import (
    entries_making,
    entries_naming,
    entries_of,
    entries_using_permission,
)


def check_permissions(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Required ones must be granted before anything runs; without another one, the entries that name it do less."""
    for permission in projection.manifest.permissions:
        users = frozenset[str]() if permission.required else entries_naming(projection, permission)
        verdict = judge_permission(permission.key, facts)
        if users and not verdict.is_passed:
            verdict = failed(Code.PERMISSION_OPTIONAL, entries=_titles(projection, users, facts))
        yield Finding(
            kind="permission",
            key=permission.key,
            tier=Tier.RECOMMENDED if users else _tier(permission.required),
            verdict=verdict,
            entries=users
            or entries_using_permission(projection, permission.key, permission.entries),
            reason=permission.reason_i18n.get(facts.locale, permission.reason),
        )


def _titles(projection: Projection, keys: frozenset[str], facts: ReadinessFacts) -> str:
    """The names of entries as a person knows them."""
    named = (each.declared for each in projection.entries if each.key in keys)
    return ", ".join(title_in(each, facts.locale) or each.key for each in named)


def check_knowledge(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Required templates must be bound to a pack that suits them; one over the app's own rows always is."""
    for template in projection.manifest.knowledge_templates:
        bound = judge_knowledge(template.key, template.type, facts)
        yield Finding(
            kind="knowledge",
            key=template.key,
            tier=_tier(template.required),
            verdict=PASSED if template.source else bound,
            entries=entries_of(projection, template),
        )


def check_skills(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Skills from elsewhere must be available; those in the package must be in it."""
    skills = projection.manifest.skills
    for bundled in skills.bundled if skills else ():
        verdict = _in_package(projection, f"{bundled.path}/SKILL.md")
        yield Finding(kind="skill", key=bundled.path, tier=Tier.REQUIRED, verdict=verdict)
    for reference in skills.references if skills else ():
        yield Finding(
            kind="skill",
            key=reference.id,
            tier=_tier(reference.required),
            verdict=judge_skill(reference.id, reference.version, facts),
            version=reference.version,
            entries=entries_of(projection, reference),
        )
    for skill in projection.manifest.skill_refs:
        is_bundled = bool(skill.path) and projection.holds(skill.path or "")
        yield Finding(
            kind="skill",
            key=skill.id,
            tier=_tier(skill.required),
            verdict=PASSED if is_bundled else judge_skill(skill.id, None, facts),
            entries=entries_of(projection, skill),
        )


def check_tools(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Tools must be there, and so must the capability they come through."""
    for tool in projection.manifest.tool_refs:
        yield Finding(
            kind="tool",
            key=tool.key,
            tier=_tier(tool.required),
            verdict=judge_tool(tool, facts),
            entries=entries_of(projection, tool),
        )


def check_workflows(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """A required workflow concerns the entries that start it, or all if none does."""
    for workflow in projection.manifest.workflows:
        names = {workflow.key, workflow.path}
        users = frozenset(e.key for e in projection.entries if e.declared.workflow in names)
        yield Finding(
            kind="workflow",
            key=workflow.key,
            tier=_tier((workflow.model_extra or {}).get("required") is True),
            verdict=judge_workflow(projection, workflow.key, facts),
            entries=users or entries_of(projection, workflow),
        )


def check_outputs(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """What the app makes must be viewable, and what judges it must be runnable."""
    for artifact in projection.manifest.artifact_types:
        yield Finding(
            kind="artifact",
            key=artifact.key,
            tier=_tier(artifact.required),
            verdict=judge_artifact(projection, artifact.key, facts),
            entries=entries_making(projection, artifact.key),
        )
    for gate in projection.manifest.evals:
        tier, verdict = judge_eval(gate, facts)
        yield Finding(
            kind="eval",
            key=gate.key,
            tier=tier,
            verdict=verdict,
            entries=_judged_entries(projection, gate),
        )


def _judged_entries(projection: Projection, gate: Eval) -> frozenset[str] | None:
    """The entries whose work a gate judges: those that it names, and those that make what it names."""
    if not gate.applies_to:
        return entries_of(projection, gate)
    named = frozenset(key for key in gate.applies_to if projection.entry(key) is not None)
    kinds = (key for key in gate.applies_to if key not in named)
    return named.union(*(entries_making(projection, kind) or () for kind in kinds))


def check_setup(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Secrets and settings layers that a person has to fill in, and the workspace they live in."""
    for secret in projection.manifest.secrets:
        yield Finding(
            kind="secret",
            key=secret.key,
            tier=_tier(secret.required),
            verdict=judge_member(secret.key, facts.configured_secrets, Code.SECRET_REQUIRED),
            entries=entries_of(projection, secret),
        )
    for overlay in projection.manifest.overlay_templates:
        yield Finding(
            kind="overlay",
            key=overlay.key,
            tier=_tier(overlay.required),
            verdict=judge_member(overlay.key, facts.configured_overlays, Code.OVERLAY_REQUIRED),
            entries=entries_of(projection, overlay),
        )
    if _lives_in_workspace(projection):
        yield Finding(
            kind="workspace", key="workspace", tier=Tier.REQUIRED, verdict=judge_workspace(facts)
        )


def check_storage(projection: Projection, facts: ReadinessFacts) -> Iterator[Finding]:
    """Storage must be offered, in a place this host has, with every migration applied."""
    storage = projection.manifest.storage
    if storage is None:
        return
    offered = judge_capability("lime.storage", "current", facts)
    disabled = failed(Code.STORAGE_DECLARED_BUT_DISABLED)
    is_missing = offered.code is Code.CAPABILITY_MISSING
    yield _storage(storage.namespace, Tier.REQUIRED, disabled if is_missing else offered)
    places = facts.host.storage_placements
    if storage.placement is not None and storage.placement not in places:
        verdict = failed(
            Code.STORAGE_PLACEMENT_UNSUPPORTED, demand=storage.placement, offered=", ".join(places)
        )
        yield _storage("placement", Tier.RECOMMENDED, verdict)
    pending = [each.id for each in projection.migrations if each.id not in facts.applied_migrations]
    if projection.migrations:
        overdue = failed(Code.STORAGE_MIGRATION_REQUIRED, pending=", ".join(pending))
        yield Finding(
            kind="migration",
            key=storage.namespace,
            tier=Tier.REQUIRED,
            verdict=overdue if pending else PASSED,
        )


def judge_workflow(projection: Projection, named: str, facts: ReadinessFacts) -> Verdict:
    """A workflow, by its key or the path of its file, must be in the package, and written so that it can be run."""
    workflow = next((each for each in projection.manifest.workflows if each.key == named), None)
    path = named if workflow is None else workflow.path
    if path is not None and not projection.holds(path):
        return failed(Code.WORKFLOW_REQUIRED)
    is_bare = not facts.described_workflows.isdisjoint({named, inside_package(path or named)})
    return failed(Code.WORKFLOW_NOT_EXECUTABLE) if is_bare else PASSED


def judge_tool(tool: ToolRef, facts: ReadinessFacts) -> Verdict:
    """A tool must be there, or be the host's own; else its server can be set up, or nobody can bring it."""
    if tool.key in facts.available_tools:
        return PASSED
    if tool.provider.startswith(MCP_PROVIDER):
        server = tool.provider.removeprefix(MCP_PROVIDER)
        return failed(Code.TOOL_SERVER_REQUIRED, server=server)
    capability = capability_of_tool(tool.key) if tool.provider == HOST_PROVIDER else None
    if capability is not None:
        return judge_capability(capability, CURRENT, facts)
    return failed(Code.TOOL_UNSUPPORTED, reason=tool.provider)


def judge_artifact(projection: Projection, key: str, facts: ReadinessFacts) -> Verdict:
    """A viewer of the app, a viewer of the host, or no viewer asked for."""
    declared = next((a for a in projection.manifest.artifact_types if a.key == key), None)
    viewer = declared.viewer if declared else None
    if viewer is None or {viewer, key} & facts.available_artifact_viewers:
        return PASSED
    # One of its entries, a route of its pages, or a file.
    is_own = projection.entry(viewer) is not None or viewer.startswith("/")
    return PASSED if is_own or projection.holds(viewer) else failed(Code.ARTIFACT_TYPE_REQUIRED)


def _storage(key: str, tier: Tier, verdict: Verdict) -> Finding:
    return Finding(kind="storage", key=key, tier=tier, verdict=verdict)


def _lives_in_workspace(projection: Projection) -> bool:
    manifest = projection.manifest
    scoped = (*manifest.permissions, *manifest.secrets, *manifest.overlay_templates)
    return any(each.required and each.scope == "workspace" for each in scoped)


def _in_package(projection: Projection, path: str) -> Verdict:
    return PASSED if projection.holds(path) else failed(Code.PACKAGE_INCOMPLETE, path=path)


def _tier(required: bool | None) -> Tier | None:  # noqa: FBT001 - the manifest's own field
    return Tier.REQUIRED if required else None
