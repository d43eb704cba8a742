"""``lime-desktop publish keys``: make a vendor's keys, and replace one."""

from pathlib import Path

import click

from lime_desktop.cli.shipping.vendor_options import end_refused, key_options
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.output import json_option, print_fields, print_json
from lime_desktop.shipping.publishing.keys import KeyFolder


@click.group("keys", cls=CommandGroup)
def keys_group() -> None:
    """Create the keys that sign updates, or replace one that was lost or seen."""


@keys_group.command("new")
@click.option(
    "--root-keys",
    type=click.IntRange(1, 9),
    default=2,
    show_default=True,
    help="How many root keys.",
)
@click.option(
    "--threshold",
    type=click.IntRange(1, 9),
    default=1,
    show_default=True,
    help="How many of them must sign.",
)
@json_option
@click.pass_context
@end_refused
@key_options
def new(
    ctx: click.Context,
    *,
    root_keys: int,
    threshold: int,
    keys: KeyFolder,
    as_json: bool,
) -> None:
    """Create all keys and the first root. Keep the root keys in two places, off every server."""
    del ctx
    _print(keys.create(root_keys=root_keys, threshold=threshold), keys.folder, as_json=as_json)


@keys_group.command("rotate")
@click.argument("name", type=click.Choice(["root", "targets", "online"]))
@json_option
@click.pass_context
@end_refused
@key_options
def rotate(
    ctx: click.Context,
    *,
    name: str,
    keys: KeyFolder,
    as_json: bool,
) -> None:
    """Replace a key. The old one may be lost; enough root keys must be there. Then run `publish refresh`."""
    del ctx
    _print(keys.rotate(name), keys.folder, as_json=as_json)


def _print(root: Path, keys: Path, *, as_json: bool) -> None:
    facts = {"keys": str(keys), "root": str(root)}
    if as_json:
        print_json([{"ok": True, **facts}])
    else:
        print_fields(facts)
