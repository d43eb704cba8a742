"""`lime-desktop pack`: make a `.lapp` archive of a package."""

from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.archive.packing import NotPacked, Packed, pack
from lime_desktop.app_package.archive.reader import ARCHIVE_SUFFIX, open_archive
from lime_desktop.app_package.files.hashes import file_hash, manifest_hash, signed_tree_hash
from lime_desktop.app_package.files.tree import PackageTree
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.problem_kinds.packing import PACKED_SIGNATURE_STALE
from lime_desktop.app_package.problems import Problem, Severity
from lime_desktop.app_package.trust.signature_file import (
    SignatureFile,
    plain_hex,
    read_signature_file,
)
from lime_desktop.cli.terminal.output import (
    ExitCode,
    counted,
    json_option,
    package_argument,
    print_fields,
    print_json,
    print_problems,
    printable,
)
from lime_desktop.file_names import shown_name

_MAX_SHOWN = 10


@click.command("pack")
@package_argument
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The package file to write. Default: NAME-VERSION.lapp in the current folder.",
)
@click.option("--allow-invalid", is_flag=True, help="Pack the package although it is not valid.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, package: Path, target: Path | None, allow_invalid: bool, as_json: bool
) -> None:
    """Make a package file (.lapp). The same files always give the same bytes.

    Version control, caches, tests and older archives are left out, and named. The archive is opened again and
    compared with the package before it replaces an older one.
    """
    loaded = load_package(open_package(package))
    if not loaded.is_valid and not allow_invalid:
        _print_refusal(package, loaded.problems, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)
    result = pack(loaded.tree, target or Path(_default_name(loaded)))
    if isinstance(result, NotPacked):
        _print_refusal(package, result.problems, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)
    _print_result(package, result, as_json=as_json)


def _default_name(package: AppPackage) -> str:
    return shown_name(f"{package.manifest.name}-{package.manifest.version}", ARCHIVE_SUFFIX)


def _print_refusal(path: Path, problems: tuple[Problem, ...], *, as_json: bool) -> None:
    errors = [each for each in problems if each.severity is Severity.ERROR]
    if as_json:
        found = [each.model_dump(by_alias=True, mode="json") for each in errors]
        print_json([{"ok": False, "path": str(path), "problems": found}])
        return
    click.echo(f"{printable(str(path))}  {click.style('not packed', fg='red')}")
    print_problems(errors)


def _print_result(path: Path, packed: Packed, *, as_json: bool) -> None:
    tree = open_archive(packed.path)
    hashes = {
        "packageHash": packed.package_hash,
        "manifestHash": manifest_hash(tree),
        "archiveHash": file_hash(packed.path),
    }
    warnings = _stale_signature(tree)
    if as_json:
        result = {"ok": True, "path": str(path), "archive": str(packed.path)} | hashes
        problems = [each.model_dump(by_alias=True, mode="json") for each in warnings]
        print_json([result | {"leftOut": list(packed.left_out), "problems": problems}])
        return
    shown = {"package": hashes["packageHash"], "manifest": hashes["manifestHash"]}
    click.echo(f"{printable(str(packed.path))}  {click.style('packed', fg='green')}")
    print_fields({k: v or "none" for k, v in shown.items()}, indent=2)
    print_fields({"archive ": hashes["archiveHash"] or ""}, indent=2)
    _print_left_out(packed.left_out)
    print_problems(warnings)


def _print_left_out(left_out: tuple[str, ...]) -> None:
    if not left_out:
        return
    more = len(left_out) - _MAX_SHOWN
    names = ", ".join(left_out[:_MAX_SHOWN]) + (f" and {more} more" if more > 0 else "")
    click.secho(f"  {counted(len(left_out), 'file')} left out: {printable(names)}", dim=True)


def _stale_signature(tree: PackageTree) -> list[Problem]:
    """Say so when the archive carries a signature that speaks of other files."""
    file = read_signature_file(tree)
    if file is None:
        return []
    declared = file.package.hash if isinstance(file, SignatureFile) else None
    if plain_hex(declared) == plain_hex(signed_tree_hash(tree)):
        return []
    return [PACKED_SIGNATURE_STALE.found("The signature does not cover the files as packed.")]
