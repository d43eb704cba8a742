"""``lime-desktop workspace``: the folder that is worked in, and what its files say of apps."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import click

from lime_desktop.cli.installed.center import center_options, run_step
from lime_desktop.cli.installed.organisation import print_rules, rules_document
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.command_group import CommandGroup
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.governance.workspace_rules import WorkspaceRules


@click.group(cls=CommandGroup)
def command() -> None:
    """Show, open or leave a workspace. Each command supports --json."""


@dataclass(frozen=True, slots=True)
class OpenWorkspace:
    """What the open folder says."""

    workspace: WorkspaceRules | None

    @property
    def is_in_order(self) -> bool:
        """Whether every file that governs could be read."""
        return self.workspace is None or not self.workspace.problems

    def document(self) -> object:
        """Where it lies, its rules and settings, and what is wrong with its files, as JSON."""
        found = self.workspace
        if found is None:
            return {"ok": True, "workspace": None}
        return {
            "ok": self.is_in_order,
            "workspace": {
                "workspaceId": found.workspace_id,
                "folder": str(found.folder),
                "files": sorted(found.files),
                "rules": rules_document(found.policy),
                "overlays": {app_id: dict(said) for app_id, said in found.overlays.items()},
                "problems": [
                    {"file": each.file, "kind": each.kind, "detail": each.detail}
                    for each in found.problems
                ],
            },
        }

    def show(self) -> None:
        """Print it."""
        found = self.workspace
        if found is None:
            click.echo("No workspace is open.")
            return
        output.print_fields(
            {
                "workspace": found.title,
                "folder": str(found.folder),
                "files": ", ".join(sorted(found.files)) or "none",
            }
        )
        print_rules(found.policy)
        for problem in found.problems:
            click.secho(output.printable(str(problem)), fg="red", err=True)


def _run(
    ctx: click.Context,
    data_dir: Path,
    step: Callable[[AppCenter], Awaitable[object]],
    *,
    as_json: bool,
    only_reads: bool = False,
) -> None:
    if not run_step(
        ctx, data_dir, step, _shown, as_json=as_json, only_reads=only_reads
    ).is_in_order:
        ctx.exit(output.ExitCode.PROBLEMS)


def _shown(center: AppCenter) -> OpenWorkspace:
    return OpenWorkspace(center.workspaces.current)


@command.command("show")
@center_options
def show(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """Show the open workspace and its rules."""
    _run(
        ctx,
        data_dir,
        lambda center: center.workspaces.reread(),
        as_json=as_json,
        only_reads=True,
    )


@command.command("open")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@center_options
def open_folder(ctx: click.Context, folder: Path, data_dir: Path, as_json: bool) -> None:
    """Open a folder as the workspace. Its .lime/policy.yaml and .lime/overlays.yaml apply."""
    _run(ctx, data_dir, lambda center: center.workspaces.open(folder), as_json=as_json)


@command.command("leave")
@center_options
def leave(ctx: click.Context, data_dir: Path, as_json: bool) -> None:
    """Leave the workspace."""
    _run(ctx, data_dir, lambda center: center.workspaces.leave(), as_json=as_json)
