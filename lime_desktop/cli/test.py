"""``lime-desktop test``: run an app's own tests of its page, in the real host, without a screen."""

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lime_desktop.cli.app_run import page_entry, run_app
from lime_desktop.cli.output import ExitCode, package_argument, print_json

if TYPE_CHECKING:
    from lime_desktop.developer.events import DeveloperEvent
    from lime_desktop.developer.testing.outcomes import TestReport
    from lime_desktop.developer.testing.plan import TestPlan


@click.command(context_settings={"ignore_unknown_options": True})
@package_argument
@click.argument("program", nargs=-1, type=click.UNPROCESSED)
@click.option("--only", default="", metavar="TEXT", help="Run tests with TEXT in their name.")
@click.option("--entry", "entry_key", default="", metavar="KEY", help="Test at this entry.")
@click.option(
    "--junit",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write the outcome as JUnit XML.",
)
@click.option(
    "--pictures",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("test-pictures"),
    show_default=True,
    metavar="FOLDER",
    help="Where the window of a failed test is drawn.",
)
@click.option(
    "--patience",
    "patience_s",
    type=click.FloatRange(min=1.0),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="How long one test may take.",
)
@click.option("--show", "is_shown", is_flag=True, help="Run in a window on the screen.")
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
@click.pass_context
def command(
    ctx: click.Context,
    package: Path,
    program: tuple[str, ...],
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
    `tests/engine.json` has it say. See /__lime__/sdk/page_testing.d.ts for what a test can do.

    With `-- PROGRAM …` that program tests the app instead, once it is open: LIME_CDP_URL tells it where Chromium's
    debugging protocol is spoken, for Playwright and its like.
    """
    from lime_desktop.developer.testing.plan import TestPlan  # noqa: PLC0415 - likewise

    plan = TestPlan(
        package=package.resolve(),
        pictures=pictures.resolve(),
        only=only,
        patience_s=patience_s,
        command=program,
    )
    _demand_tests(plan)
    if program:
        _open_debugging_port()
    entry = entry_key or page_entry(plan.package)
    report = _run(plan, entry, is_shown=is_shown, is_told=not as_json)
    if junit is not None:
        from lime_desktop.developer.testing.junit import junit_xml  # noqa: PLC0415 - rarely asked for

        junit.write_bytes(junit_xml(plan.package.name, report.outcomes))
    if as_json:
        print_json([_as_json(report)])
    else:
        click.echo(_summary(report))
    ctx.exit(ExitCode.PROBLEMS if report.failures or not report.outcomes else ExitCode.OK)


def _demand_tests(plan: "TestPlan") -> None:
    if not plan.package.is_dir():
        raise click.BadParameter(f"{plan.package} is not a folder; tests run where they lie.")
    if not plan.files and not plan.command:
        raise click.UsageError(
            f"{plan.package.name} has no tests/*.page.js; `lime-desktop new` makes an app with one."
        )


def _open_debugging_port() -> None:
    """Have Chromium listen on this machine alone; it takes no other hint than these."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    os.environ["QTWEBENGINE_REMOTE_DEBUGGING"] = f"127.0.0.1:{port}"
    os.environ["LIME_CDP_URL"] = f"http://127.0.0.1:{port}"


def _run(plan: "TestPlan", entry_key: str, *, is_shown: bool, is_told: bool) -> "TestReport":
    from lime_desktop.cli.dev_lines import tell_person  # noqa: PLC0415 - loads models
    from lime_desktop.developer.testing.outcomes import TestOutcome, TestReport  # noqa: PLC0415

    report = TestReport()

    def hear(event: "DeveloperEvent") -> None:
        if isinstance(event, TestOutcome):
            report.outcomes.append(event)
            if is_told:
                tell_person(event)

    run_app(plan, entry_key, hear, is_shown=is_shown)
    return report


def _summary(report: "TestReport") -> str:
    count, failed = len(report.outcomes), len(report.failures)
    if not count:
        return "No test was run."
    return f"{count - failed} passed, {failed} failed."


def _as_json(report: "TestReport") -> dict[str, object]:
    return {
        "passed": len(report.outcomes) - len(report.failures),
        "failed": len(report.failures),
        "tests": [
            each.model_dump(mode="json", by_alias=True, exclude_none=True)
            for each in report.outcomes
        ],
    }
