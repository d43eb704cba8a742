"""`lime-desktop models`: the weights of the embedded engine on this machine, and which model of all answers."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

import click

from lime_desktop.app_server.models import catalogue
from lime_desktop.app_server.models.catalogue import known_model
from lime_desktop.app_server.models.installation import Progress, install_file, install_known
from lime_desktop.app_server.models.listing import describe_installed, engine_problem, list_models
from lime_desktop.app_server.models.store import InstalledModel, ModelStore, default_folder
from lime_desktop.cli.agents.model_settings import data_dir_option
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.cli.terminal.failures import print_failure
from lime_desktop.cli.terminal.output import ExitCode, json_option, print_json, print_table
from lime_desktop.host.models.choosing import EnvironmentKey, keys_in
from lime_desktop.protocol.calls.local_models import LocalModel
from lime_desktop.protocol.calls.model_providers import FindServersResult
from lime_desktop.protocol.calls.models import (
    ListModelsParams,
    ListModelsResult,
    ModelChoice,
    ModelDescription,
    PreferModelParams,
)
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.wire import HostOnlyParams


@click.group("models", cls=CommandGroup)
def command() -> None:
    """List, install and remove models on this computer. `models list --json` prints JSON.

    They run agent tasks without a network.
    `models prefer` chooses the model or agent for tasks that name none.
    """


@command.command("list")
@json_option
def list_command(*, as_json: bool) -> None:
    """List installed models and models that can be installed."""
    store = ModelStore(default_folder())
    models = list_models(store)
    if as_json:
        print_json(
            [
                {
                    "folder": str(store.folder),
                    "models": [model.to_wire() for model in models],
                    "engineProblem": engine_problem(),
                }
            ]
        )
        return
    for model in models:
        _print_model(model)
    if problem := engine_problem():
        click.secho(problem, fg="yellow")


@command.command("install")
@click.argument("model", metavar="NAME|FILE")
@json_option
@click.pass_context
def install_command(ctx: click.Context, *, model: str, as_json: bool) -> None:
    """Install a known model by NAME, or a GGUF FILE of your own.

    You can stop and run the same command again to continue. Exits with 0 if the model is installed, with 1 if it
    could not be installed, and with 2 if there is no model or file with that name.
    """
    store = ModelStore(default_folder())
    known = known_model(model)
    if known is None and not Path(model).is_file():
        names = ", ".join(each.model_id for each in catalogue.KNOWN_MODELS)
        raise click.UsageError(f"There is no such model or file. Known models: {names}", ctx)
    tell = _JsonLines() if as_json else _ProgressLine(known.title if known else Path(model).name)
    install = install_known(store, known, tell) if known else install_file(store, Path(model), tell)
    installed = _run(ctx, install, tell.clear)
    if as_json:
        shown = describe_installed(installed, is_default=store.installed()[0] == installed)
        click.echo(json.dumps({"model": shown.to_wire(), "path": str(installed.path)}))
    else:
        click.secho(f"{installed.record.title} is installed.", fg="green", bold=True)


@command.command("remove")
@click.argument("model", metavar="NAME")
@json_option
@click.pass_context
def remove_command(ctx: click.Context, *, model: str, as_json: bool) -> None:
    """Remove a model, or a partial download.

    Exits with 0 if it was removed, and with 1 if there was nothing to remove.
    """
    was_there = ModelStore(default_folder()).remove(model)
    if as_json:
        print_json([{"modelId": model, "removed": was_there}])
    else:
        click.echo("Removed." if was_there else "There is no model with that name.")
    ctx.exit(ExitCode.OK if was_there else ExitCode.PROBLEMS)


@command.command("prefer")
@click.argument("model", metavar="[PROVIDER/MODEL]", required=False)
@click.option("--none", "is_free", is_flag=True, help="Prefer none: use the first available model.")
@data_dir_option
@json_option
@click.pass_context
def prefer_command(
    ctx: click.Context, *, model: str | None, is_free: bool, data_dir: Path, as_json: bool
) -> None:
    """Choose the model for tasks that name none. Without a name, list the choices.

    Exits with 0 if it is available, with 1 if it is not, and with 2 if there is no model with
    that name.
    """
    if model and is_free:
        raise click.UsageError("Use a model name or --none, not both.", ctx)
    found = _preferring(ctx, data_dir, model, is_free=is_free)
    if as_json:
        print_json([found.to_wire()])
    else:
        _print_choice(found)
    choice = found.preferred_model
    is_met = choice is None or (found.default_model and choice.means(found.default_model))
    ctx.exit(ExitCode.OK if is_met else ExitCode.PROBLEMS)


@command.command("find")
@data_dir_option
@json_option
def find_command(*, data_dir: Path, as_json: bool) -> None:
    """Look for model servers on this computer, and for keys in the environment.

    Only the usual places on this computer are asked. Of a key its name is shown, never its value, and nothing is
    used: `providers add` sets one up. Ends with 0 if there is anything, and with 1 if there is nothing.
    """
    from lime_desktop.cli.agents.model_settings import CONTEXT, run  # noqa: PLC0415 - as below

    found = run(data_dir, lambda service: service.find_servers(HostOnlyParams(), CONTEXT))
    keys = keys_in(os.environ)
    if as_json:
        named = [{"variable": each.variable, "presetId": each.preset_id} for each in keys]
        print_json([{**found.to_wire(), "environmentKeys": named}])
    else:
        _print_found(found, keys)
    sys.exit(ExitCode.OK if found.servers or keys else ExitCode.PROBLEMS)


def _print_found(found: FindServersResult, keys: Sequence[EnvironmentKey]) -> None:
    for server in found.servers:
        models = ", ".join(server.model_ids[:3]) or "no model yet"
        click.secho(server.title, bold=True, nl=False)
        click.echo(f"  {server.base_url}  {models}")
        if not server.is_set_up:
            click.echo(f"    lime-desktop providers add {server.preset_id}")
    for key in keys:
        click.secho(key.variable, bold=True, nl=False)
        click.echo(f"  a key for {key.preset_id}")
        click.echo(f"    lime-desktop providers add {key.preset_id} --key-env {key.variable}")
    if not found.servers and not keys:
        click.echo("No model server runs on this computer, and the environment holds no key.")


def _preferring(
    ctx: click.Context, data_dir: Path, model: str | None, *, is_free: bool
) -> ListModelsResult:
    # Loaded here: the other commands of this group need no engine.
    from lime_desktop.cli.agents.model_settings import CONTEXT, run  # noqa: PLC0415

    found = run(data_dir, lambda service: service.list_models(ListModelsParams(), CONTEXT))
    if model is None and not is_free:
        return found
    chosen = next((each for each in found.models if _name(each) == model), None)
    if chosen is None and not is_free:
        raise click.UsageError(f"{model} is not a known model. `models prefer` lists them.", ctx)
    choice = chosen and ModelChoice(provider_id=chosen.provider_id, model_id=chosen.model_id)
    params = PreferModelParams(model=choice)
    return run(data_dir, lambda service: service.prefer_model(params, CONTEXT))


def _run(
    ctx: click.Context, install: Coroutine[None, None, InstalledModel], clear: Callable[[], None]
) -> InstalledModel:
    try:
        return asyncio.run(install)
    except AppError as error:
        clear()
        print_failure(error)
        ctx.exit(ExitCode.PROBLEMS)
    except KeyboardInterrupt:
        clear()
        click.echo("Stopped. Run the same command to continue.", err=True)
        ctx.exit(ExitCode.PROBLEMS)


class _ProgressLine:
    """One line, rewritten in place on a terminal; a line for each tenth elsewhere."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._is_live = sys.stdout.isatty()
        self._told = ""

    def __call__(self, progress: Progress) -> None:
        share = progress.done_bytes / progress.total_bytes if progress.total_bytes else 1.0
        percent = int(share * 100) if self._is_live else int(share * 10) * 10
        verb = "Fetching" if progress.phase == "fetching" else "Checking"
        size = f"{progress.total_bytes / 1e6:,.0f} MB"
        line = f"{verb} {self._title}: {percent:3} % of {size}"
        if line != self._told:
            self._told = line
            click.echo(f"\r{line}" if self._is_live else line, nl=not self._is_live)
            sys.stdout.flush()

    def clear(self) -> None:
        if self._is_live and self._told:
            click.echo()


