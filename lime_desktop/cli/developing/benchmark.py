"""``lime-desktop benchmark``: the tasks of an installed app on chosen models, measured and held against a baseline."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lime_desktop.cli.installed.center import center_options
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.output import ExitCode

if TYPE_CHECKING:
    from lime_desktop.developer.benchmark.suite import SuiteFile
    from lime_desktop.runtime_views.benchmarks import BenchmarkReport

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_TOLERATED = ("successRate", "tokens", "cost", "seconds")


@click.command()
@click.argument("app", metavar="APP")
@click.option("--suite", "suite_file", type=_FILE, required=True, metavar="FILE", help="The tasks.")
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="PROVIDER/MODEL",
    help="Try this model; several times for several. Without it, the one that would answer.",
)
@click.option(
    "--baseline",
    type=_FILE,
    metavar="FILE",
    help="Compare with what an earlier --json printed, instead of the baseline that was kept.",
)
@click.option(
    "--keep-baseline", is_flag=True, help="Keep the result: later benchmarks compare with it."
)
@click.option(
    "--tolerance",
    "tolerances",
    multiple=True,
    metavar="NAME=NUMBER",
    help=f"How much worse is tolerated, over what the suite says: {', '.join(_TOLERATED)}.",
)
@center_options
def command(
    ctx: click.Context,
    *,
    app: str,
    suite_file: Path,
    models: tuple[str, ...],
    baseline: Path | None,
    keep_baseline: bool,
    tolerances: tuple[str, ...],
    data_dir: Path,
    as_json: bool,
) -> None:
    """Measure the tasks of a suite on models: how many succeed, their tokens, their cost, their time.

    Each trial is a run of the installed app, kept in its log. What an agent asks on the way is answered with no.

    Ends with 4 if something is worse than the baseline by more than is tolerated; with 1 if there is nothing to
    compare with and a trial failed, or if nothing could be run; and with 130 after Ctrl+C, which keeps the trials that
    had finished.
    """
    # Loaded here: to explain the command takes none of it.
    from lime_desktop.cli.developing.benchmark_lines import Progress, print_report  # noqa: PLC0415
    from lime_desktop.cli.developing.benchmark_run import SuiteBroken, Wishes, run  # noqa: PLC0415
    from lime_desktop.cli.terminal.failures import print_failure  # noqa: PLC0415
    from lime_desktop.protocol.errors import AppError  # noqa: PLC0415

    tolerated = dict(map(_tolerated, tolerances))
    wishes = Wishes(suite_file, models, baseline, tolerated, keeps=keep_baseline)
    tell = Progress()
    try:
        report = asyncio.run(run(app, data_dir, wishes, tell))
    except SuiteBroken as broken:
        _print_broken(broken.found, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)
    except AppError as error:
        print_failure(error, as_json=as_json)
        ctx.exit(ExitCode.PROBLEMS)
    finally:
        tell.clear()
    if as_json:
        output.print_json([report.to_wire()])
    else:
        print_report(report)
    ctx.exit(_ending(report))


def _ending(report: "BenchmarkReport") -> ExitCode:
    if not report.is_complete:
        return ExitCode.STOPPED
    if report.baseline_id is None:
        is_fine = all(each.passed == each.trials for each in report.scores)
        return ExitCode.OK if is_fine else ExitCode.PROBLEMS
    return ExitCode.REGRESSION if report.regressions else ExitCode.OK


def _print_broken(found: "SuiteFile", *, as_json: bool) -> None:
    if as_json:
        problems = [each.to_wire() for each in found.problems]
        output.print_json([{"ok": False, "problems": problems}])
    else:
        output.print_problems(found.problems)


def _tolerated(written: str) -> tuple[str, float]:
    name, _, number = written.partition("=")
    try:
        value = float(number)
    except ValueError:
        value = -1
    if name not in _TOLERATED or not 0 <= value <= (1 if name == "successRate" else 100):
        raise click.BadParameter(
            f"{written}: write NAME=NUMBER with one of {', '.join(_TOLERATED)} and a number from 0."
        )
    return name, value
