"""A path is joined from names of our own, or from `file_names` (ours): whatever else stands here, with the reason.

As far as a reader of source can tell: what is behind a slash is a text of the program, one of its constants, or what a
function of `file_names` gave. The rest is listed, expression by expression, so that a new one is looked at.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent / "lime_desktop"
PACKAGES = ("app_package", "app_server", "host")
NAMERS = {"stored_name", "shown_name", "last_name", "plain_name", "token_hex"}
KNOWN = {
    "app_server/workflows/schedules/power.py": {"supply / name"},  # words of the module's own
    "app_package/archive/extraction.py": {
        "folder.joinpath(*entry.path.split('/'))",  # `archive_rules` judged every part
        "Path(folder) / name",  # what a walk of the disk found
    },
    "app_package/migration/writing.py": {
        "folder / file",  # files of the package, whose tree was judged
        "backup / file",
        "backup / path.relative_to(folder)",
    },
    "app_package/archive/packing.py": {"Path(folder) / f'draft{ARCHIVE_SUFFIX}'"},
    "app_package/files/tree.py": {"self.root / self.files[path].path"},  # found on disk
    "app_package/trust/revocation.py": {
        "self.cache_folder / f'{hashlib.sha256(key.encode()).hexdigest()}.json'"
    },
    "app_package/trust/trust_store.py": {"path.parent / root"},  # the person's own file says it
    "app_server/app_data/service.py": {"copy / holder.name", "source / holder.name"},  # ours
    "app_server/checkpoints/parts.py": {"folder / f'{number}'"},  # a count
    "app_server/checkpoints/service.py": {  # one of three words of ours
        "folder / part.scope",
        "point.folder / part.scope",
    },
    "app_server/content_store.py": {
        "self._folder / digest[:2] / digest",  # `digest_of` lets only hex digits pass
        "self._folder / digest[:2]",
    },
    "app_server/evidence/chain.py": {
        "root / self._name",  # a hash
        "self._folder / f'.{final.name}.partial'",
        "self._folder / name",
    },
    "app_server/execution/acp/conversations.py": {
        "of_app / hashlib.sha256(meant.session_id.encode()).hexdigest()[:32]"
    },
    "app_server/execution/turn_states.py": {
        "self._folder / f'{hashlib.sha256(turn_id.encode()).hexdigest()}.state'"
    },
    "app_server/files/folders.py": {
        "folder.joinpath(*parts)",  # judged before and after: what leads out is refused
        "PurePosixPath(inside) / path.name",  # no path of the disk, but what an app is told
    },
    "app_server/knowledge/indexing.py": {"Path(folder) / name"},  # what a walk found
    "app_server/storage/prepared.py": {"Path(folder) / database.path.name"},
    "app_server/tools/backends/pace.py": {  # numbers
        "-self._bytes / rates.bytes_per_s",
        "-self._lines / rates.lines_per_s",
    },
    "app_server/tools/backends/program.py": {  # files of the package, whose tree was judged
        "package / _plain(word)",
        "package / entry.path",
        "Path(folder) / name",  # a name of ours in a folder of PATH
    },
    "app_server/tools/work_folders.py": {"Path(where) / name"},  # what a walk of the disk found
    "host/appearance/picture_cache.py": {  # the hash of a picture's bytes
        "self._folder / key",
        "self._folder / f'{key}.partial'",
    },
    "host/view/unpacking.py": {
        # `shown_name` made every part, and the folder's own name, fit before.
        "folder.joinpath(*_parts(entry.filename))",
        "place / (name if number == 1 else f'{name} {number}')",
    },
    "host/app_center/catalog/catalog.py": {"self._downloads / f'download-{secrets.token_hex(8)}'"},
    "host/app_center/catalog/reading.py": {
        # A hash: the address itself names no file.
        "memory / hashlib.sha256(location.encode()).hexdigest()[:32]"
    },
    "host/app_center/packages/fetching.py": {
        # A list that the person keeps as a file may name packages anywhere; they are read and judged as packages.
        "PurePosixPath(document.replace('\\\\', '/')).parent / place"
    },
    "host/app_center/packages/held_folder.py": {
        "self._root.joinpath(*path.split('/'))"
    },  # compared after
    "host/app_center/packages/staging.py": {"Path(parent) / name"},  # what a walk found
    "host/app_center/governance/workspace_rules.py": {"folder / name"},  # names of ours
    "host/startup/engine_sandbox.py": {"switches / name", "processes / str(renderer)"},
    "host/web_content/ui_bundle.py": {"resources / folder"},
    "host/runs/run_exports.py": {"own / written.pack_relative_root"},  # judged after it is resolved
    "host/startup/single_instance.py": {"folder / name"},
    "host/wording/texts.py": {  # one of those that lie there
        "folder / f'{locale}.json'",
        "folder.parent / 'package_problems' / f'{locale}.json'",
    },
    "host/web_content/origin.py": {"folder / host_of(app_id)"},  # letters and digits alone
}


def joins(tree: ast.AST) -> Iterator[str]:
    """What is joined with a name that is neither of the program's own nor made by a namer."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            parts = [node.right] if not _is_number(node) else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts = node.args if node.func.attr == "joinpath" else []
        else:
            continue
        if not all(map(_is_own, parts)):
            yield ast.unparse(node)


def _is_own(part: ast.expr) -> bool:
    if isinstance(part, ast.Call):
        return getattr(part.func, "attr", getattr(part.func, "id", "")) in NAMERS
    is_constant = isinstance(part, ast.Name) and part.id.lstrip("_").isupper()
    return is_constant or isinstance(part, ast.Constant)


def _is_number(node: ast.BinOp) -> bool:
    """Whether this is a division: by a length, a sum, or one of the words that count here."""
    words = ast.unparse(node)
    counts = ("len(", "sum(", "max(", "done /", "failed /", ".score /", "0.05")
    return any(each in words for each in counts)


def test_every_other_join_is_known() -> None:
    found: dict[str, set[str]] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            new = set(joins(ast.parse(path.read_text(encoding="utf-8"))))
            if new:
                found[path.relative_to(ROOT).as_posix()] = new
    assert found == KNOWN


def test_a_join_with_anybodys_words_would_be_found() -> None:
    assert list(joins(ast.parse("folder / key"))) == ["folder / key"]
    assert list(joins(ast.parse("folder / f'{key}.md'"))) == ["folder / f'{key}.md'"]
    assert list(joins(ast.parse("folder / stored_name(key) / 'x'"))) == []
