"""``lime-desktop show PACKAGE --workflow``: the state machine as a drawing, and what keeps it from being executable."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_package.workflow_files import WorkflowFile
from lime_desktop.cli.terminal import output
from lime_desktop.spelling import did_you_mean
from lime_desktop.workflow_model.drawing import Picture, PlacedState, PlacedWay, draw
from lime_desktop.workflow_model.flaws import Flaw

_WIDTH = 78


def show_workflows(loaded: Sequence[tuple[Path, AppPackage]], key: str, *, as_json: bool) -> None:
    """Print the workflows of some packages; all of them where no key is given."""
    chosen = [(path, package, _chosen(package, key)) for path, package in loaded]
    if key and not any(found for _, _, found in chosen):
        known = sorted({each.key for _, package in loaded for each in package.workflows})
        told = f" There are: {', '.join(known)}." if known else " There is none."
        message = f"No workflow has the key {key[:64]!r}.{did_you_mean(key, known)}{told}"
        raise click.UsageError(output.printable(message))
    if as_json:
        output.print_json([_as_object(*each) for each in chosen])
        return
    for path, package, found in chosen:
        click.secho(
            output.printable(f"{package.manifest.title} {package.manifest.version}"), bold=True
        )
        click.echo(output.printable(str(path)))
        for workflow in found:
            _print_workflow(workflow)
        if not found:
            click.echo("  It has no workflow.")


def _chosen(package: AppPackage, key: str) -> list[WorkflowFile]:
    return [each for each in package.workflows if not key or each.key == key]


def _as_object(path: Path, package: AppPackage, found: list[WorkflowFile]) -> dict[str, object]:
    return {
        "ok": package.is_valid,
        "path": str(path),
        "name": package.name,
        "workflows": [_workflow_object(each) for each in found],
    }


def _workflow_object(workflow: WorkflowFile) -> dict[str, object]:
    described = workflow.described
    picture = draw(described.outline)
    return {
        "key": workflow.key,
        "path": workflow.path,
        "form": workflow.form,
        "isExecutable": described.definition is not None,
        "first": described.outline.first,
        "states": [_state_object(each) for each in picture.states],
        "transitions": [_way_object(each) for each in picture.ways],
        "flaws": [_flaw_object(workflow, each) for each in described.flaws],
    }


def _state_object(placed: PlacedState) -> dict[str, object]:
    return {
        "key": placed.state.key,
        "kind": placed.state.kind,
        "title": placed.state.title,
        "rank": placed.rank,
        "lane": placed.lane,
        "isReached": placed.is_reached,
    }


def _way_object(placed: PlacedWay) -> dict[str, object]:
    return {
        "from": placed.way.source,
        "to": placed.way.target,
        "kind": placed.way.kind,
        "when": placed.way.when or None,
        "isBack": placed.is_back,
        "isLost": placed.is_lost,
    }


def _flaw_object(workflow: WorkflowFile, flaw: Flaw) -> dict[str, object]:
    origin = workflow.origin_of(flaw.path)
    return {
        "kind": flaw.kind.value,
        "message": flaw.message,
        "state": flaw.state_key,
        "preventsRunning": flaw.prevents_running,
        "file": origin.file if origin else workflow.path,
        "line": origin.line if origin else None,
    }


def _print_workflow(workflow: WorkflowFile) -> None:
    described = workflow.described
    place = f"  ({workflow.path})" if workflow.path else ""
    click.echo()
    click.secho(output.printable(f"  {workflow.key}{place}"), bold=True)
    for line in picture_lines(draw(described.outline)):
        click.echo(f"    {output.printable(line)}")
    if described.definition is not None:
        click.secho("  It is executable as written.", fg="green")
    else:
        click.secho("  Described, not executable:", fg="yellow")
    found = [_flaw_object(workflow, each) for each in described.flaws]
    for flaw in sorted(found, key=lambda each: (str(each["file"]), each["line"] or 0)):
        place = f"{flaw['file']}:{flaw['line']}" if flaw["line"] else f"{flaw['file']}"
        words = output.printable(f"{place}  {flaw['message']}")
        click.echo(click.wrap_text(words, _WIDTH, "    ", "      "))


def picture_lines(picture: Picture) -> Iterator[str]:
    """The drawing, one state after the other from the top: its number, and below it where it leads."""
    width = max((output.columns(each.state.key) for each in picture.states), default=0)
    numbers = len(str(picture.states[-1].rank + 1)) if picture.states else 1
    for placed in picture.states:
        state = placed.state
        name = state.key + " " * (min(width, 32) - output.columns(state.key))
        unreached = "" if placed.is_reached else "  (no state leads here)"
        yield _cut(f"{placed.rank + 1:>{numbers}}  {name}  {state.kind}{unreached}")
        said = state.title or state.description
        ways = _grouped(picture.ways_from(state.key))
        if said:
            yield _cut(f"{' ' * numbers}  {'│' if ways else ' '}  {said}")
        for at, (arrow, target, words) in enumerate(ways):
            corner = "└" if at == len(ways) - 1 else "├"
            yield _cut(f"{' ' * numbers}  {corner}{arrow} {target}{'  ' if words else ''}{words}")


def _grouped(ways: Sequence[PlacedWay]) -> list[tuple[str, str, str]]:
    """Ways to the same state as one: its arrow, the state, and when each is taken."""
    words: dict[tuple[str, str], list[str]] = {}
    for each in ways:
        arrow = "─✗" if each.is_lost else "─↑" if each.is_back else "─▶"
        words.setdefault((arrow, each.way.target), []).append(_way_words(each))
    notes = {"─✗": "(no such state)", "─↑": "(back)", "─▶": ""}
    return [
        (arrow, target, " ".join(filter(None, [", ".join(filter(None, said)), notes[arrow]])))
        for (arrow, target), said in words.items()
    ]


def _way_words(placed: PlacedWay) -> str:
    way = placed.way
    match way.kind:
        case "next":
            return ""
        case "case":
            return f"if {way.when}" if way.when else "in a case"
        case "each":
            return "for each item"
        case "branch":
            return "at the same time"
        case "error" | "timeout" | "deadline":
            return f"on {way.kind}"
        case "approve" | "modify" | "reject" | "else":
            return way.kind


def _cut(line: str) -> str:
    while output.columns(line) > _WIDTH - 4:
        line = f"{line[:-2]}…"
    return line
