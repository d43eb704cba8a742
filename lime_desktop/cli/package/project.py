"""``lime-desktop project``: what a package would add to this host."""

from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.cli.terminal import output
from lime_desktop.projection.document import to_document
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project


@click.command()
@output.packages_argument
@output.json_option
@click.pass_context
def command(ctx: click.Context, packages: tuple[Path, ...], as_json: bool) -> None:
    """Show what packages add: entries, permissions, storage and more. Runs nothing."""
    projections = [project(load_package(open_package(path)), THIS_HOST) for path in packages]
    if as_json:
        output.print_json([to_document(each) for each in projections])
    else:
        for each in projections:
            _print_projection(each)
        found = (problem.severity for each in projections for problem in each.problems)
        output.print_summary(found, packages=len(projections))
    is_fine = all(each.is_valid for each in projections)
    ctx.exit(output.ExitCode.OK if is_fine else output.ExitCode.PROBLEMS)


def _print_projection(projection: Projection) -> None:
    manifest = projection.manifest
    click.secho(output.printable(f"{manifest.title} {manifest.version}"), bold=True)
    output.print_fields(_summary(projection), indent=2)
    for title, rows in _tables(projection).items():
        if rows:
            click.secho(f"  {title}", bold=True)
            output.print_table(rows, indent=4)
    output.print_problems(projection.problems)
    click.echo()


def _summary(projection: Projection) -> dict[str, str]:
    manifest, source = projection.manifest, projection.provenance
    return {
        "name": manifest.name,
        "status": f"{manifest.status}, {manifest.app_type}",
        "standard": f"agentapp {source.standard_version}",
        "package": source.package_hash,
        "manifest": source.manifest_hash,
        "opens with": projection.default_entry or "(no entry with a view)",
    }


def _tables(projection: Projection) -> dict[str, list[tuple[str, ...]]]:
    manifest = projection.manifest
    return {
        "Entries": [
            (each.key, each.declared.kind, each.route or "", each.declared.title)
            for each in projection.entries
        ],
        "Capabilities": [
            (each.name, each.range, "required" if each.is_required else "optional", each.fit)
            for each in projection.capabilities
        ],
        "Approvals": [
            (each.moment, each.kind, each.key, each.subject) for each in projection.prompts
        ],
        "Knowledge": [(each.key, each.type) for each in manifest.knowledge_templates],
        "Tools": [(each.key, each.provider) for each in manifest.tool_refs],
        "Artifacts": [(each.key, each.viewer or "") for each in manifest.artifact_types],
        "Secrets": [(each.key, each.scope or "") for each in manifest.secrets],
        "Services": [(each.key, each.kind, each.protocol or "") for each in manifest.services],
        "Workflows": [(each.key, each.path or "") for each in manifest.workflows],
        "Connections": [(each.key, each.provider, each.role) for each in manifest.integrations],
        "Migrations": [
            (each.id, "reversible" if each.is_reversible else "not reversible", each.path)
            for each in projection.migrations
        ],
    }
