"""What changed between manifest versions, one rule each. A rule looks at one file and proposes; it decides nothing in doubt."""

from collections.abc import Callable, Iterator
from typing import get_args

from lime_desktop.app_package.manifest.permissions import PermissionScope
from lime_desktop.app_package.manifest.root import (
    CURRENT_MANIFEST_VERSION,
    STATUS_OF_OTHERS,
    AppStatus,
    AppType,
    ManifestVersion,
    RuntimeTarget,
)
from lime_desktop.app_package.migration.editing import (
    insert_after,
    remove_pair,
    replace_scalar,
    wrap_value,
)
from lime_desktop.app_package.migration.nodes import (
    Mapping,
    Node,
    NodePath,
    Pair,
    Scalar,
    Sequence,
    walk,
)
from lime_desktop.app_package.migration.source import Edit, Source
from lime_desktop.app_package.migration.steps import Change, ManualStep, Proposal
from lime_desktop.app_package.text.located import key_path

Finding = Proposal | ManualStep
Rule = Callable[[Source, Mapping], Iterator[Finding]]

_KNOWN_VERSIONS: tuple[str, ...] = get_args(ManifestVersion)
_SKILL_ACTIVATION = {
    "explicit": "manual",
    "implicit": "on-demand",
    "entry": "auto",
    "workflow": "on-demand",
}
_KIND_BY_FIELD = {
    "route": "page",
    "workflow": "workflow",
    "persona": "expert-chat",
    "panel": "panel",
    "command": "command",
}
_SCOPES = {*get_args(PermissionScope), "agent"}
_UNINSTALL_POLICY = {"keep-on-uninstall": "retain", "delete-on-uninstall": "delete"}


def is_known_version(text: str) -> bool:
    """Tell whether a manifest version, also in short form such as 0.7, is one that can be brought up."""
    return text in _KNOWN_VERSIONS or f"{text}.0" in _KNOWN_VERSIONS


def raise_version(source: Source, root: Mapping) -> Iterator[Finding]:
    """Name the current manifest version."""
    node = root.get("manifestVersion")
    if not isinstance(node, Scalar) or node.value == CURRENT_MANIFEST_VERSION:
        return
    reason = "The package follows the current manifest version."
    yield _replace(source, ("manifestVersion",), node, CURRENT_MANIFEST_VERSION, reason)


def add_version(source: Source, root: Mapping) -> Iterator[Finding]:
    """Name the manifest version where the package names none."""
    if source.file != "APP.md" or root.pair("manifestVersion") is not None:
        return
    todo = f"Add manifestVersion: {CURRENT_MANIFEST_VERSION}."
    beside = root.pair("version") or root.pair("name")
    if beside is None or root.is_flow or not _is_plain_line(beside.value):
        yield ManualStep(file=source.file, line=None, key_path="manifestVersion", todo=todo)
        return
    reason = "Without it a host must guess which version of the standard is meant."
    edits = insert_after(source, root, beside, "manifestVersion", CURRENT_MANIFEST_VERSION)
    change = _change(source, ("manifestVersion",), beside.key, CURRENT_MANIFEST_VERSION, reason)
    yield Proposal(change.model_copy(update={"before": ""}), edits)


def _is_plain_line(node: Node) -> bool:
    return isinstance(node, Scalar) and node.is_plain_line


def rename_entry_kinds(source: Source, root: Mapping) -> Iterator[Finding]:
    """`scene` and `home` became ordinary kinds; `artifact-viewer` never was one."""
    entries = root.get("entries")
    for index, entry in enumerate(entries.items if isinstance(entries, Sequence) else ()):
        if isinstance(entry, Mapping) and (pair := entry.pair("kind")):
            yield from _entry_kind(source, entry, pair, ("entries", index))


def _entry_kind(source: Source, entry: Mapping, pair: Pair, path: NodePath) -> Iterator[Finding]:
    at = (*path, "kind")
    match entry.text("kind"):
        case "artifact-viewer":
            yield _replace(source, at, pair.value, "artifact", "The standard's name for it.")
        case "home":
            yield _page(source, entry, pair, at)
        case "scene":
            fields = [field for field in _KIND_BY_FIELD if entry.pair(field) is not None]
            if not fields:
                todo = "Say what the scene is: page with a route, command, workflow or expert-chat."
                yield _manual(source, at, pair.value, todo)
                return
            kind = _KIND_BY_FIELD[fields[0]]
            reason = f"`scene` is no kind any more; it has a {fields[0]}, so it is a {kind}."
            yield _replace(source, at, pair.value, kind, reason)
        case _:
            return


