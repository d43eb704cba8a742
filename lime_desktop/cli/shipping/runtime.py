"""``lime-desktop runtime``: how products that bring no runtime find this Lime Desktop."""

import click

from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.output import (
    ExitCode,
    json_option,
    print_fields,
    print_json,
    printable,
)


@click.group(cls=CommandGroup)
def command() -> None:
    """Register this Lime Desktop for products that use an installed one. Each command supports --json.

    Installers do it by themselves; a checkout or a Python environment is registered by hand.
    """


@command.command("show")
@json_option
@click.pass_context
def show(ctx: click.Context, *, as_json: bool) -> None:
    """Say which Lime Desktop products of yours find, and whether they would start it."""
    import msgspec  # noqa: PLC0415 - help needs none of it

    from lime_desktop.registration.runtimes import registered  # noqa: PLC0415 - likewise

    found = registered()
    is_usable = any(not each.code for each in found)
    if as_json:
        print_json([{"ok": is_usable, "registered": [msgspec.to_builtins(each) for each in found]}])
    elif not found:
        click.echo(
            "No Lime Desktop is registered. Register this one: lime-desktop runtime register"
        )
    for each in () if as_json else found:
        state = click.style("usable", fg="green")
        if each.code:
            state = click.style(each.code, fg="red")
        click.echo(f"{printable(each.file)}  {state}")
        told = each.registration
        fields = {"reason": each.reason} if each.reason else {}
        if told is not None:
            fields |= {"version": told.version, "kind": told.kind, "program": told.program}
        print_fields(fields, indent=2)
    ctx.exit(ExitCode.OK if is_usable else ExitCode.PROBLEMS)


@command.command("register")
@json_option
def register_runtime(*, as_json: bool) -> None:
    """Register this Lime Desktop for your user's products, in the place of another one of yours."""
    from lime_desktop.registration.runtimes import NotRegistered, register  # noqa: PLC0415 - likewise

    try:
        path = register()
    except NotRegistered as refused:
        raise click.ClickException(str(refused)) from None
    except OSError as error:
        raise click.ClickException(f"It could not be written: {error.strerror}.") from None
    if as_json:
        print_json([{"ok": True, "file": str(path)}])
    else:
        click.echo(f"Registered in {printable(str(path))}")


@command.command("unregister")
@json_option
def unregister_runtime(*, as_json: bool) -> None:
    """Take your own registration away. One of the system's package stays."""
    from lime_desktop.registration.runtimes import unregister  # noqa: PLC0415 - likewise

    try:
        was_there = unregister()
    except OSError as error:
        raise click.ClickException(f"It could not be removed: {error.strerror}.") from None
    if as_json:
        print_json([{"ok": True, "removed": was_there}])
    else:
        click.echo("No longer registered." if was_there else "Nothing was registered.")
