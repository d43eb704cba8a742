"""`lime-desktop providers`: where models come from. A key is read from a prompt or from standard input, never from argv."""

import asyncio
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import click
from pydantic import SecretStr, ValidationError

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.providers.offers import offered_models
from lime_desktop.app_server.providers.presets import PRESETS
from lime_desktop.app_server.providers.service import ProviderService
from lime_desktop.app_server.providers.store import open_provider_store
from lime_desktop.app_server.secrets.keyring_place import find_keyring
from lime_desktop.app_server.secrets.store import open_secret_store
from lime_desktop.cli.output import ExitCode, json_option, print_json, print_table
from lime_desktop.host.places import app_server_folder, user_data_folder
from lime_desktop.protocol.calls.model_providers import (
    ConnectionTestParams,
    ConnectionTestResult,
    CreateKeyParams,
    CreateProviderParams,
    FetchModelsParams,
    ListProvidersParams,
    ModelProvider,
    ProviderModel,
    ProviderParams,
    ProviderSettings,
)
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.errors import AppError, InvalidInput
from lime_desktop.protocol.ids import TraceId

T = TypeVar("T")
Work = Callable[[ProviderService], Awaitable[T]]

_CONTEXT = CallContext(trace_id=TraceId("cli"), client_name="lime-desktop providers")
_PROTOCOLS = ("openai-compatible", "anthropic-compatible", "gemini-native")

data_dir_option = click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    envvar="APP_SERVER_DATA_DIR",
    default=lambda: app_server_folder(user_data_folder()),
    help="The App Server's folder.  [default: the desktop's own]",
)


@click.group("providers")
def command() -> None:
    """Set up where models come from; `providers list --json` answers programs.

    Keys go to the system's keyring.
    Works beside a running window: it sees the change with its next turn.
    """


@command.command("list")
@data_dir_option
@json_option
def list_command(*, data_dir: Path, as_json: bool) -> None:
    """Show the providers that are set up, and those that are known by name."""
    listed = _run(data_dir, lambda service: service.list(ListProvidersParams(), _CONTEXT))
    if as_json:
        print_json([listed.to_wire()])
        return
    for provider in listed.providers:
        _print_provider(provider)
    if not listed.providers:
        click.echo("No provider is set up. Known by name:")
        rows = [[each.preset_id, each.settings.title, each.about] for each in listed.presets]
        print_table(rows, indent=2)
        click.echo("For example: lime-desktop providers add ollama")


