"""Work out what would bring a package up to date. Reads it, and changes nothing."""

from dataclasses import dataclass, field
from functools import lru_cache

from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.layers.shapes import LAYER_FILES
from lime_desktop.app_package.migration.nodes import Mapping, Node, Scalar, parse_nodes
from lime_desktop.app_package.migration.rules import RULES, Rule, add_version, is_known_version
from lime_desktop.app_package.migration.source import Edit, Source, open_source
from lime_desktop.app_package.migration.steps import (
    Change,
    FileVersions,
    ManualStep,
    Migration,
)
from lime_desktop.app_package.text.plain_text import MAX_TEXT_BYTES, ReadingBudget
from lime_desktop.app_package.text.yaml_events import ReadingStopped

MAX_ROUNDS = 16
FILES = ("APP.md", "app.manifest.json", *LAYER_FILES)


@dataclass
class _Work:
    changes: list[Change] = field(default_factory=list[Change])
    manual_steps: list[ManualStep] = field(default_factory=list[ManualStep])
    has_version: bool = False

    def add(self, step: ManualStep) -> None:
        if step not in self.manual_steps:
            self.manual_steps.append(step)

    def todo(self, file: str, text: str) -> None:
        self.add(ManualStep(file=file, line=None, key_path="", todo=text))


def plan_migration(tree: PackageTree) -> Migration:
    """List the changes, the steps left to the author, and the new bytes of every file that changes."""
    work = _Work()
    opened = {file: data for file in FILES if (data := _read(tree, file, work)) is not None}
    sources = {file: source for file, data in opened.items() if (source := _open(file, data, work))}
    if "APP.md" not in tree.files:
        work.todo("APP.md", "Write an APP.md: without it the folder is not a package.")
    if not _may_migrate(sources, work):
        return Migration((), tuple(work.manual_steps), {})
    files: dict[str, FileVersions] = {}
    for file, source in sources.items():
        after = _migrate(source, work).as_bytes()
        if after != opened[file]:
            files[file] = FileVersions(opened[file], after)
    order = {file: index for index, file in enumerate(FILES)}
    return Migration(
        tuple(sorted(work.changes, key=lambda each: (order[each.file], each.line))),
        tuple(sorted(work.manual_steps, key=lambda each: (order[each.file], each.line or 0))),
        files,
    )


def _read(tree: PackageTree, file: str, work: _Work) -> bytes | None:
    entry = tree.files.get(file)
    if entry is None:
        return None
    if entry.size > MAX_TEXT_BYTES:
        work.todo(file, "The file is too large to be changed automatically.")
        return None
    try:
        return tree.read(file)
    except OSError:
        work.todo(file, "The file could not be read.")
        return None


def _open(file: str, data: bytes, work: _Work) -> Source | None:
    source = open_source(file, data)
    if source is None or not isinstance(_nodes(source), Mapping):
        work.todo(file, "It can't be read as it is; `validate` says where. Repair it first.")
        return None
    return source


def _nodes(source: Source) -> Node | None:
    return _parse(source.text)


@lru_cache(maxsize=32)
def _parse(text: str) -> Node | None:
    """Most rules leave most files alone, so the same text is asked for again and again."""
    try:
        return parse_nodes(text, ReadingBudget())
    except ReadingStopped:
        return None


def _may_migrate(sources: dict[str, Source], work: _Work) -> bool:
    """Leave a package alone whose version is not known: it may be newer than this tool."""
    is_known = True
    for source in sources.values():
        root = _nodes(source)
        node = root.get("manifestVersion") if isinstance(root, Mapping) else None
        if node is None:
            continue
        work.has_version = True
        if not isinstance(node, Scalar) or not is_known_version(node.value):
            text = "This version of the manifest is not known here, so nothing is changed."
            line = source.line(node.start)
            step = ManualStep(file=source.file, line=line, key_path="manifestVersion", todo=text)
            work.add(step)
            is_known = False
    return is_known


def _migrate(source: Source, work: _Work) -> Source:
    for rule in RULES:
        if rule is not add_version or not work.has_version:
            source = _apply(rule, source, work)
    return source


def _apply(rule: Rule, source: Source, work: _Work) -> Source:
    """Let a rule have its way, in rounds: what touches the same characters has to wait for the next."""
    for _ in range(MAX_ROUNDS):
        edited = _apply_round(rule, source, work)
        if edited is source:
            break
        source = edited
    return source


def _apply_round(rule: Rule, source: Source, work: _Work) -> Source:
    root = _nodes(source)
    edits: list[Edit] = []
    made: list[Change] = []
    for found in rule(source, root) if isinstance(root, Mapping) else ():
        if isinstance(found, ManualStep):
            work.add(found)
        elif found.edits is None:
            work.add(_by_hand(found.change))
        elif not _overlap(edits, found.edits):
            edits += found.edits
            made.append(found.change)
    if not edits:
        return source
    edited = source.edited(edits)
    if not isinstance(_nodes(edited), Mapping):
        # An edit that breaks the file is no help: say what to do instead.
        for change in made:
            work.add(_by_hand(change))
        return source
    work.changes += made
    return edited


def _overlap(edits: list[Edit], others: list[Edit]) -> bool:
    return any(one.start < other.end and other.start < one.end for one in edits for other in others)


def _by_hand(change: Change) -> ManualStep:
    aim = f"set it to {change.after}" if change.after else "remove it"
    todo = f"{change.reason} It is written in a way that can't be edited safely; {aim} by hand."
    return ManualStep(file=change.file, line=change.line, key_path=change.key_path, todo=todo)
