"""The rules of whoever governs apps, an organization or a workspace, as these commands show them."""

import click

from lime_desktop.cli.terminal import output
from lime_desktop.policy.policy_file import PolicyFile


def rules_document(policy: PolicyFile) -> list[dict[str, str]]:
    """Each rule as JSON."""
    return [
        {"id": rule.ref.id, "effect": rule.effect, "text": rule.ref.text} for rule in policy.rules
    ]


def print_rules(policy: PolicyFile) -> None:
    """Print each rule on a line: what it does, and in whose words."""
    for rule in policy.rules:
        click.echo(f"{rule.effect}: {output.printable(rule.ref.text)}")