@command.command("add")
@click.argument("provider_id", metavar="ID")
@click.option(
    "--preset",
    type=click.Choice([each.preset_id for each in PRESETS]),
    help="A provider that is known by name.  [default: the one named ID, if there is one]",
)
@click.option("--base-url", metavar="URL", help="Where it is reached, if it is not known by name.")
@click.option("--protocol", type=click.Choice(_PROTOCOLS), default=_PROTOCOLS[0], show_default=True)
@click.option("--title", help="What to call it.  [default: ID]")
@click.option(
    "--model",
    "model_ids",
    multiple=True,
    help="A model of it, best first; may be repeated.  [default: all it names]",
)
@click.option("--without-key", is_flag=True, help="It needs none.")
@click.option("--key-stdin", is_flag=True, help="Read the key from standard input, to its end.")
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
    data_dir: Path,
    as_json: bool,
) -> None:
    """Set a provider up under ID, and ask it for its models where none are named.

    Its key is asked for on the terminal, or read from standard input; it goes to the keyring. Ends with 0 if the
    provider can be used, and with 1 if something is still missing.
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
    key = _read_key(key_stdin=key_stdin) if settings.needs_key else None

    async def add(service: ProviderService) -> ModelProvider:
        params = CreateProviderParams(provider_id=provider_id, settings=settings)
        provider = (await service.create(params, _CONTEXT)).provider
        if key:
            keeping = CreateKeyParams(provider_id=provider_id, key=key)
            provider = (await service.create_key(keeping, _CONTEXT)).provider
        return provider if model_ids else await _with_models(service, provider)

    provider = _run(data_dir, add)
    if as_json:
        print_json([provider.to_wire()])
    else:
        _print_provider(provider)
    sys.exit(ExitCode.PROBLEMS if provider.obstacle else ExitCode.OK)


@command.command("key")
@click.argument("provider_id", metavar="ID")
@click.option("--key-stdin", is_flag=True, help="Read the key from standard input, to its end.")
@data_dir_option
@json_option
def key_command(*, provider_id: str, key_stdin: bool, data_dir: Path, as_json: bool) -> None:
    """Give a provider another key; the earlier one is forgotten."""
    key = _read_key(key_stdin=key_stdin)
    if key is None:
        raise click.UsageError("No key was given.")
    params = CreateKeyParams(provider_id=provider_id, key=key)
    kept = _run(data_dir, lambda service: service.update_key(params, _CONTEXT)).provider
    if as_json:
        print_json([kept.to_wire()])
    else:
        _print_provider(kept)


@command.command("test")
@click.argument("provider_id", metavar="ID")
@click.option("--model", "model_id", help="Whether it knows this model.")
@data_dir_option
@json_option
def test_command(*, provider_id: str, model_id: str | None, data_dir: Path, as_json: bool) -> None:
    """Reach a provider with its key. Ends with 0 if that works, and with 1 if not."""
    params = ConnectionTestParams(provider_id=provider_id, model_id=model_id)
    result = _run(data_dir, lambda service: service.test_connection(params, _CONTEXT))
    if as_json:
        print_json([result.to_wire()])
    else:
        _print_test(result)
    sys.exit(ExitCode.OK if result.status == "ok" else ExitCode.PROBLEMS)


@command.command("remove")
@click.argument("provider_id", metavar="ID")
@data_dir_option
@json_option
def remove_command(*, provider_id: str, data_dir: Path, as_json: bool) -> None:
    """Forget a provider and its key. Ends with 1 if there was none."""
    params = ProviderParams(provider_id=provider_id)
    removed = _run(data_dir, lambda service: service.delete(params, _CONTEXT)).was_set_up
    if as_json:
        print_json([{"providerId": provider_id, "removed": removed}])
    else:
        click.echo("Removed." if removed else "No provider of that name is set up.")
    sys.exit(ExitCode.OK if removed else ExitCode.PROBLEMS)


def _settings(
    provider_id: str, preset: str | None, stated: Mapping[str, object] | None
) -> ProviderSettings:
    if stated is None:
        wanted = preset or provider_id
        found = next((each for each in PRESETS if each.preset_id == wanted), None)
        if found is None:
            raise click.UsageError(f"{provider_id} is not known by name: give its --base-url.")
        return found.settings
    try:
        return ProviderSettings.model_validate(stated)
    except ValidationError as error:
        raise click.UsageError(InvalidInput.from_validation(error).message) from None


def _read_key(*, key_stdin: bool) -> SecretStr | None:
    """The key, or None where nobody is there to give one."""
    if key_stdin:
        return SecretStr(sys.stdin.read().strip()) or None
    if not sys.stdin.isatty():
        return None
    return SecretStr(click.prompt("Key (not shown)", hide_input=True, err=True)) or None


async def _with_models(service: ProviderService, provider: ModelProvider) -> ModelProvider:
    """The provider with the models it names; without them where it cannot be asked now."""
    params = FetchModelsParams(provider_id=provider.provider_id, save=True)
    try:
        return (await service.fetch_models(params, _CONTEXT)).provider
    except AppError as error:
        click.secho(f"Its models could not be fetched: {error.message}", fg="yellow", err=True)
        return provider


def _run(data_dir: Path, work: Work[T]) -> T:
    async def whole() -> T:
        async with _opened(data_dir) as service:
            return await work(service)

    try:
        return asyncio.run(whole())
    except AppError as error:
        click.echo(f"{error.code}: {error.message}", err=True)
        sys.exit(ExitCode.PROBLEMS)


@asynccontextmanager
async def _opened(data_dir: Path) -> AsyncGenerator[ProviderService]:
    secrets = open_secret_store(data_dir, find_keyring)
    store = open_provider_store(data_dir, secrets)

    async def offers() -> tuple[ModelDescription, ...]:
        return tuple(
            model for each in await store.list() for model in offered_models(each, "model")
        )

    try:
        yield ProviderService(store, offers)
    finally:
        store.close()
        secrets.close()


def _print_provider(provider: ModelProvider) -> None:
    settings = provider.settings
    click.secho(provider.provider_id, bold=True, nl=False)
    click.echo(f"  {settings.title}, {settings.base_url}")
    place = {"keyring": "in the keyring", "sealed-file": "in a sealed file"}
    key = place[provider.key_place] if provider.key_place else "none"
    models = ", ".join(model.model_id for model in settings.models[:5]) or "none"
    more = len(settings.models) - 5
    rows = [
        ["key", key],
        ["models", models + (f" and {more} more" if more > 0 else "")],
        ["this month", f"{provider.month.requests} requests, {provider.month.cost.amount:.2f} USD"],
    ]
    print_table(rows, indent=2)
    if obstacle := provider.obstacle:
        click.secho(f"  {obstacle.message} {obstacle.setup_action}.", fg="yellow")


def _print_test(result: ConnectionTestResult) -> None:
    colour = "green" if result.status == "ok" else "red"
    click.secho(f"{result.message} ({result.latency_ms} ms)", fg=colour)
    if result.setup_action:
        click.echo(result.setup_action)
