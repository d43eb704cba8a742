"""`lime-desktop providers`: where models come from. A key is read from a prompt or from standard input, never from argv."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import click
from pydantic import SecretStr, ValidationError

from lime_desktop.app_server.providers.product_presets import offered_presets
from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.cli.agents.model_settings import CONTEXT, data_dir_option, run
from lime_desktop.cli.agents.naming import provider_argument
from lime_desktop.cli.agents.provider_changes import set_command
from lime_desktop.cli.agents.provider_words import print_provider, print_test
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.output import ExitCode, json_option, print_json, print_table
from lime_desktop.protocol.calls.model_providers import (
    ConnectionTestParams,
    CreateKeyParams,
    CreateProviderParams,
    FetchModelsParams,
    ListProvidersParams,
    ModelProvider,
    ProviderModel,
    ProviderParams,
    ProviderSettings,
)
from lime_desktop.protocol.errors import AppError, InvalidInput

_PROTOCOLS = ("openai-compatible", "anthropic-compatible", "gemini-native")


@click.group("providers", cls=CommandGroup)
def command() -> None:
    """Set up model providers. `providers list --json` prints JSON.

    API keys are kept in the system's keyring, or encrypted where there is none.
    A running Lime Desktop uses the change from its next turn.
    """


@command.command("list")
@data_dir_option
@json_option
def list_command(*, data_dir: Path, as_json: bool) -> None:
    """List your providers and those known by name."""
    listed = run(data_dir, lambda service: service.list(ListProvidersParams(), CONTEXT))
    if as_json:
        print_json([listed.to_wire()])
        return
    for provider in listed.providers:
        print_provider(provider)
    if not listed.providers:
        click.echo("No providers yet. Known by name:")
        rows = [[each.preset_id, each.settings.title, each.about] for each in listed.presets]
        print_table(rows, indent=2)
        named = (each.preset_id for each in listed.presets if not each.settings.needs_key)
        example = next(named, listed.presets[0].preset_id if listed.presets else "ID")
        click.echo(f"For example: lime-desktop providers add {example}")


@command.command("add")
@provider_argument
@click.option(
    "--preset",
    type=click.Choice([each.preset_id for each in offered_presets()]),
    help="A provider known by name.  [default: the one named ID, if there is one]",
)
@click.option("--base-url", metavar="URL", help="Its address, if it is not known by name.")
@click.option("--protocol", type=click.Choice(_PROTOCOLS), default=_PROTOCOLS[0], show_default=True)
@click.option("--title", help="The name shown in Lime Desktop.  [default: ID]")
@click.option(
    "--model",
    "model_ids",
    multiple=True,
    help="A model, best first. Can be repeated.  [default: all it offers]",
)
@click.option("--without-key", is_flag=True, help="It needs no API key.")
@click.option("--key-stdin", is_flag=True, help="Read the API key from standard input.")
@click.option("--key-env", metavar="NAME", help="Read the API key from this environment variable.")
@data_dir_option
@json_option
def add_command(
    *,
    provider_id: str,
    preset: str | None,
    base_url: str | None,
    protocol: str,
    title: str | None,
    model_ids: tuple[str, ...],
    without_key: bool,
    key_stdin: bool,
    key_env: str | None,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Add a provider as ID, and get its models if none are named.

    Enter its API key on the terminal, on standard input or by the name of an environment variable. It is kept in
    the keyring, or encrypted where there is none. Exits with 0 if the provider works, and with 1 if something is missing.
    """
    stated = {
        "title": title or provider_id,
        "protocol": protocol,
        "baseUrl": base_url,
        "needsKey": not without_key,
    }
    settings = _settings(provider_id, preset, stated if base_url else None)
    if model_ids:
        models = tuple(ProviderModel(model_id=each) for each in model_ids)
        settings = settings.model_copy(update={"models": models})
    key = _key_for(settings, key_env, key_stdin=key_stdin)

    async def add(service: ProviderService) -> ModelProvider:
        params = CreateProviderParams(provider_id=provider_id, settings=settings)
        provider = (await service.create(params, CONTEXT)).provider
        if key:
            keeping = CreateKeyParams(provider_id=provider_id, key=key)
            provider = (await service.update_key(keeping, CONTEXT)).provider
        return provider if settings.models else await _with_models(service, provider)

    provider = run(data_dir, add)
    if as_json:
        print_json([provider.to_wire()])
    else:
        print_provider(provider)
    sys.exit(ExitCode.PROBLEMS if provider.obstacle else ExitCode.OK)


