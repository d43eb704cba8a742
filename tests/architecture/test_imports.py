"""The import rules hold (ours): see the contracts in pyproject.toml."""

from importlinter import cli


def test_imports_follow_the_data_path() -> None:
    assert cli.lint_imports(no_cache=True) == cli.EXIT_STATUS_SUCCESS
