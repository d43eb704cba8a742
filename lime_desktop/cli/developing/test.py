"""``lime-desktop test``: run an app's own tests of its page, in the real host, without a screen."""

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lime_desktop.cli.developing.app_run import AppRun, page_entry, patience_option, run_apps
from lime_desktop.cli.terminal.output import ExitCode, json_option, packages_argument, print_json

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from lime_desktop.developer.events import DeveloperEvent
    from lime_desktop.developer.testing.outcomes import TestReport
    from lime_desktop.developer.testing.plan import TestPlan

_PROGRAM = "lime_desktop.cli.developing.test.program"


class _BeforeProgram(click.Command):
    """A command that takes what stands behind `--` for a program and its arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Set the program aside, and read the rest."""
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[_PROGRAM] = tuple(args[end + 1 :])
        return super().parse_args(ctx, args[:end])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """What may be written, in order."""
        return [*super().collect_usage_pieces(ctx), "[-- PROGRAM...]"]


@click.command(cls=_BeforeProgram)
@packages_argument
@click.option("--only", default="", metavar="TEXT", help="Run tests with TEXT in their name.")
@click.option("--entry", "entry_key", default="", metavar="KEY", help="Test this entry.")
@click.option(
    "--junit",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write a JUnit XML report.",
)
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("test-pictures"),
    show_default=True,
    metavar="FOLDER",
    help="Where pictures of failed tests are saved.",
)
@patience_option(60.0, "How long one test may take.")
@click.option("--show", "is_shown", is_flag=True, help="Run in a visible window.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    packages: tuple[Path, ...],
    *,
    only: str,
    entry_key: str,
    junit: Path | None,
    pictures: Path,
    patience_s: float,
    is_shown: bool,
    as_json: bool,
) -> None:
    """Run the tests in `tests/*.page.js` of a package: clicks and words in its real page, its real host behind it.

    The host starts with nothing kept, the app has every permission it declares, and an agent says what
    `tests/engine.json` has it say. See /__lime__/sdk/page_testing.d.ts for what a test can do. Several packages are
    tested one after the other in the same window.

    With `-- PROGRAM …` that program tests the app instead, once it is open. Playwright connects over CDP to
    LIME_CDP_BROWSER_URL; other tools find the pages at LIME_CDP_URL/json, each with a WebSocket of its own.
    """
    from lime_desktop.developer.testing.plan import TestPlan  # noqa: PLC0415 - nothing of weight for help

    program: tuple[str, ...] = ctx.meta[_PROGRAM]
    plans = {
        str(package): TestPlan(
            package=package.resolve(),
            pictures=pictures.resolve(),
            only=only,
            patience_s=patience_s,
            command=program,
        )
        for package in packages
    }
    _demand_tests(plans.values(), program)
    if program:
        _open_debugging_port()
    reports = _run(plans, entry_key, is_shown=is_shown, is_told=not as_json)
    if junit is not None:
        from lime_desktop.developer.testing.junit import junit_xml  # noqa: PLC0415 - rarely asked for

        junit.write_bytes(junit_xml(reports))
    if as_json:
        print_json([_as_json(name, report) for name, report in reports.items()])
    else:
        click.echo(_summary(reports, only))
    ctx.exit(
        ExitCode.OK if all(each.has_passed for each in reports.values()) else ExitCode.PROBLEMS
    )


def _demand_tests(plans: "Collection[TestPlan]", program: tuple[str, ...]) -> None:
    if program and len(plans) > 1:
        raise click.UsageError("A program tests one app: name one package.")
    for plan in plans:
        if not plan.package.is_dir():
            raise click.BadParameter(f"{plan.package} is not a folder. Name the folder of the app.")
        if not plan.files and not program:
            raise click.UsageError(
                f"{plan.package.name} has no tests/*.page.js. `lime-desktop new` creates an app with one."
            )


def _open_debugging_port() -> None:
    """Have Chromium listen on this machine alone; it takes no other hint than these."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    os.environ["QTWEBENGINE_REMOTE_DEBUGGING"] = f"127.0.0.1:{port}"
    os.environ["LIME_CDP_URL"] = f"http://127.0.0.1:{port}"


def _run(
    plans: "Mapping[str, TestPlan]", entry_key: str, *, is_shown: bool, is_told: bool
) -> "dict[str, TestReport]":
    from lime_desktop.cli.developing.dev_lines import tell_person  # noqa: PLC0415 - loads models
    from lime_desktop.developer.testing.outcomes import TestOutcome, TestReport  # noqa: PLC0415

    reports: dict[str, TestReport] = {}

    def run_of(name: str, plan: "TestPlan") -> AppRun:
        report = reports[name] = TestReport()

        def hear(event: "DeveloperEvent") -> None:
            if isinstance(event, TestOutcome):
                report.outcomes.append(event)
                if is_told:
                    tell_person(event)

        return AppRun(plan, entry_key or page_entry(plan.package), hear)

    run_apps([run_of(*each) for each in plans.items()], is_shown=is_shown)
    return reports


def _summary(reports: "dict[str, TestReport]", only: str) -> str:
    count = sum(len(each.outcomes) for each in reports.values())
    failed = sum(len(each.failures) for each in reports.values())
    untested = [name for name, each in reports.items() if not each.outcomes]
    if not count:
        return f"No test was run. {_why_none(only)}"
    words = f"{count - failed} passed, {failed} failed."
    return f"{words} Nothing was run of {', '.join(untested)}." if untested else words


def _why_none(only: str) -> str:
    """Whatever keeps an app from being tested is an outcome of its own; this is left."""
    if only:
        return f"None has “{only}” in its file or name: letters count as they are written."
    return "It was ended before the first one, or the files hold none."


def _as_json(package: str, report: "TestReport") -> dict[str, object]:
    return {
        "package": package,
        "passed": len(report.outcomes) - len(report.failures),
        "failed": len(report.failures),
        "tests": [
            each.model_dump(mode="json", by_alias=True, exclude_none=True)
            for each in report.outcomes
        ],
    }
