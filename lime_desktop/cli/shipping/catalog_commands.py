"""``lime-desktop publish app``, ``withdraw`` and ``revoke``: a vendor's signed catalog of apps."""

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from lime_desktop.cli.shipping.vendor_options import (
    days_option,
    end_refused,
    key_options,
    notes_option,
    print_facts,
    read_notes,
    repository_option,
)
from lime_desktop.cli.terminal.output import json_option
from lime_desktop.shipping.catalog_texts import split_language
from lime_desktop.shipping.publishing.apps import (
    PublishedCatalog,
    publish_apps,
    revoke_app,
    withdraw_app,
)
from lime_desktop.shipping.publishing.keys import KeyFolder
from lime_desktop.shipping.publishing.repository import Repository

_End = Callable[[Repository, KeyFolder, str, str, Mapping[str, str]], PublishedCatalog]


@click.command("app")
@click.argument("packages", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@repository_option
@click.option("--name", help="The catalog's name, for people.")
@notes_option
@days_option
@json_option
@click.pass_context
@end_refused
@key_options
def app(
    ctx: click.Context,
    *,
    packages: tuple[Path, ...],
    folder: Path,
    name: str | None,
    notes: tuple[str, ...],
    fresh_days: int,
    keys: KeyFolder,
    as_json: bool,
) -> None:
    """Add apps to a signed catalog: folders of packages' files, or archives."""
    del ctx
    told = read_notes(notes) if notes else None
    folder.mkdir(parents=True, exist_ok=True)
    repository = Repository(folder)
    done = publish_apps(packages, repository, keys, name=name, notes=told, fresh_days=fresh_days)
    print_facts(_catalog_facts(done), as_json=as_json)


def _version_command(end: _End, *, name: str, about: str, is_final: bool = False) -> click.Command:
    """A command that ends a published version of an app, with the reason that its users are told."""

    @click.command(name, help=about)
    @click.argument("app_id", metavar="APP")
    @click.argument("version")
    @repository_option
    @click.option(
        "--reason",
        "reasons",
        required=True,
        multiple=True,
        metavar="[LANGUAGE=]TEXT",
        help="Why, for people. Once for each language, such as zh-CN=….",
    )
    @json_option
    @click.pass_context
    @end_refused
    @key_options
    def command(
        ctx: click.Context,
        *,
        app_id: str,
        version: str,
        folder: Path,
        reasons: tuple[str, ...],
        keys: KeyFolder,
        as_json: bool,
    ) -> None:
        del ctx
        done = end(Repository(folder), keys, app_id, version, dict(map(split_language, reasons)))
        facts = _catalog_facts(done) | ({"final": True} if is_final else {})
        print_facts(facts, as_json=as_json)

    return command


withdraw = _version_command(
    withdraw_app,
    name="withdraw",
    about="Offer a version of an app no more. Who has it keeps it, and is told why.",
)
revoke = _version_command(
    revoke_app,
    name="revoke",
    about="""Stop a version of an app wherever it was installed from this catalog. This can't be undone.

    Desktops learn it when they next read the catalog. The app no longer opens there; its data stays and can be exported.
    To only offer a version no more, use withdraw.
    """,
    is_final=True,
)
CATALOG_COMMANDS = (app, withdraw, revoke)


def _catalog_facts(done: PublishedCatalog) -> dict[str, object]:
    return {
        "apps": done.apps,
        "withdrawn": done.withdrawn,
        "revoked": done.revoked,
        "address": f"catalog.json#root={done.root}",
    }
