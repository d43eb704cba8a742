"""Whatever the bytes of a package's files are: problems, never a traceback, never more than a second."""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lime_desktop.app_package.files.tree import open_folder
from lime_desktop.app_package.package import AppPackage, load_package
from tests.app_package.trees import MemoryTree

APP_MD = b"""---
manifestVersion: 0.10.0
name: app
description: Anything.
version: 1.0.0
status: ready
appType: custom
---
# App
"""
IDENTITY = {"name": "app", "description": "d", "version": "1.0.0", "status": "ready"}
FILES = (
    "APP.md",
    "app.manifest.json",
    "app.capabilities.yaml",
    "app.entries.yaml",
    "app.permissions.yaml",
    "app.errors.yaml",
    "app.i18n.yaml",
    "app.signature.yaml",
    "app.runtime.yaml",
    "app.requirements.yaml",
    "app.boundary.yaml",
    "app.integrations.yaml",
    "app.operations.yaml",
    "app.install.yaml",
    "evals/readiness.yaml",
    "evals/health.yaml",
    "storage/schema.json",
    "storage/migrations/0001_a.sql",
    "skills/a/SKILL.md",
    "workflows/a.workflow.md",
    "workflows/b.yaml",
    "workflows/c.json",
    "locales/en-US.json",
    "dist/ui/index.html",
)
LARGE = 1_000_000
LIMIT_S = 2
"""A second, and as much again because a core shared with others counts slower."""

ANY_NAME = st.sampled_from(
    [
        *("entries", "permissions", "services", "workflows", "states", "operations", "boundary"),
        *("requirements", "integrations", "storage", "skills", "bundled", "errors", "i18n"),
        *("signature", "install", "agentRuntime", "readiness", "health", "publisher", "author"),
        *("requires", "capabilities", "repository", "triggers", "quickstart", "createdAt"),
        *("key", "kind", "title", "path", "next", "name", "version", "license", "translations"),
        *("modes", "tables", "indexes", "recovery", "supportedLocales", "bypassPermissions"),
    ]
)
ANY_SCALAR = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    ANY_NAME,
    st.sampled_from(["page", "../x", "./x", "https://x", "1.0.0", "2026-01-01", "cloud-remote"]),
)
ANY_VALUE: st.SearchStrategy[object] = st.recursive(
    ANY_SCALAR,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(ANY_NAME, inner, max_size=5)
    ),
    max_leaves=25,
)
YAML_PIECES = st.lists(
    st.sampled_from(
        [
            *("- ", "? ", ": ", "key: ", "a", "\n", "\n  ", "\n    ", "[", "]", "{", "}", ", "),
            *(
                "&a ",
                "*a",
                "<<: ",
                "|",
                ">",
                "'",
                '"',
                "!!str ",
                "!",
                "%YAML 1.1\n",
                "---\n",
                "...",
            ),
            *("#", "\t", "\r", "\ufeff", "\x85", "\u2028", "~", "null", "1e3", "0x1f", ".inf"),
            *("\\", "\\x", "\\ud800", "\\U0010ffff", "@", "`", "中", "\x00", "entries:\n", "=\n"),
        ]
    ),
    max_size=40,
).map("".join)
ANY_BYTES = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")),
    YAML_PIECES.map(str.encode),
    YAML_PIECES.map(lambda text: b"---\n" + text.encode() + b"\n---\n" + text.encode()),
    ANY_VALUE.map(lambda value: json.dumps(value).encode()),
    ANY_VALUE.map(lambda value: b"---\n" + json.dumps(value).encode() + b"\n---\nGuide\n"),
    ANY_VALUE.map(lambda value: json.dumps({**IDENTITY, "x": value}).encode()),
)


def load(files: dict[str, bytes]) -> AppPackage:
    """Load and look at everything, in less than a second of this process's time."""
    tree = MemoryTree({"APP.md": APP_MD, **files})
    started = time.process_time()
    package = load_package(tree)
    assert time.process_time() - started < LIMIT_S
    json.dumps(package.effective).encode()
    package.manifest.model_dump_json(by_alias=True, exclude_unset=True)
    for problem in package.problems:
        problem.model_dump_json().encode()
    assert package.origins is not None
    return package


@given(file=st.sampled_from(FILES), data=ANY_BYTES)
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_bytes_as_any_file_give_problems_and_never_a_traceback(file: str, data: bytes) -> None:
    load({file: data})


@given(files=st.dictionaries(st.sampled_from(FILES), ANY_BYTES, max_size=6))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_bytes_as_several_files_at_once_do_no_harm(files: dict[str, bytes]) -> None:
    load(files)