class _JsonLines:
    """One object a line, the last of which names the model."""

    def __init__(self) -> None:
        self._percent = -1

    def __call__(self, progress: Progress) -> None:
        percent = int(progress.done_bytes * 100 / max(1, progress.total_bytes))
        if percent != self._percent:
            self._percent = percent
            told = {
                "phase": progress.phase,
                "doneBytes": progress.done_bytes,
                "totalBytes": progress.total_bytes,
            }
            click.echo(json.dumps({"progress": told}))
            sys.stdout.flush()

    def clear(self) -> None:
        """Lines need no tidying."""


def _print_model(model: LocalModel) -> None:
    state = {"installed": "installed", "paused": "partly downloaded"}.get(
        model.state, "not installed"
    )
    note = "  (default)" if model.is_default else ""
    if model.quality == "demo":
        note = "  (demo: not used unless you choose it)"
    click.secho(f"{model.model_id}", bold=True, nl=False)
    click.echo(f"  {state}{note}")
    rows = [["", model.title, f"{model.size_bytes / 1e6:,.0f} MB", model.license or ""]]
    print_table(rows, indent=2)
    click.secho(f"    {model.about}", dim=True)


def _print_choice(found: ListModelsResult) -> None:
    choice, default = found.preferred_model, found.default_model
    rows = [
        [
            _mark(each, found),
            _name(each),
            each.title,
            each.obstacle.message if each.obstacle else "demo" if each.quality == "demo" else "",
        ]
        for each in found.models
    ]
    print_table(rows)
    if choice is None:
        click.echo("No preferred model. The first available model is used.")
    elif default is None or not choice.means(default):
        used = _name(default) if default else "nothing"
        named = f"{choice.provider_id}/{choice.model_id}"
        click.secho(f"{named} is not available. {used} is used instead.", fg="yellow")


def _mark(model: ModelDescription, found: ListModelsResult) -> str:
    if found.preferred_model and found.preferred_model.means(model):
        return "preferred"
    return "used" if model == found.default_model else ""


def _name(model: ModelDescription) -> str:
    return f"{model.provider_id}/{model.model_id}"
