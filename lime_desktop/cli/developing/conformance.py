"""``lime-desktop conformance``: what the standard demands of an app and of this host, each with its evidence."""

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lime_desktop.cli.terminal import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lime_desktop.app_package.trust.signing_key import SigningKey
    from lime_desktop.developer.conformance.report import Judgement, Report
    from lime_desktop.developer.conformance.sealing import SealCheck
    from lime_desktop.developer.conformance.seen_page import SeenPage
    from lime_desktop.developer.testing.outcomes import TestOutcome

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
_COLOURS = {"holds": "green", "fails": "red", "does-not-apply": None, "not-checked": "yellow"}
_NOT_ASKED_FOR = "Not checked, because of --no-run."


@click.command()
@click.argument("packages", type=output.PackagePath(), nargs=-1, metavar="[PACKAGE]...")
@click.option("--html", type=_NEW_FILE, metavar="FILE", help="Write the report as an HTML page.")
@click.option("--key", type=_FILE, metavar="FILE", help="Sign with this key instead of your own.")
@click.option("--no-run", "is_static", is_flag=True, help="Do not open the app.")
@click.option("--verify", "signed", type=_FILE, metavar="FILE", help="Check a report as JSON.")
@output.json_option
@click.pass_context
def command(
    ctx: click.Context,
    packages: tuple[Path, ...],
    *,
    html: Path | None,
    key: Path | None,
    is_static: bool,
    signed: Path | None,
    as_json: bool,
) -> None:
    """Check every requirement of the standard, and report the evidence or why it was not checked.

    The app is opened in the real host without a screen, with nothing kept and every declared permission, and its own
    page tests are run; this host is tried by an app made for that. Several apps are opened one after the other in the
    same window. The report is signed with a key of your own, made the first time.
    """
    if bool(packages) == (signed is not None):
        raise click.UsageError("Name a package, or a report with --verify.")
    if signed is not None:
        _verify(ctx, signed, as_json=as_json)
        return
    if html is not None and len(packages) > 1:
        raise click.UsageError(
            "--html works with one package. Name one package, or leave out --html."
        )
    reports = _examine(packages, _signing_key(key), is_static=is_static)
    _hand_over(reports, html, as_json=as_json)
    has_failed = any(each.failures for each in reports)
    ctx.exit(output.ExitCode.PROBLEMS if has_failed else output.ExitCode.OK)


def _signing_key(file: Path | None) -> "SigningKey":
    from lime_desktop.app_package.problems import Problem  # noqa: PLC0415 - help need not load it
    from lime_desktop.app_package.trust.signing_key import load_key  # noqa: PLC0415
    from lime_desktop.developer.conformance.sealing import own_key  # noqa: PLC0415
    from lime_desktop.host.user_profile.user_paths import user_data_folder  # noqa: PLC0415

    key = own_key(user_data_folder()) if file is None else load_key(file, None)
    if isinstance(key, Problem):
        raise click.UsageError(f"{key.message} {key.fix}")
    return key


def _examine(paths: "Sequence[Path]", key: "SigningKey", *, is_static: bool) -> "Sequence[Report]":
    from lime_desktop.app_package.archive.opening import open_package  # noqa: PLC0415
    from lime_desktop.app_package.trust.signing import now_text  # noqa: PLC0415
    from lime_desktop.cli.package.verify import trust_store  # noqa: PLC0415
    from lime_desktop.developer.conformance.demands import read_shown_by  # noqa: PLC0415
    from lime_desktop.developer.conformance.examination import Observations, examine  # noqa: PLC0415
    from lime_desktop.developer.conformance.facts import read_facts  # noqa: PLC0415
    from lime_desktop.developer.conformance.sealing import seal  # noqa: PLC0415
    from lime_desktop.resources import resources_folder  # noqa: PLC0415

    shown_by = read_shown_by(resources_folder())
    pages, host = ([_NOT_ASKED_FOR] * len(paths), _NOT_ASKED_FOR) if is_static else _open(paths)

    def report_on(path: Path, page: "SeenPage | str") -> "Report":
        facts = read_facts(open_package(path), trust_store())
        return seal(examine(facts, Observations(page, host, shown_by), now_text()), key)

    return [report_on(*each) for each in zip(paths, pages, strict=True)]


def _hand_over(reports: "Sequence[Report]", html: Path | None, *, as_json: bool) -> None:
    if html is not None:
        from lime_desktop.developer.conformance.html_page import html_page  # noqa: PLC0415
        from lime_desktop.resources import resources_folder  # noqa: PLC0415

        html.write_text(html_page(reports[0], resources_folder()), encoding="utf-8")
    if as_json:
        output.print_json([each.to_wire() for each in reports])
    else:
        for each in reports:
            _print_report(each)


