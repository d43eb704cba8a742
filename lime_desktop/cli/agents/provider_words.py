"""Providers as `lime-desktop providers` shows them to people."""

import click

from lime_desktop.cli.terminal.output import print_table, printable
from lime_desktop.protocol.calls.model_providers import (
    ConnectionTestResult,
    ModelProvider,
    ProviderSettings,
)
from lime_desktop.protocol.task_events import Cost


def print_provider(provider: ModelProvider) -> None:
    """What is set of it, and what is in its way."""
    settings = provider.settings
    click.secho(provider.provider_id, bold=True, nl=False)
    click.echo(f"  {printable(settings.title)}, {printable(settings.base_url)}")
    place = {"keyring": "in the keyring", "sealed-file": "in an encrypted file"}
    key = place[provider.key_place] if provider.key_place else "none"
    models = ", ".join(model.model_id for model in settings.models[:5]) or "none"
    more = len(settings.models) - 5
    rows = [
        ["key", key],
        ["models", models + (f" and {more} more" if more > 0 else "")],
        ["this month", f"{provider.month.requests} requests, {provider.month.cost.amount:.2f} USD"],
        *([name, said] for name, said in _set(settings).items() if said),
    ]
    print_table(rows, indent=2)
    if obstacle := provider.obstacle:
        click.secho(f"  {obstacle.message} {obstacle.setup_action}.", fg="yellow")


def _set(settings: ProviderSettings) -> dict[str, str]:
    """What was set beside the usual."""
    limits, network = settings.limits, settings.network
    usual = ProviderSettings.model_fields["rank"].default
    return {
        "order": "" if settings.rank == usual else str(settings.rank),
        "monthly limit": _amount(limits.monthly_cost),
        "task limit": _amount(limits.task_cost),
        "per minute": str(limits.requests_per_minute or ""),
        "proxy": network.proxy_url or "",
        "certificates": network.ca_file or "",
    }


def _amount(cost: Cost | None) -> str:
    return f"{cost.amount:g} {cost.currency}" if cost else ""


def print_test(result: ConnectionTestResult) -> None:
    """What came of a test."""
    colour = "green" if result.status == "ok" else "red"
    click.secho(f"{printable(result.message)} ({result.latency_ms} ms)", fg=colour)
    if result.setup_action:
        click.echo(result.setup_action)
