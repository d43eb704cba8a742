"""``lime-desktop validate``: is this package valid, and if not, what is wrong and where."""

from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.cli.terminal import output

Loaded = list[tuple[Path, AppPackage]]


@click.command()
@output.packages_argument
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@output.json_option
@click.option("--sarif", "as_sarif", is_flag=True, help="Print SARIF 2.1.0 for editors and CI.")
@click.pass_context
def command(
    ctx: click.Context, packages: tuple[Path, ...], strict: bool, as_json: bool, as_sarif: bool
) -> None:
    """Check packages against the standard: every problem with its file, line and remedy."""
    if as_json and as_sarif:
        raise click.UsageError("Use either --json or --sarif.")
    loaded = [(path, load_package(open_package(path))) for path in packages]
    if as_sarif:
        _print_sarif(loaded)
    elif as_json:
        output.print_json([_as_object(path, package, strict=strict) for path, package in loaded])
    else:
        _print_for_people(loaded, strict=strict)
    passed = all(_passes(package, strict=strict) for _, package in loaded)
    ctx.exit(output.ExitCode.OK if passed else output.ExitCode.PROBLEMS)


def _passes(package: AppPackage, *, strict: bool) -> bool:
    failing = {"error", "warning"} if strict else {"error"}
    return failing.isdisjoint(problem.severity for problem in package.problems)


def _as_object(path: Path, package: AppPackage, *, strict: bool) -> dict[str, object]:
    problems = [problem.model_dump(mode="json", by_alias=True) for problem in package.problems]
    return {"ok": _passes(package, strict=strict), "path": str(path), "problems": problems}


def _print_sarif(loaded: Loaded) -> None:
    from lime_desktop.cli.package.sarif import sarif_log  # noqa: PLC0415  # the others need no catalogue

    output.print_json([sarif_log((path, package.problems) for path, package in loaded)])


def _print_for_people(loaded: Loaded, *, strict: bool) -> None:
    for path, package in loaded:
        passed = _passes(package, strict=strict)
        mark = click.style("valid", fg="green") if passed else click.style("invalid", fg="red")
        click.echo(f"{output.printable(str(path))}  {mark}")
        output.print_problems(package.problems)
    found = (problem.severity for _, package in loaded for problem in package.problems)
    output.print_summary(found, packages=len(loaded))
