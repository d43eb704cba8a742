"""Bringing older packages up to date: what changes, what never does, and what is left to the author."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.migration.nodes import Mapping
from lime_desktop.app_package.migration.plan import plan_migration
from lime_desktop.app_package.migration.rules import raise_version
from lime_desktop.app_package.migration.source import Edit, Source
from lime_desktop.app_package.migration.steps import Migration, Proposal
from lime_desktop.app_package.migration.writing import PackageChanged, write_migration
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.text.plain_text import ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from tests.app_package.trees import MemoryTree

OLD = """\
---
# My app   (header comment)
name: old          # the name
description: >-
  Folded text
  here.
version: '1.0.0'  # keep me
status: "stable"
appType: agent-app
publisher:
  publisherId: acme
  verified: true   # we say so
  name: Acme
requires:
- lime.ui
# a comment in the list
- lime.agent
entries:
  - key: start
    kind: home   # first page
    title: "开始"
  - {key: s1, kind: scene, title: S, workflow: w}
  - kind: 'artifact-viewer'
    key: view
    title: V
bypassPermissions: true
skillRefs:
  - id: writer       # the writer
    standard: agentskills
    activation: implicit

  - id: reader
    required: true
storage:
  namespace: old
  uninstallPolicy: keep-on-uninstall
---

# Guide
status: stable --- is only text here
"""
NEW = """\
---
# My app   (header comment)
name: old          # the name
description: >-
  Folded text
  here.
version: '1.0.0'  # keep me
manifestVersion: 0.10.0
status: "ready"
appType: agent-app
publisher:
  publisherId: acme
  # we say so
  name: Acme
requires:
  capabilities:
  - lime.ui
  # a comment in the list
  - lime.agent
entries:
  - key: start
    kind: page   # first page
    route: /start
    title: "开始"
  - {key: s1, kind: workflow, title: S, workflow: w}
  - kind: 'artifact'
    key: view
    title: V
skills:
  references:
    - id: writer       # the writer
      activation: on-demand

    - id: reader
      required: true
storage:
  namespace: old
  uninstallPolicy: retain
---

