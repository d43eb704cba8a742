"""Runs of workflows as a terminal shows them."""

import json
from collections.abc import Iterator, Sequence

import click
from pydantic import JsonValue

from lime_desktop.cli.terminal import output
from lime_desktop.protocol.capability_calls.workflow import (
    WorkflowRun,
    WorkflowRunDetails,
    WorkflowStep,
)
from lime_desktop.protocol.plain_text import plain_line

_COLOURS = {
    "succeeded": "green",
    "failed": "red",
    "waiting": "yellow",
    "paused": "yellow",
}
_WAITS = {
    "review": "for a person to review",
    "input": "for a person to fill in a form",
    "approval": "for a person to allow it",
    "time": "for a moment",
    "event": "for an event",
    "agent": "for its agent",
    "retry": "to be tried again",
    "workflow": "for another workflow",
}
_PERSONS = frozenset({"review", "input", "approval"})


def print_runs(runs: Sequence[WorkflowRun], *, with_apps: bool) -> None:
    """A table of runs."""
    app = ("APP",) if with_apps else ()
    head = ("RUN", *app, "WORKFLOW", "STATUS", "STATE", "STARTED", "WAITS")
    rows = [
        (
            each.workflow_run_id,
            *((each.provenance.app_id,) if with_apps else ()),
            each.key,
            _status(each),
            each.state,
            each.started_at,
            _waits(each),
        )
        for each in runs
    ]
    if rows:
        output.print_table([head, *rows])
    click.secho(output.counted(len(rows), "run"), bold=True)


def print_details(run: WorkflowRunDetails) -> None:
    """One run, what came of it, and its steps."""
    click.secho(output.printable(f"{run.title}: {_status(run)}"), fg=_colour(run.status), bold=True)
    output.print_fields(dict(_fields(run)), indent=2)
    if run.steps:
        rows = [_row(each) for each in run.steps]
        output.print_table([("STEP", "KIND", "STATUS", "TRY", "TOOK", "WHAT CAME OF IT"), *rows])
    if run.waits_for in _PERSONS:
        click.echo("Answer it in Lime Desktop; the run goes on then.")
    if run.status == "failed":
        app = run.provenance.app_id
        click.echo(f"Try it again: lime-desktop workflow retry {app} {run.workflow_run_id}")


def _given(run: WorkflowRunDetails) -> str:
    """Its input, and who set what of it."""
    said = ", ".join(f"{name} set by {layer}" for name, layer in run.input_set_by.items())
    return f"{_short(run.input)} ({said})" if said else _short(run.input)


def _fields(run: WorkflowRunDetails) -> Iterator[tuple[str, str]]:
    yield "run", run.workflow_run_id
    yield "state", ", ".join(run.states) or run.state
    yield "started", run.started_at
    if run.finished_at:
        yield "ended", run.finished_at
    if waits := _waits(run):
        yield "waits", waits
    if run.forked_from:
        yield "forked from", run.forked_from
    if run.cost_usd:
        yield "cost", f"{run.cost_usd:.4f} USD"
    if run.input is not None:
        yield "input", _given(run)
    if run.output is not None:
        yield "output", _short(run.output)
    if run.error is not None:
        yield "error", f"{run.error.code} {run.error.message}"


def _row(step: WorkflowStep) -> tuple[str, ...]:
    came = "" if step.output is None else _short(step.output)
    if step.error is not None:
        came = f"{step.error.code} {step.error.message}"
    if step.decision is not None:
        said = f" “{plain_line(step.note)}”" if step.note else ""
        came = f"{step.decision} ({step.decided_by or 'person'}){said} {came}"
    return (step.state, step.kind, step.status, str(step.attempt), _took(step), came)


def _took(step: WorkflowStep) -> str:
    from datetime import datetime  # noqa: PLC0415 - only who shows a run needs it

    if not step.started_at or not step.finished_at:
        return ""
    began, ended = map(datetime.fromisoformat, (step.started_at, step.finished_at))
    return f"{(ended - began).total_seconds():.1f} s"


def _status(run: WorkflowRun) -> str:
    """What ended by a rejection was stopped by nobody."""
    return "rejected" if run.decision == "reject" else run.status


def _waits(run: WorkflowRun) -> str:
    if run.waits_for is None:
        return ""
    until = f" until {run.due_at}" if run.due_at else ""
    return f"{_WAITS[run.waits_for]}{until}"


def _colour(status: str) -> str | None:
    return _COLOURS.get(status)


def _short(value: JsonValue) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"