def _page(source: Source, entry: Mapping, pair: Pair, path: NodePath) -> Finding:
    reason = "`home` is no kind any more; it is a page, and quickstart.entry says what opens first."
    proposal = _replace(source, path, pair.value, "page", reason)
    if entry.pair("route") is not None or proposal.edits is None:
        return proposal
    # Hosts opened an entry without a route at its own key.
    edits = insert_after(source, entry, pair, "route", f"/{entry.text('key') or ''}")
    return Proposal(proposal.change, [*proposal.edits, *edits])


def rename_values(source: Source, root: Mapping) -> Iterator[Finding]:
    """Words that some hosts took and the standard spells otherwise."""
    for path, node in walk(root):
        if isinstance(node, Scalar):
            word = node.value
            match path:
                case ("status",) if word in STATUS_OF_OTHERS:
                    usual = STATUS_OF_OTHERS[word]
                    yield _replace(source, path, node, usual, f"`{usual}` is the standard's word.")
                case ("permissions", int(), "scope") if word == "agent":
                    reason = (
                        "The standard has no scope `agent`: what agents do is the scope `model`."
                    )
                    yield _replace(source, path, node, "model", reason)
                case ("storage", "uninstallPolicy") if word in _UNINSTALL_POLICY:
                    new = _UNINSTALL_POLICY[word]
                    yield _replace(source, path, node, new, "The standard's word for it.")
                case ("agentRuntime" | "agentTask", *_) if word == "canceled":
                    reason = "The standard spells it with two l."
                    yield _replace(source, path, node, "cancelled", reason)
                case _:
                    pass


def remove_verified(source: Source, root: Mapping) -> Iterator[Finding]:
    """Whether a publisher is verified is for the registry to say."""
    publisher = root.pair("publisher")
    if publisher is None or not isinstance(publisher.value, Mapping):
        return
    pair = publisher.value.pair("verified")
    if pair is None:
        return
    is_alone = len(publisher.value.pairs) == 1
    edits = (
        remove_pair(source, root, publisher)
        if is_alone
        else remove_pair(source, publisher.value, pair)
    )
    reason = "A publisher can't verify itself; hosts ignore the claim."
    path = ("publisher",) if is_alone else ("publisher", "verified")
    yield Proposal(_change(source, path, pair.key, "", reason), edits)


def remove_bypass(source: Source, root: Mapping) -> Iterator[Finding]:
    """A manifest must not ask to go round permissions."""
    for path, node in walk(root):
        if isinstance(node, Mapping) and (pair := node.pair("bypassPermissions")):
            reason = "The standard forbids it, and hosts refuse an app that declares it."
            change = _change(source, (*path, "bypassPermissions"), pair.key, "", reason)
            yield Proposal(change, remove_pair(source, node, pair))


def wrap_requires(source: Source, root: Mapping) -> Iterator[Finding]:
    """`requires` was a list of capabilities once."""
    pair = root.pair("requires")
    if pair is not None and isinstance(pair.value, Sequence):
        reason = "Required capabilities are named under requires.capabilities."
        change = _change(source, ("requires",), pair.key, "requires.capabilities", reason)
        yield Proposal(change, wrap_value(source, pair, "capabilities"))


def trim_skill_refs(source: Source, root: Mapping) -> Iterator[Finding]:
    """Make the items of `skillRefs` what the newer form allows."""
    pair = root.pair("skillRefs")
    if pair is None:
        return
    items = _skill_items(pair.value)
    target = None if root.pair("skills") else _skill_target(items)
    if items is None or target is None:
        todo = (
            "Move these into skills.references (from elsewhere) or skills.bundled (in the package)."
        )
        yield _manual(source, ("skillRefs",), pair.key, todo)
        return
    surplus = {"standard", "id", "required"} if target == "bundled" else {"standard"}
    for index, item in enumerate(items):
        path = ("skillRefs", index)
        for each in item.pairs:
            name, at = each.key.value, (*path, each.key.value)
            if name in surplus:
                reason = f"skills.{target} has no field {name}."
                yield Proposal(
                    _change(source, at, each.key, "", reason), remove_pair(source, item, each)
                )
            elif name == "activation" and (word := item.text(name)) in _SKILL_ACTIVATION:
                reason = "The newer form has other words for when a skill is loaded."
                yield _replace(source, at, each.value, _SKILL_ACTIVATION[word], reason)


