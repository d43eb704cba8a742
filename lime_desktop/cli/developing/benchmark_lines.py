"""A benchmark in a terminal: a line for each trial while it runs, and a table of what came of it."""

import sys

import click

from lime_desktop.cli.terminal import output
from lime_desktop.developer.benchmark.jobs import Step
from lime_desktop.runtime_views.benchmarks import BenchmarkReport, ComparedTask, TaskScore

_HEAD = ("task", "model", "success", "tokens", "cost", "time", "")
_WORSE = {
    "successRate": "fewer succeed",
    "tokens": "more tokens",
    "cost": "costs more",
    "seconds": "slower",
    "gone": "not run any more",
}


class Progress:
    """Tells how far it is, beside the output: a program that reads that is not disturbed."""

    def __init__(self) -> None:
        self._is_live = sys.stderr.isatty()
        self._width = 0

    def __call__(self, step: Step) -> None:
        """Say that a trial begins, where that can be taken back, or that one is over."""
        name = output.printable(f"{step.trial.task.key}  {step.trial.model_name}")
        place = f"{step.number}/{step.of}"
        if step.result is None:
            if self._is_live:
                line = f"{place}  {name} …"
                self._width = output.columns(line)
                click.echo(f"\r{line}", nl=False, err=True)
            return
        self.clear()
        passed, result = step.result.is_passed, step.result
        mark = click.style("passed" if passed else "failed", fg="green" if passed else "red")
        took = "" if result.seconds is None else f"  {result.seconds:.1f} s"
        why = (
            "" if passed else output.printable(f"  {result.failure}: {result.detail}".rstrip(": "))
        )
        click.echo(f"{place}  {mark}  {name}{took}{why}", err=True)

    def clear(self) -> None:
        """Take a line back that says what runs."""
        if self._is_live and self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)
            self._width = 0


def print_report(report: BenchmarkReport) -> None:
    """The table, and one line that sums it up."""
    words = f"{report.app_id} {report.app_version}, {report.suite} {report.suite_version}"
    click.secho(output.printable(words), bold=True)
    if report.rows:
        output.print_table([_HEAD, *map(_row, report.rows)], indent=2)
    click.secho(_sum(report), fg=_colour(report), bold=True)
    if report.role == "baseline":
        click.echo("Kept as the baseline.")


def _colour(report: BenchmarkReport) -> str:
    if report.regressions:
        return "red"
    is_fine = report.is_complete and all(each.passed == each.trials for each in report.scores)
    return "green" if is_fine else "yellow"


def _sum(report: BenchmarkReport) -> str:
    trials = sum(each.trials for each in report.scores)
    passed = sum(each.passed for each in report.scores)
    stopped = "" if report.is_complete else "Stopped. "
    than = (
        "nothing to compare with"
        if report.baseline_id is None
        else f"{len(report.regressions)} worse than the baseline"
    )
    return f"{stopped}{passed} of {output.counted(trials, 'trial')} passed, {than}"


def _row(row: ComparedTask) -> tuple[str, ...]:
    now, before = row.now, row.before
    worse = ", ".join(_WORSE[each] for each in row.worse)
    why = "" if now is None else ", ".join(f"{count}× {why}" for why, count in now.failures.items())
    return (
        row.task,
        row.model,
        _change(_rate(now), _rate(before)),
        _change(_tokens(now), _tokens(before)),
        _change(_cost(now), _cost(before)),
        _change(_seconds(now), _seconds(before)),
        "; ".join(filter(None, [worse and f"worse: {worse}", why])),
    )


def _change(now: str, before: str) -> str:
    return now if before in ("", now) else f"{before} → {now or '–'}"


def _rate(score: TaskScore | None) -> str:
    return "" if score is None else f"{score.passed}/{score.trials}"


def _tokens(score: TaskScore | None) -> str:
    return "" if score is None or score.tokens is None else f"{score.tokens:,.0f}"


def _cost(score: TaskScore | None) -> str:
    known = score is not None and score.cost is not None
    return f"{score.cost:.4f} {score.currency}" if score is not None and known else ""


def _seconds(score: TaskScore | None) -> str:
    return "" if score is None or score.seconds is None else f"{score.seconds:.1f} s"
