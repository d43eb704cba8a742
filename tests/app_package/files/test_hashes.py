"""The hashes equal the reference algorithm (the standard's fact sheet, c.1)."""

import hashlib
import shutil
import subprocess
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lime_desktop.app_package.files.hashes import (
    file_hash,
    manifest_hash,
    reference_order,
    signed_tree_hash,
    tree_hash,
    tree_hashes,
)
from lime_desktop.app_package.files.tree import TreeHashes, open_folder
from tests.app_package.trees import MemoryTree, write_tree

Folder: TypeAlias = dict[str, "bytes | Folder"]

# Astral characters sort before U+E000 and the full-width forms in UTF-16, and after them as code points.
AWKWARD_NAMES = ["a", "A", "a-b", "a.txt", "ab", "é", "e\u0301", "中文", "\ue000", "Ａ", "😀", "𐀀"]

JS_ORACLE = """
const fs = require('fs'), path = require('path'), crypto = require('crypto');
const digest = crypto.createHash('sha256');
(function walk(folder, prefix) {
  for (const name of fs.readdirSync(folder).sort()) {
    if (name === 'node_modules' || name === '.git') continue;
    const full = path.join(folder, name);
    if (fs.statSync(full).isDirectory()) { walk(full, prefix + name + '/'); continue; }
    digest.update(prefix + name); digest.update('\\0');
    digest.update(fs.readFileSync(full)); digest.update('\\0');
  }
})(process.argv[1], '');
console.log('sha256:' + digest.digest('hex'));
"""


def emitted_by_naive_walk(folder: Folder, prefix: str = "") -> bytes:
    """The fact sheet's steps, word by word, with all bytes in memory."""
    out = b""
    for name in sorted(folder, key=lambda text: text.encode("utf-16-be", "surrogatepass")):
        if name in {"node_modules", ".git"}:
            continue
        node = folder[name]
        if isinstance(node, dict):
            out += emitted_by_naive_walk(node, f"{prefix}{name}/")
        else:
            out += f"{prefix}{name}".encode() + b"\0" + node + b"\0"
    return out


def flattened(folder: Folder, prefix: str = "") -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for name, node in folder.items():
        if isinstance(node, dict):
            files |= flattened(node, f"{prefix}{name}/")
        else:
            files[prefix + name] = node
    return files


names = st.one_of(
    st.sampled_from([*AWKWARD_NAMES, "node_modules", ".git", ".gitignore", "app.signature.yaml"]),
    st.text(
        st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=4
    ),
)
folders: st.SearchStrategy[Folder] = st.recursive(
    st.dictionaries(names, st.binary(max_size=20), max_size=6),
    lambda inner: st.dictionaries(names, st.one_of(st.binary(max_size=20), inner), max_size=6),
    max_leaves=20,
)


@given(folders)
def test_any_tree_hashes_as_the_naive_walk_does(folder: Folder) -> None:
    expected = hashlib.sha256(emitted_by_naive_walk(folder)).hexdigest()
    assert tree_hash(MemoryTree(flattened(folder))) == f"sha256:{expected}"


def test_a_folders_files_stand_where_the_folders_name_sorts() -> None:
    paths = ["a.txt", "a-b", "a/z", "B/q", "b"]
    assert sorted(paths, key=reference_order) == ["B/q", "a/z", "a-b", "a.txt", "b"]


def test_names_sort_by_utf16_code_units_not_by_code_points() -> None:
    assert sorted(["\ue000", "😀", "Ａ", "中"], key=reference_order) == ["中", "😀", "\ue000", "Ａ"]


def test_files_below_node_modules_and_git_do_not_count_at_any_depth() -> None:
    plain = {"APP.md": b"x", "dist/ui/app.js": b"y", ".gitignore": b"z"}
    cluttered = plain | {
        "node_modules/a.js": b"1",
        "dist/node_modules/b.js": b"2",
        ".git/HEAD": b"3",
        "dist/.git": b"4",
    }
    assert tree_hash(MemoryTree(cluttered)) == tree_hash(MemoryTree(plain))


def test_moving_a_byte_between_name_and_content_changes_the_hash() -> None:
    assert tree_hash(MemoryTree({"ab": b"c"})) != tree_hash(MemoryTree({"a": b"bc"}))


def test_only_the_roots_signature_file_is_outside_the_signed_hash() -> None:
    plain = {"APP.md": b"x", "nested/app.signature.yaml": b"kept"}
    signed = MemoryTree(plain | {"app.signature.yaml": b"signature: {}"})
    assert signed_tree_hash(signed) == tree_hash(MemoryTree(plain))
    assert tree_hash(signed) != signed_tree_hash(signed)


@given(folders)
def test_both_hashes_of_one_walk_are_those_of_two(folder: Folder) -> None:
    tree = MemoryTree(flattened(folder))
    assert tree_hashes(tree) == TreeHashes(tree_hash(tree), signed_tree_hash(tree))


def test_manifest_hash_covers_every_byte_of_app_md() -> None:
    data = b"\xef\xbb\xbf---\r\nname: x\r\n---\r\nbody"
    expected = hashlib.sha256(data).hexdigest()
    assert manifest_hash(MemoryTree({"APP.md": data, "other": b"1"})) == f"sha256:{expected}"


def test_a_package_without_app_md_has_no_manifest_hash() -> None:
    assert manifest_hash(MemoryTree({"app.md": b""})) is None


def test_file_hash_is_the_sha256_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "app.lapp"
    file.write_bytes(b"abc")
    assert file_hash(file) == (
        "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )


def test_a_javascript_walk_of_the_same_folder_gives_the_same_hash(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the JavaScript oracle cannot run here")
    # Names that no file system folds together, so that the folder is the same everywhere.
    names = ["B", "a", "a-b", "a.txt", "中文", "\ue000", "Ａ", "😀", "𐀀", ".hidden", "node_modules"]
    contents = {f"{folder}/{name}/f": name.encode() for folder in names for name in names}
    contents |= {f"{name}.top": b"\0\xff" * 200_000 for name in names}
    root = write_tree(tmp_path / "app", contents)
    answer = subprocess.run(  # noqa: S603 - our own script, found by which()
        [node, "-e", JS_ORACLE, str(root)], capture_output=True, text=True, check=True, timeout=60
    )
    assert tree_hash(open_folder(root)) == answer.stdout.strip()