@given(file=st.sampled_from(FILES), data=ANY_BYTES)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_folder_on_disk_is_read_like_one_in_memory(file: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "sample-app"
        for name, content in {"APP.md": APP_MD, file: data}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        on_disk = load_package(open_folder(folder))
    assert on_disk.problems == load({file: data}).problems


@example(manifest={"integrations": [{"key": []}], "secrets": [{"use": [{"integration": {}}]}]})
@given(manifest=st.dictionaries(ANY_NAME, ANY_VALUE, max_size=8))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_values_as_a_manifest_are_judged(manifest: dict[str, object]) -> None:
    load({"app.manifest.json": json.dumps(manifest).encode()})


def repeated(piece: str, size: int = LARGE) -> str:
    return piece * (size // len(piece))


YAML_BOMBS: dict[str, Callable[[], str]] = {
    "opening brackets": lambda: "[" * 100_000,
    "opening braces": lambda: "{a: " * 25_000,
    "nested dashes": lambda: "- " * 50_000,
    "question marks": lambda: "? " * 50_000,
    "empty keys": lambda: ":\n" * 50_000,
    "flow items": lambda: "[" + "a," * 50_000,
    "flow pairs over lines": lambda: "[\n" + "a: b,\n" * 15_000,
    "ordinary items": lambda: "- key: a\n  kind: page\n  title: x\n" * 3_000,
    "one long word": lambda: "a: " + "x" * 100_000,
    "many words": lambda: "a: " + "x " * 50_000,
    "many lines": lambda: 'a: "' + "x\n\n" * 30_000,
    "blank block scalar": lambda: "a: |\n" + "\n" * 100_000,
    "comments": lambda: "#\n" * 50_000,
    "anchors": lambda: "- &a a\n" * 15_000,
    "laughs": lambda: "a: &a [x]\n" + "".join(f"k{n}: &a [*a, *a, *a]\n" for n in range(60)),
    "chain of aliases": lambda: (
        "a0: &a0 []\n" + "".join(f"a{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 3000))
    ),
    "merges": lambda: (
        "a0: &a0 {k: 1}\n"
        + "".join(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}\n" for n in range(1, 900))
    ),
    "documents": lambda: "---\n" * 25_000,
    "too large": lambda: repeated("key: value\n", 3 * LARGE),
}
JSON_BOMBS: dict[str, Callable[[], str]] = {
    "opening brackets": lambda: "[" * LARGE,
    "bad entries": lambda: '{"entries":[' + '{"kind":1},' * 60_000 + "{}]}",
    "equal entries": lambda: '{"entries":[' + '{"key":"a","permissions":["b"]},' * 30_000 + "{}]}",
    "paths": lambda: "{" + ",".join(f'"f{n}":"./{n}"' for n in range(60_000)) + "}",
    "empty fields": lambda: "{" + ",".join(f'"f{n}":null' for n in range(60_000)) + "}",
    "one key": lambda: "{" + '"a":1,' * 150_000 + '"b":1}',
    "halves of characters": lambda: "[" + '"\\ud800",' * 90_000 + "1]",
    "digits": lambda: '{"x":' + "9" * 900_000 + "}",
    "escapes": lambda: '{"displayName":"' + "\\n" * 400_000 + '"}',
    "open string": lambda: '{"displayName":"' + "\\n" * 400_000,
    "ranges": lambda: '{"requires":{"capabilities":{"a":"' + ">=1.0.0 " * 100_000 + '"}}}',
    "licence": lambda: '{"license":"' + "a OR " * 100_000 + 'a"}',
    "version": lambda: '{"version":"' + "1" * 900_000 + '"}',
    "url": lambda: '{"homepage":"' + "http://[" * 100_000 + '"}',
    "skills": lambda: '{"skills":{"bundled":[' + '{"path":"./s"},' * 50_000 + "{}]}}",
    "states": lambda: (
        '{"workflows":[{"key":"a","states":['
        + ",".join(f'{{"key":"s{n}","kind":"x","next":"s{n + 1}"}}' for n in range(20_000))
        + "]}]}"
    ),
}
MARKDOWN_BOMBS: dict[str, Callable[[], str]] = {
    "fences": lambda: repeated("```yaml\n"),
    "blocks": lambda: repeated("```yaml\nkey: a\n```\n"),
    "hashes": lambda: "## " + repeated("# ") + "x",
    "spaces": lambda: "## " + " " * LARGE + "x",
    "headings": lambda: repeated("## 何时使用\n", LARGE // 3),
    "checks": lambda: "## Workflow\n" + repeated("- [ ] x\n"),
    "table": lambda: "| State | Kind |\n|---|---|\n" + repeated("| a | b |\n"),
    "tables": lambda: repeated("|\n|-|\n"),
    "pipes": lambda: "|" * LARGE,
    "rules": lambda: repeated("---\n"),
}


@pytest.mark.parametrize("file", ["APP.md", "app.entries.yaml", "workflows/b.yaml"])
@pytest.mark.parametrize("bomb", YAML_BOMBS)
def test_yaml_made_to_take_long_does_not(bomb: str, file: str) -> None:
    text = YAML_BOMBS[bomb]()
    load({file: (f"---\n{text}\n---\nGuide\n" if file == "APP.md" else text).encode()})


@pytest.mark.parametrize("file", ["app.manifest.json", "storage/schema.json", "locales/en-US.json"])
@pytest.mark.parametrize("bomb", JSON_BOMBS)
def test_json_made_to_take_long_does_not(bomb: str, file: str) -> None:
    load({file: JSON_BOMBS[bomb]().encode()})


@pytest.mark.parametrize("file", ["APP.md", "workflows/a.workflow.md", "skills/a/SKILL.md"])
@pytest.mark.parametrize("bomb", MARKDOWN_BOMBS)
def test_markdown_made_to_take_long_does_not(bomb: str, file: str) -> None:
    # A little below the limit for one text file, or it would not be read at all.
    text = MARKDOWN_BOMBS[bomb]()[: LARGE - 1000]
    load({file: (APP_MD if file == "APP.md" else b"") + text.encode()[: LARGE - 1000]})


def test_many_files_at_the_limit_take_no_longer_than_one() -> None:
    text = YAML_BOMBS["ordinary items"]().encode()
    load({f"workflows/{number}.yaml": text for number in range(500)})


def test_the_list_of_problems_has_an_end() -> None:
    many = ",".join(f'"f{number}":null,"g{number}":"./x"' for number in range(3000))
    assert len(load({"app.manifest.json": f"{{{many}}}".encode()}).problems) <= 1001
