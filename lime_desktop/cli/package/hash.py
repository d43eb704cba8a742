"""`lime-desktop hash`: which bytes are these?"""

from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.files.hashes import file_hash, manifest_hash, tree_hash
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.problem_kinds.files import FILE_UNREADABLE
from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.cli.terminal.output import (
    ExitCode,
    json_option,
    packages_argument,
    print_fields,
    print_json,
    print_problems,
    printable,
)

_SHOWN = {"packageHash": "package", "manifestHash": "manifest", "archiveHash": "archive"}


@click.command("hash")
@packages_argument
@json_option
@click.pass_context
def command(ctx: click.Context, packages: tuple[Path, ...], *, as_json: bool) -> None:
    """Print the hashes of packages: of all files, of APP.md, and of an archive as a file.

    The package hash is the one of the standard's reference tool, with / between folders on every system.
    """
    results = [_hashes(path) for path in packages]
    if as_json:
        print_json([_as_json(path, *each) for path, each in zip(packages, results, strict=True)])
    else:
        for path, (hashes, problems) in zip(packages, results, strict=True):
            click.secho(printable(str(path)), bold=True)
            print_fields({_SHOWN[name]: value for name, value in hashes.items()}, indent=2)
            print_problems(problems)
    ctx.exit(ExitCode.PROBLEMS if any(problems for _, problems in results) else ExitCode.OK)


def _hashes(path: Path) -> tuple[dict[str, str], tuple[Problem, ...]]:
    """Hash what can be hashed: the archive's own hash is known even if what is in it is refused."""
    found: dict[str, str] = {}
    tree = open_package(path)
    errors = tuple(each for each in tree.problems if each.severity is Severity.ERROR)
    try:
        if not errors:
            found |= _tree_hashes(tree)
        if path.is_file():
            found["archiveHash"] = file_hash(path)
    except OSError as error:
        errors += (FILE_UNREADABLE.found(f"The file can't be read: {error.strerror}."),)
    return found, errors


def _tree_hashes(tree: PackageTree) -> dict[str, str]:
    of_manifest = manifest_hash(tree)
    of_files = {"packageHash": tree_hash(tree)}
    return of_files if of_manifest is None else of_files | {"manifestHash": of_manifest}


def _as_json(
    path: Path, hashes: dict[str, str], problems: tuple[Problem, ...]
) -> dict[str, object]:
    result: dict[str, object] = {"path": str(path), **hashes}
    if problems:
        result["problems"] = [each.model_dump(by_alias=True, mode="json") for each in problems]
    return result