def move_skill_refs(source: Source, root: Mapping) -> Iterator[Finding]:
    """Put the trimmed items under `skills`."""
    pair = root.pair("skillRefs")
    items = None if pair is None or root.pair("skills") else _skill_items(pair.value)
    target = _skill_target(items)
    if pair is None or target is None or not pair.key.is_plain_line:
        return
    wrapped = wrap_value(source, pair, target)
    renamed = replace_scalar(source, pair.key, "skills")
    reason = f"skillRefs became skills.{target}."
    change = _change(source, ("skillRefs",), pair.key, f"skills.{target}", reason)
    yield Proposal(change, None if wrapped is None or renamed is None else [*renamed, *wrapped])


def _skill_items(node: Node) -> list[Mapping] | None:
    if not isinstance(node, Sequence) or not node.items:
        return None
    items = [item for item in node.items if isinstance(item, Mapping)]
    return items if len(items) == len(node.items) else None


def _skill_target(items: list[Mapping] | None) -> str | None:
    """Skills with a path are in the package, the others come from elsewhere; a mixture is for the author to part."""
    if items is None:
        return None
    names = [{pair.key.value for pair in item.pairs} for item in items]
    if all(
        "path" in each and each <= {"path", "activation", "standard", "id", "required"}
        for each in names
    ):
        return "bundled"
    allowed = {"id", "version", "activation", "required", "standard"}
    return "references" if all("id" in each and each <= allowed for each in names) else None


def point_out(source: Source, root: Mapping) -> Iterator[Finding]:
    """Values whose meaning only the author knows."""
    statuses, types = " ".join(get_args(AppStatus)), " ".join(get_args(AppType))
    for path, node in walk(root):
        if not isinstance(node, Scalar):
            continue
        match path:
            case ("status",) if node.value not in {*get_args(AppStatus), *STATUS_OF_OTHERS}:
                yield _manual(source, path, node, f"Choose one of: {statuses}.")
            case ("appType",) if node.value not in get_args(AppType):
                yield _manual(source, path, node, f"Choose one of: {types}.")
            case ("runtimeTargets", int()) if node.value not in get_args(RuntimeTarget):
                todo = "Choose local, hybrid or server-assisted; the last sends data to a server."
                yield _manual(source, path, node, todo)
            case ("permissions", int(), "scope") if node.value not in _SCOPES:
                todo = f"Choose one of: {' '.join(get_args(PermissionScope))}."
                yield _manual(source, path, node, todo)
            case ("workflows" | "events", *_) if node.value.endswith("canceled"):
                todo = "The standard spells it cancelled; change it here and wherever your code says it."
                yield _manual(source, path, node, todo)
            case _:
                pass


def _change(source: Source, path: NodePath, at: Node, after: str, reason: str) -> Change:
    return Change(
        file=source.file,
        line=source.line(at.start),
        key_path=key_path(path),
        before=source.text[at.start : at.end][:200],
        after=after,
        reason=reason,
    )


def _replace(source: Source, path: NodePath, node: Node, value: str, reason: str) -> Proposal:
    edits: list[Edit] | None = replace_scalar(source, node, value)
    return Proposal(_change(source, path, node, value, reason), edits)


def _manual(source: Source, path: NodePath, at: Node, todo: str) -> ManualStep:
    return ManualStep(
        file=source.file, line=source.line(at.start), key_path=key_path(path), todo=todo
    )


RULES: tuple[Rule, ...] = (
    point_out,
    raise_version,
    rename_values,
    rename_entry_kinds,
    remove_verified,
    remove_bypass,
    wrap_requires,
    trim_skill_refs,
    move_skill_refs,
    add_version,
)
"""In this order: what looks at lines as they were comes before what moves them."""
