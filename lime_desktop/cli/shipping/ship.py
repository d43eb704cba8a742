"""``lime-desktop ship``: make an app, or the apps of an organisation, a product stamped on a frozen Lime Desktop."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lime_desktop.cli.terminal.output import (
    ExitCode,
    PackagePath,
    json_option,
    print_fields,
    print_json,
    print_problems,
    printable,
)

if TYPE_CHECKING:
    from lime_desktop.stamping.runtime_needs import RuntimeNeeds
    from lime_desktop.stamping.shipment import Format, Shipment

CommandT = TypeVar("CommandT", bound=Callable[..., Any])
_FOLDER = click.Path(path_type=Path, file_okay=False)
_HELP: "dict[Format, str]" = {
    "deb": "Make a Debian package.",
    "tar": "Make a tar.gz that installs for one person.",
    "appimage": "Make an AppImage; needs --appimage-runtime.",
    "windows": "Write the script, icon and steps for a Windows machine.",
    "macos": "Write the property list, icon and steps for a Mac.",
}


def _format_options(command: CommandT) -> CommandT:
    for name in reversed(_HELP):
        command = click.option(f"--{name}", name, is_flag=True, help=_HELP[name])(command)
    return command


@click.command("ship")
@click.argument("package", type=PackagePath(), required=False)
@click.option(
    "--organization",
    "--organisation",
    "organisation",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Instead of one app: the build file of an organization's product of several.",
)
@click.option("--out", required=True, type=_FOLDER, help="The folder to write the product into.")
@click.option(
    "--base",
    type=_FOLDER,
    help="A frozen Lime Desktop. Default: this program if it is frozen, or dist/lime-desktop.",
)
@click.option(
    "--runtime-backed",
    is_flag=True,
    help="Make a launcher of a few hundred kB that uses an installed Lime Desktop.",
)
@_format_options
@click.option(
    "--appimage-runtime",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The AppImage project's type 2 runtime.",
)
@click.option("--keys", type=_FOLDER, help="The folder with your keys, if the product has updates.")
@click.option("--check", "only_checks", is_flag=True, help="Say what is missing; write nothing.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    package: Path | None,
    organisation: Path | None,
    out: Path,
    base: Path | None,
    runtime_backed: bool,
    appimage_runtime: Path | None,
    keys: Path | None,
    only_checks: bool,
    as_json: bool,
    **formats: bool,
) -> None:
    """Make an app a product of its own: its name, its icon, its data, its links.

    The app's install.branding and install.standalone say what it is called and looks like. It stays under Lime
    Desktop's rules: people review it before it is installed, and decide what it may do.

    With --runtime-backed it brings no runtime: install.runtimeBacked says which installed Lime Desktop will do.

    With --organization a build file names the brand, several apps, the organization's own file, whose rules hold from
    the first start, and the model providers on offer.
    """
    source = package or organisation
    if source is None or (package and organisation):
        raise click.UsageError("Name a package, or a build file with --organization.")
    if organisation and runtime_backed:
        raise click.UsageError("An organization's product brings its runtime along.")
    from lime_desktop.stamping.backed_shipment import check_backed, ship_backed  # noqa: PLC0415 - loads what signs and verifies
    from lime_desktop.stamping.shipment import ShipOptions, check, ship  # noqa: PLC0415 - likewise

    chosen: frozenset[Format] = frozenset(name for name in _HELP if formats[name])
    wish = ShipOptions(source, out, chosen, base, keys, appimage_runtime, organisation is not None)
    if runtime_backed and (base is not None or keys is not None):
        raise click.UsageError("With --runtime-backed there is no base, and no updates of its own.")
    look, make = (check_backed, ship_backed) if runtime_backed else (check, ship)
    done = look(wish) if only_checks else make(wish, lambda line: _tell(line, as_json=as_json))
    _print(source, out, done, only_checks=only_checks, as_json=as_json)
    ctx.exit(ExitCode.OK if done.is_sound else ExitCode.PROBLEMS)


def _tell(line: str, *, as_json: bool) -> None:
    click.secho(f"  {line}", dim=True, err=as_json)


def _print(package: Path, out: Path, done: "Shipment", *, only_checks: bool, as_json: bool) -> None:
    if as_json:
        print_json([_as_object(package, out, done)])
        return
    good = "can be shipped" if only_checks else "shipped"
    bad = "cannot be shipped" if only_checks else "not shipped"
    mark = click.style(good, fg="green") if done.is_sound else click.style(bad, fg="red")
    click.echo(f"{printable(str(package))}  {mark}")
    if done.brand is not None and done.is_sound:
        from lime_desktop.registration.version_ranges import range_in_words  # noqa: PLC0415 - likewise

        brand = done.brand
        fields = {"product": f"{brand.name} {brand.version}", "id": brand.id}
        fields["links"] = f"{brand.scheme}://"
        if done.needs is not None:
            required = done.needs.required
            wanted = range_in_words(required.min_version, required.max_version)
            fields["runs on"] = f"an installed Lime Desktop {wanted}"
        elif done.base is not None:
            fields["base"] = f"Lime Desktop {done.base.version}"
        print_fields(fields, indent=2)
    for path in done.files:
        click.echo(f"  {printable(str(path))}")
    print_problems(done.problems)


def _as_object(package: Path, out: Path, done: "Shipment") -> dict[str, object]:
    brand, base = done.brand, done.base
    return {
        "ok": done.is_sound,
        "path": str(package),
        "out": str(out),
        "product": None
        if brand is None
        else {
            "id": brand.id,
            "name": brand.name,
            "version": brand.version,
            "bundleId": brand.bundle_id,
            "scheme": brand.scheme,
        },
        "runtime": None if done.needs is None else _runtime(done.needs),
        "base": None if base is None else {"path": str(base.folder), "version": base.version},
        "files": [str(each) for each in done.files],
        "seconds": done.seconds,
        "problems": [each.model_dump(by_alias=True, mode="json") for each in done.problems],
    }


def _runtime(needs: "RuntimeNeeds") -> dict[str, object]:
    return {
        "minVersion": needs.required.min_version,
        "maxVersion": needs.required.max_version,
        "sha256Required": needs.is_hash_required,
        "releases": [each.version for each in needs.releases],
        "platforms": list(needs.platforms),
        "link": needs.link,
    }
