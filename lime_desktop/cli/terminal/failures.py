"""How an expected failure reads in a terminal, where the one who reads it also typed the command."""

import click

from lime_desktop.cli.terminal.output import print_json, printable
from lime_desktop.protocol.errors import (
    AppError,
    ApprovalRequired,
    Conflict,
    DatabaseBusy,
    DatabaseDamaged,
    InvalidInput,
    LifecycleHookFailed,
    WorkflowInvalidState,
    WorkflowNotFound,
    WorkflowRunNotFound,
)

_REMEDIES: dict[type[AppError], str] = {
    # The catalogue speaks to people in a window: there an app gave the input, and a question is open.
    InvalidInput: "Correct the input and run the command again",
    ApprovalRequired: "Run the command again with the option that approves it",
    Conflict: "See what is there now, and run the command again with another name or choice",
    DatabaseBusy: "Do it in its window, or close Lime Desktop and run the command again",
    LifecycleHookFailed: "Correct what it says, and run: lime-desktop enable",
    WorkflowInvalidState: "See how the run stands: lime-desktop workflow show",
    WorkflowNotFound: "See what the app has: lime-desktop show PACKAGE --workflow",
    WorkflowRunNotFound: "See which runs there are: lime-desktop workflow list",
    DatabaseDamaged: "Restore a backup: lime-desktop restore",
}


def remedy(error: AppError) -> str:
    """What a person at a terminal can do about it."""
    return _REMEDIES.get(type(error), error.user_action)


def print_failure(error: AppError, *, as_json: bool = False) -> None:
    """Say what happened, why, and what can be done; to programs on standard output, to people beside it."""
    if as_json:
        print_json([{"ok": False, **error.to_data(), "userAction": remedy(error)}])
        return
    click.secho(f"{error.code}: {printable(error.message)}", fg="red", err=True)
    reason = error.details.get("reason")
    for line in (reason, remedy(error), error.trace_id and f"Trace id: {error.trace_id}"):
        if isinstance(line, str) and line:
            click.echo(printable(line), err=True)