def _print_report(report: "Report") -> None:
    from lime_desktop.developer.conformance.html_page import WORDS  # noqa: PLC0415

    click.secho(output.printable(f"{report.app.title} {report.app.version}"), bold=True)
    for each in report.judgements:
        if each.part in {"package", "page"} or each.verdict in {"holds", "fails"}:
            _print_judgement(each, WORDS[each.verdict])
    counts = ", ".join(f"{count} {WORDS[verdict]}" for verdict, count in report.counts.items())
    click.secho(counts, fg="red" if report.failures else "green", bold=True)


def _print_judgement(judgement: "Judgement", word: str) -> None:
    shown = click.style(f"{word:<14}", fg=_COLOURS[judgement.verdict])
    click.echo(f"  {judgement.id:<6}  {shown}  {output.printable(judgement.demand)}")
    if judgement.verdict == "fails":
        for line in (judgement.why, *judgement.evidence):
            click.echo(" " * 26 + output.printable(line))


def _verify(ctx: click.Context, file: Path, *, as_json: bool) -> None:
    from lime_desktop.developer.conformance.sealing import check_seal  # noqa: PLC0415

    try:
        document: object = json.loads(file.read_text("utf-8-sig"))
    except (OSError, ValueError):
        raise click.UsageError(f"{file} is not a JSON report.") from None
    if not isinstance(document, dict):
        raise click.UsageError(f"{file} is not a JSON report.")
    check = check_seal(document)  # pyright: ignore[reportUnknownArgumentType] - any JSON object
    if as_json:
        output.print_json([_check_object(check)])
    else:
        _print_check(check)
    ctx.exit(output.ExitCode.OK if check.is_whole else output.ExitCode.PROBLEMS)


def _check_object(check: "SealCheck") -> dict[str, object]:
    return {
        "ok": check.is_whole,
        "key": check.key,
        "problem": check.problem,
        "changed": check.changed,
        "missing": check.missing,
        "added": check.added,
    }


def _print_check(check: "SealCheck") -> None:
    if check.is_whole:
        click.secho("The report is unchanged since it was signed.", fg="green", bold=True)
    else:
        words = check.problem or "The report was changed after it was signed."
        click.secho(words, fg="red", bold=True)
    for words, names in (
        ("changed", check.changed),
        ("removed", check.missing),
        ("added", check.added),
    ):
        for name in names:
            click.echo(f"  {click.style(words, fg='red')}  {output.printable(name)}")
    if check.key:
        click.echo(f"  signed by  {output.printable(check.key)}")


def _open(paths: "Sequence[Path]") -> "tuple[Sequence[SeenPage | str], Sequence[TestOutcome]]":
    """Open each app where it lies, and the probe after them; why that was not done, where it cannot be."""
    from lime_desktop.cli.developing.app_run import AppRun, run_apps  # noqa: PLC0415
    from lime_desktop.developer.conformance.seen_page import PageWatch  # noqa: PLC0415
    from lime_desktop.developer.conformance.tried_host import (  # noqa: PLC0415
        PROBE_ENTRY,
        probe_plan,
    )
    from lime_desktop.developer.testing.plan import TestPlan  # noqa: PLC0415
    from lime_desktop.resources import resources_folder  # noqa: PLC0415

    watches, tried = [PageWatch() for _ in paths], PageWatch()
    reasons: dict[int, str] = {}
    with tempfile.TemporaryDirectory(prefix="lime-conformance-") as folder:
        runs: list[AppRun] = []
        for number, path in enumerate(paths):
            plan = TestPlan(package=path.resolve(), pictures=Path(folder))
            try:
                runs.append(AppRun(plan, _entry_of(path), watches[number].hear))
            except click.ClickException as error:
                reasons[number] = error.message
        probe = probe_plan(resources_folder(), Path(folder))
        run_apps([*runs, AppRun(probe, PROBE_ENTRY, tried.hear)])
    pages = [reasons.get(number) or watch.seen for number, watch in enumerate(watches)]
    return pages, tried.seen.tests


def _entry_of(path: Path) -> str:
    from lime_desktop.cli.developing.app_run import page_entry  # noqa: PLC0415

    if not path.is_dir():
        raise click.ClickException(
            "A package file can't be opened here. Use the folder it was packed from."
        )
    return page_entry(path)
