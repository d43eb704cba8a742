"""`lime-desktop providers set`: limits, order, the way to a provider, on and off. What is not named stays."""

from collections.abc import Mapping
from pathlib import Path

import click

from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.cli.agents.model_settings import CONTEXT, data_dir_option, run
from lime_desktop.cli.agents.naming import provider_argument
from lime_desktop.cli.agents.provider_words import print_provider
from lime_desktop.cli.terminal.output import json_option, print_json
from lime_desktop.host.models import provider_changes as changing
from lime_desktop.protocol.calls.model_providers import (
    ModelProvider,
    ProviderSettings,
)
from lime_desktop.protocol.errors import InvalidInput

_NONE = "none"
_FIELDS = {
    "--title": "title",
    "--base-url": "baseUrl",
    "--on": "isEnabled",
    "--order": changing.ORDER,
    "--monthly-limit": changing.MONTHLY_COST,
    "--task-limit": changing.TASK_COST,
    "--requests-per-minute": changing.PER_MINUTE,
    "--proxy": changing.PROXY,
    "--ca-file": changing.CA_FILE,
}
"""Which option changes what."""


@click.command("set")
@provider_argument
@click.option("--title", help="The name shown in Lime Desktop.")
@click.option("--base-url", metavar="URL", help="Its address. This removes its API key.")
@click.option("--on/--off", default=None, help="Enable or disable it.")
@click.option(
    "--order",
    type=click.IntRange(0, 500),
    help="The provider with the lowest number is used first. [default: 100]",
)
@click.option("--first-model", metavar="MODEL", help="The model for tasks that name none.")
@click.option("--monthly-limit", metavar="USD|none", help="The monthly limit.")
@click.option("--task-limit", metavar="USD|none", help="The limit per task.")
@click.option("--requests-per-minute", metavar="N|none", help="The limit of requests.")
@click.option("--proxy", metavar="URL|none", help="The proxy.")
@click.option("--ca-file", metavar="FILE|none", help="A file of additional certificates to trust.")
@data_dir_option
@json_option
def set_command(
    *,
    provider_id: str,
    first_model: str | None,
    ca_file: str | None,
    data_dir: Path,
    as_json: bool,
    **given: str | int | None,
) -> None:
    """Change the settings of provider ID. `none` removes a value.

    Exits with 0 if saved, with 1 if there is no such provider, and with 2 if a value is not valid.
    """
    named = {"ca_file": ca_file and _file(ca_file), **given}
    changes = {
        _FIELDS[f"--{name.replace('_', '-')}"]: None if value == _NONE else value
        for name, value in named.items()
        if value is not None
    }
    if not changes and first_model is None:
        raise click.UsageError("Name at least one setting to change.")

    def changed(settings: ProviderSettings) -> ProviderSettings:
        after = _changed(settings, changes)
        return after if first_model is None else changing.with_first_model(after, first_model)

    async def change(service: ProviderService) -> ModelProvider:
        return (await service.change(provider_id, changed, CONTEXT)).provider

    provider = run(data_dir, change)
    if as_json:
        print_json([provider.to_wire()])
    else:
        print_provider(provider)


def _changed(
    settings: ProviderSettings, changes: Mapping[str, str | int | None]
) -> ProviderSettings:
    try:
        return changing.changed(settings, changes)
    except InvalidInput as error:
        wrong = changing.wrong_fields(error, changes)
        options = [option for option, path in _FIELDS.items() if path in wrong]
        raise click.UsageError(f"These values are not valid: {', '.join(options)}.") from None


def _file(name: str) -> str:
    """The whole path: the App Server works in another folder."""
    path = Path(name).expanduser().resolve()
    if name != _NONE and not path.is_file():
        raise click.UsageError(f"There is no file {name}.")
    return name if name == _NONE else str(path)
