"""``lime-desktop publish``: the vendor's side of updates. Makes a folder that any web server serves."""

from pathlib import Path

import click
import msgspec

from lime_desktop.cli.shipping.catalog_commands import CATALOG_COMMANDS
from lime_desktop.cli.shipping.key_commands import keys_group
from lime_desktop.cli.shipping.vendor_options import (
    days_option,
    end_refused,
    key_options,
    notes_option,
    platform_option,
    print_facts,
    read_notes,
    repository_option,
)
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.output import counted, json_option, print_json
from lime_desktop.shipping.installation import UpdateSource
from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.publish import (
    Offer,
    change_offer,
    publish_shell,
    sweep,
    write_offline,
    write_update_source,
)
from lime_desktop.shipping.publishing.repository import Repository
from lime_desktop.shipping.release import Release

_PERCENT = click.IntRange(0, 100)
_TREE = click.Path(path_type=Path, exists=True, file_okay=False)
channel_option = click.option("--channel", default="stable", show_default=True, help="The channel.")

command = CommandGroup()
"""Their group says what they are for (`groups.py`), without loading them."""
command.add_command(keys_group)
for each in CATALOG_COMMANDS:
    command.add_command(each)


@command.command("trust")
@click.argument("tree", type=_TREE)
@click.option("--url", required=True, help="The https:// address of the published folder.")
@click.option("--product", default="lime-desktop", show_default=True, help="The product's id.")
@channel_option
@json_option
@click.pass_context
@end_refused
@key_options
def trust(
    ctx: click.Context,
    *,
    tree: Path,
    url: str,
    product: str,
    channel: str,
    keys: KeyFolder,
    as_json: bool,
) -> None:
    """Write into TREE where its updates come from and whose signature they need."""
    del ctx
    source = UpdateSource(product=product, url=url, channel=channel)
    write_update_source(tree, keys, source)
    print_facts(
        {"tree": str(tree), "url": url, "product": product, "channel": channel}, as_json=as_json
    )


@command.command("shell")
@click.argument("tree", type=_TREE)
@repository_option
@click.option("--version", required=True, help="The version, such as 1.4.0.")
@channel_option
@notes_option
@click.option(
    "--rollout", type=_PERCENT, default=100, show_default=True, help="Offer it to so many percent."
)
@click.option("--pause", is_flag=True, help="Publish it and offer it to no one yet.")
@click.option("--minimum", metavar="VERSION", help="Versions below this one are withdrawn.")
@platform_option
@days_option
@json_option
@click.pass_context
@end_refused
@key_options
def shell(
    ctx: click.Context,
    *,
    tree: Path,
    folder: Path,
    version: str,
    channel: str,
    notes: tuple[str, ...],
    rollout: int,
    pause: bool,
    minimum: str | None,
    platform: str,
    fresh_days: int,
    keys: KeyFolder,
    as_json: bool,
) -> None:
    """Publish the frozen TREE as a version and offer it in a channel."""
    del ctx
    told = read_notes(notes) if notes else None
    offer = Offer(version, channel, platform, rollout, pause, minimum, told)
    done = publish_shell(
        tree,
        Repository(folder),
        keys,
        offer,
        fresh_days=fresh_days,
    )
    print_facts(
        {
            **_release_facts(done.release),
            "files": done.files,
            "treeBytes": done.tree_bytes,
            "newBlobs": done.added_blobs,
            "newBytes": done.added_bytes,
        },
        as_json=as_json,
    )


@command.command("channel")
@click.argument("channel")
@repository_option
@click.option("--rollout", type=_PERCENT, help="Offer its version to so many percent.")
@click.option("--pause/--resume", "is_paused", default=None, help="Offer it to no one, or again.")
@platform_option
@json_option
@click.pass_context
@end_refused
@key_options
def channel(
    ctx: click.Context,
    *,
    channel: str,
    folder: Path,
    rollout: int | None,
    is_paused: bool | None,
    platform: str,
    keys: KeyFolder,
    as_json: bool,
) -> None:
    """Change who is offered the version that a channel has."""
    del ctx

    def change(release: Release) -> Release:
        return msgspec.structs.replace(
            release,
            rollout=release.rollout if rollout is None else rollout,
            paused=release.paused if is_paused is None else is_paused,
        )

    release = change_offer(Repository(folder), keys, channel, platform, change)
    print_facts(_release_facts(release), as_json=as_json)


@command.command("refresh")
@repository_option
@days_option
@json_option
@click.pass_context
@end_refused
@key_options
def refresh(
    ctx: click.Context,
    *,
    folder: Path,
    fresh_days: int,
    keys: KeyFolder,
    as_json: bool,
) -> None:
    """Sign that nothing is stale, with the online key, and publish new roots. Run it on a schedule."""
    del ctx
    Repository(folder).refresh(keys, fresh_days=fresh_days)
    print_facts({"folder": str(folder), "freshDays": fresh_days}, as_json=as_json)


@command.command("offline")
@repository_option
@channel_option
@platform_option
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write.",
)
@json_option
@click.pass_context
@end_refused
def offline(
    ctx: click.Context, *, folder: Path, channel: str, platform: str, out: Path, as_json: bool
) -> None:
    """Write the version that a channel offers into one file, for `update apply FILE`."""
    del ctx
    release = write_offline(Repository(folder), channel, platform, out)
    print_facts({"file": str(out), **_release_facts(release)}, as_json=as_json)


@command.command("sweep")
@repository_option
@json_option
@click.pass_context
@end_refused
def sweep_folder(ctx: click.Context, *, folder: Path, as_json: bool) -> None:
    """Remove pieces that no published version needs. The last five versions stay."""
    del ctx
    removed = sweep(Repository(folder))
    if as_json:
        print_json([{"ok": True, "removed": removed}])
    else:
        click.echo(f"{counted(removed, 'piece')} removed.")


def _release_facts(release: Release) -> dict[str, object]:
    return {
        "version": release.version,
        "channel": release.channel,
        "platform": release.platform,
        "rollout": release.rollout,
        "paused": release.paused,
        "minimumVersion": release.minimum_version,
    }