# Guide
status: stable --- is only text here
"""


def plan(app_md: bytes | str, **files: str) -> Migration:
    data = app_md.encode() if isinstance(app_md, str) else app_md
    others = {name.replace("__", "."): text.encode() for name, text in files.items()}
    return plan_migration(MemoryTree({"APP.md": data, **others}))


def frontmatter(text: str) -> str:
    return f"---\nmanifestVersion: 0.10.0\n{text}---\nGuide\n"


def migrated(text: str) -> str:
    """Give the frontmatter after the migration, without the lines that every case has."""
    versions = plan(frontmatter(text)).files.get("APP.md")
    assert versions is not None
    after = versions.after.decode()
    return after.removeprefix("---\nmanifestVersion: 0.10.0\n").removesuffix("---\nGuide\n")


def todos(migration: Migration) -> list[tuple[str, int | None, str]]:
    return [(step.file, step.line, step.key_path) for step in migration.manual_steps]


def test_only_what_changed_in_the_standard_is_changed() -> None:
    """Comments, order, quotes, indentation, blank lines and the guide stay as the author wrote them."""
    migration = plan(OLD)
    assert migration.files["APP.md"].after.decode() == NEW
    assert not migration.manual_steps
    assert [(change.line, change.key_path) for change in migration.changes] == [
        (7, "manifestVersion"),
        (8, "status"),
        (12, "publisher.verified"),
        (14, "requires"),
        (20, "entries[0].kind"),
        (22, "entries[1].kind"),
        (23, "entries[2].kind"),
        (26, "bypassPermissions"),
        (27, "skillRefs"),
        (29, "skillRefs[0].standard"),
        (30, "skillRefs[0].activation"),
        (36, "storage.uninstallPolicy"),
    ]
    assert all(change.reason for change in migration.changes)


def test_what_was_migrated_needs_nothing_more() -> None:
    assert not plan(NEW).is_needed


def test_line_ends_and_byte_order_mark_are_kept() -> None:
    windows = codecs.BOM_UTF8 + OLD.replace("\n", "\r\n").encode()
    expected = codecs.BOM_UTF8 + NEW.replace("\n", "\r\n").encode()
    assert plan(windows).files["APP.md"].after == expected


def test_every_line_keeps_its_own_line_end() -> None:
    mixed = b"---\r\nname: a\nversion: '1'\r\nstatus: stable\n---\nx\r\ny"
    assert plan(mixed).files["APP.md"].after == (
        b"---\r\nname: a\nversion: '1'\r\nmanifestVersion: 0.10.0\r\nstatus: ready\n---\nx\r\ny"
    )


@pytest.mark.parametrize("version", ["0.3.0", "0.4.0", "0.7.0", "0.9.0", '"0.6.0"', "0.7"])
def test_every_older_version_becomes_the_current_one(version: str) -> None:
    migration = plan(f"---\nmanifestVersion: {version} # v\nname: a\n---\nx\n")
    quote = '"' if version.startswith('"') else ""
    assert migration.files["APP.md"].after.decode() == (
        f"---\nmanifestVersion: {quote}0.10.0{quote} # v\nname: a\n---\nx\n"
    )


@pytest.mark.parametrize("version", ["0.11.0", "1.0.0", "0.2.0", "soon", "[0.9.0]"])
def test_a_version_that_is_not_known_is_left_alone(version: str) -> None:
    """It may be newer than this tool."""
    migration = plan(f"---\nmanifestVersion: {version}\nstatus: stable\n---\nx\n")
    assert not migration.files
    assert todos(migration) == [("APP.md", 2, "manifestVersion")]


def test_the_version_may_be_in_the_separate_manifest() -> None:
    migration = plan(
        "---\nname: a\n---\nx\n", app__manifest__json='{\n\t"manifestVersion": "0.8.0"\n}\n'
    )
    assert {file: each.after for file, each in migration.files.items()} == {
        "app.manifest.json": b'{\n\t"manifestVersion": "0.10.0"\n}\n'
    }


def test_a_number_in_json_becomes_text_in_quotes() -> None:
    migration = plan(
        "---\nname: a\n---\nx\n", app__manifest__json='{"manifestVersion": 0.8, "status": "stable"}'
    )
    assert migration.files["app.manifest.json"].after == (
        b'{"manifestVersion": "0.10.0", "status": "ready"}'
    )


def test_layered_files_are_brought_up_too() -> None:
    migration = plan(
        frontmatter("name: a\n"),
        app__entries__yaml="entries:\n- kind: home # k\n  key: x\n",
        app__runtime__yaml="agentTask:\n  note: canceled\n",
    )
    assert {file: each.after.decode() for file, each in migration.files.items()} == {
        "app.entries.yaml": "entries:\n- kind: page # k\n  route: /x\n  key: x\n",
        "app.runtime.yaml": "agentTask:\n  note: cancelled\n",
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("publisher: { verified: true, name: A }\n", "publisher: { name: A }\n"),
        ("publisher: { name: A, verified: true }\n", "publisher: { name: A }\n"),
        ("name: a\npublisher:\n  verified: true\nx: 1\n", "name: a\nx: 1\n"),
        ("name: a\npublisher: {verified: true}\n", "name: a\n"),
        ("permissions:\n- bypassPermissions: true\n  key: a\n", "permissions:\n- key: a\n"),
        ("requires: [lime.ui]\n", "requires: { capabilities: [lime.ui] }\n"),
        ("skillRefs: [{id: a}]\n", "skills: { references: [{id: a}] }\n"),
        (
            "skillRefs: [{standard: agentskills, id: a, path: p, required: true}]\n",
            "skills: { bundled: [{path: p}] }\n",
        ),
        (
            "skillRefs: [{path: p, id: a, required: true}]\n",
            "skills: { bundled: [{path: p}] }\n",
        ),
        (
            "skillRefs:\n  - id: a\n    required: true\n    path: p\n",
            "skills:\n  bundled:\n    - path: p\n",
        ),
        (
            "skillRefs:  # mine\n- id: a\n  path: p\n  required: true\n  activation: entry\n",
            "skills:  # mine\n  bundled:\n  - path: p\n    activation: auto\n",
        ),
        (
            "entries:\n  - {key: a, kind: home}\n",
            "entries:\n  - {key: a, kind: page, route: /a}\n",
        ),
        ("entries:\n  - {kind: home, route: /}\n", "entries:\n  - {kind: page, route: /}\n"),
        (
            "entries:\n  - {key: 'a, b: #', kind: home}\n",
            "entries:\n  - {key: 'a, b: #', kind: page, route: \"/a, b: #\"}\n",
        ),
        (
            'entries:\n  - {"key": "a", "kind": "home"}\n',
            'entries:\n  - {"key": "a", "kind": "page", "route": "/a"}\n',
        ),
        (
            "a: &x 1\nb: *x\n[c, d]: 1\nstatus: stable\n",
            "a: &x 1\nb: *x\n[c, d]: 1\nstatus: ready\n",
        ),
        ("entries: []\nstatus: stable\nx: []\n", "entries: []\nstatus: ready\nx: []\n"),
        ("entries: [a, {key: b}]\nstatus: stable\n", "entries: [a, {key: b}]\nstatus: ready\n"),
        ("publisher: {verified: true, bypassPermissions: true}\n", "publisher: {}\n"),
        (
            "entries:\n  - kind: scene\n    persona: p\n",
            "entries:\n  - kind: expert-chat\n    persona: p\n",
        ),
    ],
)
def test_each_form_is_edited_as_it_is_written(before: str, after: str) -> None:
    assert migrated(before) == after


@pytest.mark.parametrize(
    ("text", "line", "key_path"),
    [
        ("status: shiny\n", 3, "status"),
        ("appType: developer-tool\n", 3, "appType"),
        ("runtimeTargets: [local, cloud]\n", 3, "runtimeTargets[1]"),
        ("entries:\n- kind: scene\n  key: a\n", 4, "entries[0].kind"),
        ("workflows:\n- states: [done, canceled]\n", 4, "workflows[0].states[1]"),
        ("skills: {}\nskillRefs: [{id: a}]\n", 4, "skillRefs"),
        ("skillRefs: [{id: a}, {path: p}]\n", 3, "skillRefs"),
        ("skillRefs: [{id: a, mood: good}]\n", 3, "skillRefs"),
        ("skillRefs: [a]\n", 3, "skillRefs"),
        ("skillRefs: all\n", 3, "skillRefs"),
        ("status: &s stable\n", 3, "status"),
        ("entries:\n- kind: !!str home\n", 4, "entries[0].kind"),
        ("entries:\n- kind: >-\n    home\n  key: a\n", 4, "entries[0].kind"),
        ("publisher: {verified: true, # why\n  name: A}\n", 3, "publisher.verified"),
        ("publisher:\n  name: A\n  verified: |\n    yes\n", 5, "publisher.verified"),
        ("list:\n- bypassPermissions: true # why\n  key: a\n", 4, "list[0].bypassPermissions"),
        ("a:\n  bypassPermissions: true\n", 4, "a.bypassPermissions"),
        ("? bypassPermissions\n: true\n? a\n: 1\n", 3, "bypassPermissions"),
        ("bypassPermissions:\n  a: 1\n  b: |\n    text\nx: 1\n", 3, "bypassPermissions"),
        ("requires: &r\n- lime.ui\nother: *r\n", 3, "requires"),
        ("requires: !!seq [lime.ui]\n", 3, "requires"),
    ],
)
def test_what_can_not_be_decided_is_left_to_the_author(text: str, line: int, key_path: str) -> None:
    """Listed with its place, and the file is not touched for it."""
    migration = plan(frontmatter(text))
    assert todos(migration) == [("APP.md", line, key_path)]
    assert not migration.files
    assert migration.manual_steps[0].todo


@pytest.mark.parametrize(
    "app_md",
    [
        b"no frontmatter",
        b"---\nname: a\n",
        b"---\n- list\n---\n",
        b"---\n---\n",
        b"---\na: [\n---\n",
        b"---\na: \xff\n---\n",
        b"---\na: 1\rb: 2\n---\n",
        b"",
    ],
)
def test_a_file_that_can_not_be_read_is_left_alone(app_md: bytes) -> None:
    migration = plan(app_md)
    assert todos(migration) == [("APP.md", None, "")]
    assert not migration.files


@pytest.mark.parametrize("text", ["{name: a, version: '1'}\n", "title: a\n", "name: |\n  a\n"])
def test_a_version_that_can_not_be_put_in_is_left_to_the_author(text: str) -> None:
    assert todos(plan(f"---\n{text}---\nx\n")) == [("APP.md", None, "manifestVersion")]


def test_a_folder_without_app_md_is_no_package() -> None:
    migration = plan_migration(MemoryTree({"app.entries.yaml": b"entries: []\n"}))
    assert todos(migration) == [("APP.md", None, "")]


def test_a_file_that_is_too_large_is_left_alone() -> None:
    migration = plan(frontmatter("name: a\n"), app__entries__yaml="#" * (1024 * 1024 + 1))
    assert todos(migration) == [("app.entries.yaml", None, "")]


class UnreadableTree(MemoryTree):
    def read(self, path: str) -> bytes:
        raise PermissionError(path)


def test_a_file_that_can_not_be_opened_is_left_alone() -> None:
    migration = plan_migration(UnreadableTree({"APP.md": b"---\nname: a\n---\n"}))
    assert todos(migration) == [("APP.md", None, "")]


def test_an_edit_that_would_break_the_file_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last line of defence, should a rule ever be wrong about a file."""

    def break_it(source: Source, root: Mapping) -> Iterator[Proposal]:
        for proposal in raise_version(source, root):
            assert isinstance(proposal, Proposal)
            yield Proposal(proposal.change, [Edit(0, 0, "[")])

    monkeypatch.setattr("lime_desktop.app_package.migration.plan.RULES", (break_it,))
    migration = plan("---\nmanifestVersion: 0.9.0\n---\n")
    assert todos(migration) == [("APP.md", 2, "manifestVersion")]
    assert not migration.files
    assert not migration.changes


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes_are_planned_without_an_error(frontmatter: bytes, layer: bytes) -> None:
    data = b"---\n" + frontmatter + b"\n---\n"
    migration = plan_migration(MemoryTree({"APP.md": data, "app.entries.yaml": layer}))
    for versions in migration.files.values():
        assert versions.before != versions.after