@command.command("key")
@provider_argument
@click.option("--key-stdin", is_flag=True, help="Read the API key from standard input.")
@data_dir_option
@json_option
def key_command(*, provider_id: str, key_stdin: bool, data_dir: Path, as_json: bool) -> None:
    """Replace the API key of a provider."""
    key = _read_key(key_stdin=key_stdin)
    if key is None:
        raise click.UsageError("Enter an API key.")
    params = CreateKeyParams(provider_id=provider_id, key=key)
    kept = run(data_dir, lambda service: service.update_key(params, CONTEXT)).provider
    if as_json:
        print_json([kept.to_wire()])
    else:
        print_provider(kept)


@command.command("test")
@provider_argument
@click.option("--model", "model_id", help="Test this model.")
@data_dir_option
@json_option
def test_command(*, provider_id: str, model_id: str | None, data_dir: Path, as_json: bool) -> None:
    """Test a provider with its API key. Exits with 0 if it works, and with 1 if not."""
    params = ConnectionTestParams(provider_id=provider_id, model_id=model_id)
    result = run(data_dir, lambda service: service.test_connection(params, CONTEXT))
    if as_json:
        print_json([result.to_wire()])
    else:
        print_test(result)
    sys.exit(ExitCode.OK if result.status == "ok" else ExitCode.PROBLEMS)


@command.command("remove")
@provider_argument
@data_dir_option
@json_option
def remove_command(*, provider_id: str, data_dir: Path, as_json: bool) -> None:
    """Remove a provider and its API key. Exits with 1 if there is none."""
    params = ProviderParams(provider_id=provider_id)
    removed = run(data_dir, lambda service: service.delete(params, CONTEXT)).was_set_up
    if as_json:
        print_json([{"providerId": provider_id, "removed": removed}])
    else:
        click.echo("Removed." if removed else "There is no provider with that name.")
    sys.exit(ExitCode.OK if removed else ExitCode.PROBLEMS)


def _settings(
    provider_id: str, preset: str | None, stated: Mapping[str, object] | None
) -> ProviderSettings:
    if stated is None:
        wanted = preset or provider_id
        found = next((each for each in offered_presets() if each.preset_id == wanted), None)
        if found is None:
            raise click.UsageError(f"{provider_id} is not known by name. Add its --base-url.")
        return found.settings
    try:
        return ProviderSettings.model_validate(stated)
    except ValidationError as error:
        raise click.UsageError(InvalidInput.from_validation(error).message) from None


def _key_for(
    settings: ProviderSettings, key_env: str | None, *, key_stdin: bool
) -> SecretStr | None:
    if not settings.needs_key:
        return None
    if key_env is None:
        return _read_key(key_stdin=key_stdin)
    value = os.environ.get(key_env, "").strip()
    if not value:
        raise click.UsageError(f"The environment holds no {key_env}.")
    return SecretStr(value)


def _read_key(*, key_stdin: bool) -> SecretStr | None:
    """The key, or None where nobody is there to give one."""
    if key_stdin:
        return SecretStr(sys.stdin.read().strip()) or None
    if not sys.stdin.isatty():
        return None
    return SecretStr(click.prompt("API key (not shown)", hide_input=True, err=True)) or None


async def _with_models(service: ProviderService, provider: ModelProvider) -> ModelProvider:
    """The provider with the models it names; without them where it cannot be asked now."""
    params = FetchModelsParams(provider_id=provider.provider_id, save=True)
    try:
        return (await service.fetch_models(params, CONTEXT)).provider
    except AppError as error:
        click.secho(
            f"The list of models could not be loaded: {error.message}", fg="yellow", err=True
        )
        return provider


command.add_command(set_command)
