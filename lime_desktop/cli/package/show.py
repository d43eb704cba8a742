"""``lime-desktop show``: the effective manifest, and the file and line that each value came from."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.layers.merging import Conflict
from lime_desktop.app_package.package import AppPackage, load_package
from lime_desktop.app_package.text.app_md import Section
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, Origin, key_path, walk
from lime_desktop.cli.package.show_workflow import show_workflows
from lime_desktop.cli.terminal import output

_LONGEST_VALUE = 80


@click.command()
@output.packages_argument
@click.option(
    "--workflow",
    "workflow_key",
    is_flag=False,
    flag_value="",
    metavar="[KEY]",
    help="Draw the workflows instead, or the one with this key: states, ways and what is wrong.",
)
@output.json_option
@click.pass_context
def command(
    ctx: click.Context, packages: tuple[Path, ...], workflow_key: str | None, as_json: bool
) -> None:
    """Print the manifest: every value after merging, where it was written and what it replaced."""
    loaded = [(path, load_package(open_package(path))) for path in packages]
    if workflow_key is not None:
        show_workflows(loaded, workflow_key, as_json=as_json)
    elif as_json:
        output.print_json([_as_object(path, package) for path, package in loaded])
    else:
        for path, package in loaded:
            _print_package(path, package)
        found = (problem.severity for _, package in loaded for problem in package.problems)
        output.print_summary(found, packages=len(loaded))
    is_valid = all(package.is_valid for _, package in loaded)
    ctx.exit(output.ExitCode.OK if is_valid else output.ExitCode.PROBLEMS)


def _as_object(path: Path, package: AppPackage) -> dict[str, object]:
    return {
        "ok": package.is_valid,
        "path": str(path),
        "name": package.name,
        "effective": package.effective,
        "origins": {at: origin._asdict() for at, origin in package.origins.items()},
        "conflicts": [_conflict_object(conflict) for conflict in package.conflicts],
        "sections": {key: _section_object(each) for key, each in package.sections.items()},
        "workflows": [
            {"key": each.key, "path": each.path, "form": each.form} for each in package.workflows
        ],
        "skills": [skill._asdict() for skill in package.skills],
        "problems": [each.model_dump(mode="json", by_alias=True) for each in package.problems],
    }


def _section_object(section: Section) -> dict[str, object]:
    checklist = [
        {"text": item.text, "isChecked": item.is_checked, "line": item.line}
        for item in section.checklist
    ]
    return {
        "title": section.title,
        "line": section.line,
        "text": section.text,
        "checklist": checklist,
    }


def _conflict_object(conflict: Conflict) -> dict[str, object]:
    return {
        "keyPath": conflict.key_path,
        "kept": conflict.kept._asdict(),
        "dropped": conflict.dropped._asdict(),
        "droppedValue": conflict.dropped_value,
    }


def _print_package(path: Path, package: AppPackage) -> None:
    title = f"{package.manifest.title} {package.manifest.version}"
    click.secho(output.printable(title), bold=True)
    click.echo(output.printable(str(path)))
    output.print_table([*_value_rows(package)] or [["(nothing to show)"]], indent=2)
    for conflict in package.conflicts:
        click.secho(f"  {output.printable(_told(conflict))}", fg="yellow")
    if package.sections:
        click.secho("  Guide", bold=True)
        rows = [[key, each.title, f"APP.md:{each.line}"] for key, each in package.sections.items()]
        output.print_table(rows, indent=4)
    output.print_problems(package.problems)


def _value_rows(package: AppPackage) -> Iterator[list[str]]:
    for path, value, origin in walk(package.effective):
        if not (isinstance(value, LocatedMap | LocatedList) and value):
            yield [key_path(path), _shown(value), _place(origin)]


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _place(origin: Origin) -> str:
    return f"{origin.file}:{origin.line}"


def _told(conflict: Conflict) -> str:
    kept, dropped = _place(conflict.kept), _place(conflict.dropped)
    return f"{conflict.key_path}: {kept} wins over {dropped}, which says {_shown(conflict.dropped_value)}"