_PIECES = (
    "name: a # n\n",
    "version: '2'\n",
    "status: stable\n",
    'status: "stable" # s\n',
    "# a comment\n",
    "\n",
    "publisher:\n  verified: true # v\n  name: A\n",
    "publisher: {name: A, verified: false}\n",
    "requires:\n  # inside\n  - lime.ui\n",
    "requires: [lime.ui, lime.agent]\n",
    "entries:\n- key: a\n  kind: home\n- {key: b, kind: scene, command: c}\n",
    "entries:\n    -   kind: scene # odd indentation\n        route: /\n",
    "skillRefs:\n- id: a\n  standard: agentskills\n- activation: explicit\n  id: b # b\n",
    "skillRefs:\n    - path: p\n      id: x\n      required: true\n      standard: agentskills\n",
    "storage: {uninstallPolicy: delete-on-uninstall}\n",
    "text: |\n  status: stable\n  # not a comment\n",
    "agentRuntime:\n  agentTask: {a: [canceled, 'canceled']}\n",
    "bypassPermissions: true\n",
    "manifestVersion: 0.5.0\n",
)


@st.composite
def old_manifests(draw: st.DrawFn) -> bytes:
    pieces: dict[str, str] = {}
    for piece in draw(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=10)):
        pieces.setdefault(piece.partition(":")[0], piece)
    text = f"---\n{''.join(pieces.values())}---\nGuide: # x\n"
    return text.replace("\n", draw(st.sampled_from(("\n", "\r\n")))).encode()


