"""The SDK's own tests and types, by Node and by the TypeScript compiler."""

import subprocess
from pathlib import Path

import pytest

from tests.sdk.node import node_program

pytestmark = pytest.mark.system

HERE = Path(__file__).parent
_STRICT = "--noEmit --strict --target es2022 --module esnext --moduleResolution bundler"
_LIBRARIES = ("--lib", "es2022,dom,dom.iterable")


def run_node(repository: Path, *arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603 - the node of our own environment
        [node_program(), *arguments],
        cwd=repository,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=100,
    )


def compile_strictly(repository: Path, *arguments: str | Path) -> str:
    compiler = repository / ".bootstrap/node/node_modules/typescript/bin/tsc"
    if not compiler.exists():
        pytest.skip("no TypeScript compiler: `packaging/bootstrap.py test` brings it")
    run = run_node(repository, compiler, *_STRICT.split(), *_LIBRARIES, *arguments)
    return run.stdout + run.stderr


def test_an_app_gets_from_the_sdk_what_its_author_was_promised(repository: Path) -> None:
    run = run_node(repository, "--test", "--test-reporter=spec", HERE / "runtime.test.mjs")
    assert run.returncode == 0, run.stdout + run.stderr


def test_an_app_compiles_against_the_declarations(repository: Path) -> None:
    """The standard: a typed contract, not a list of names."""
    assert compile_strictly(repository, HERE / "sample_app.ts") == ""


def test_the_sdk_keeps_its_own_declarations(repository: Path) -> None:
    modules = [
        repository / "resources/sdk" / name
        for name in ("index.js", "testing.js", "page_testing.js")
    ]
    flags = ("--allowJs", "--checkJs", "--allowImportingTsExtensions")
    assert compile_strictly(repository, *flags, *modules) == ""