@given(old_manifests())
def test_a_second_run_has_nothing_to_change(data: bytes) -> None:
    """We: every change is made once and for all."""
    first = plan(data)
    after = first.files["APP.md"].after if first.files else data
    second = plan(after)
    assert not second.files
    assert not second.changes


@given(old_manifests())
def test_no_comment_is_lost_and_the_guide_is_untouched(data: bytes) -> None:
    after = plan(data).files.get("APP.md")
    if after is not None:
        comments = re.compile(rb"#[^\r\n]*")
        assert comments.findall(after.after) == comments.findall(data)
        assert after.after.rpartition(b"---")[2] == data.rpartition(b"---")[2]
        assert after.after.count(b"\r\n") in {0, after.after.count(b"\n")}


@given(old_manifests())
def test_values_that_no_rule_names_stay_the_same(data: bytes) -> None:
    versions = plan(data).files.get("APP.md")
    if versions is not None:
        before, after = (_values(each) for each in (versions.before, versions.after))
        for key in before.keys() & after.keys():
            if key in {"name", "version", "text"}:
                assert after[key] == before[key]
        assert after.get("manifestVersion", "0.10.0") == "0.10.0"


def _values(data: bytes) -> dict[str, object]:
    text = data.decode().replace("\r\n", "\n").split("---\n")[1]
    value = parse_yaml(text, "APP.md", ReadingBudget()).value
    return {str(key): each for key, each in value.items()} if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - any YAML


# Writing


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    (folder / "evals").mkdir(parents=True)
    (folder / "APP.md").write_bytes(OLD.encode())
    (folder / "APP.md").chmod(0o640)
    (folder / "app.entries.yaml").write_bytes(b"entries:\n- {key: x, title: X, kind: home}\n")
    return folder


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_writing_keeps_the_old_files_beside_the_package(package: Path) -> None:
    before = files_in(package)
    backup = write_migration(package, plan_migration(open_folder(package)))
    assert backup == package.with_name("old.before-migration")
    assert files_in(package.with_name("old.before-migration")) == before
    assert files_in(package) == {
        "APP.md": NEW.encode(),
        "app.entries.yaml": b"entries:\n- {key: x, title: X, kind: page, route: /x}\n",
    }
    assert (package / "APP.md").stat().st_mode & 0o777 == 0o640


def test_what_was_written_is_a_package_of_the_current_version(package: Path) -> None:
    write_migration(package, plan_migration(open_folder(package)))
    loaded = load_package(open_folder(package))
    assert loaded.manifest.manifest_version == "0.10.0"
    assert [entry.kind for entry in loaded.manifest.entries] == [
        "page",
        "workflow",
        "artifact",
        "page",
    ]


def test_an_earlier_backup_is_never_overwritten(package: Path) -> None:
    package.with_name("old.before-migration").mkdir()
    backup = write_migration(package, plan_migration(open_folder(package)))
    assert backup == package.with_name("old.before-migration-2")


def test_nothing_to_write_makes_no_backup(package: Path) -> None:
    write_migration(package, plan_migration(open_folder(package)))
    assert write_migration(package, plan_migration(open_folder(package))) is None


def test_a_file_that_changed_meanwhile_stops_the_writing(package: Path) -> None:
    migration = plan_migration(open_folder(package))
    (package / "APP.md").write_bytes(b"new text")
    before = files_in(package)
    with pytest.raises(PackageChanged):
        write_migration(package, migration)
    assert files_in(package) == before
    assert not package.with_name("old.before-migration").exists()


@pytest.mark.parametrize("failing_call", [1, 2])
def test_a_failure_on_the_way_leaves_every_file_as_it_was(
    package: Path, monkeypatch: pytest.MonkeyPatch, failing_call: int
) -> None:
    """All files or none: the disk may be full, or a file may be held open by another program."""
    before = files_in(package)
    migration = plan_migration(open_folder(package))
    real, calls = Path.replace, [0]

    def replace(self: Path, target: Path) -> Path:
        calls[0] += 1
        if calls[0] == failing_call:
            raise PermissionError("held open")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(PermissionError):
        write_migration(package, migration)
    assert files_in(package) == before
    assert not package.with_name("old.before-migration").exists()
