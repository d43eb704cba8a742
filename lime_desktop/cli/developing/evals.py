"""``lime-desktop eval``: the quality gates of an app on its own cases, held against a baseline."""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lime_desktop.cli.installed.center import center_options
from lime_desktop.cli.terminal import output

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lime_desktop.app_package.eval_files import EvalCase
    from lime_desktop.app_package.package import AppPackage
    from lime_desktop.app_server.quality.baseline import Baseline, Regression
    from lime_desktop.app_server.quality.cases import CaseResult
    from lime_desktop.developer.evals import EvalReport

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, writable=True, path_type=Path)
_WHY = {
    "no-file": "Its file is not in the package. Add it, or correct `path`.",
    "not-a-gate": "Its file does not say what is checked. Write YAML or JSON with `checks`.",
    "no-checks": "Its file has no `checks`, so nothing is checked.",
    "no-schema": "A schema that it names is not in the package, or no JSON Schema.",
    "no-cases": "It has no case with a content, so nothing can be run.",
}

_KEPT = "Kept: `lime-desktop readiness` and the app's page tell it."
_NOT_KEPT = "Not kept: the options change what is judged."


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What is to be judged beside what the app brings, and by what else."""

    thresholds: dict[str, float]
    more: "list[EvalCase]"
    baseline: Path | None

    @property
    def is_plain(self) -> bool:
        """Whether the app is judged as it stands."""
        return not (self.thresholds or self.more or self.baseline)


@click.command()
@output.packages_or_apps_argument
@click.option(
    "--document",
    "documents",
    type=_FILE,
    multiple=True,
    metavar="FILE",
    help="Judge this file too: JSON, or text as it is.",
)
@click.option("--kind", metavar="KIND", help="The artifact type of these documents.")
@click.option(
    "--threshold",
    "thresholds",
    multiple=True,
    metavar="EVAL=NUMBER",
    help="Hold a gate to another score, from 0 to 1.",
)
@click.option(
    "--baseline", type=_FILE, metavar="FILE", help="Compare with this instead of the app's own."
)
@click.option(
    "--save-baseline",
    type=_NEW_FILE,
    metavar="FILE",
    help="Write what the gates say now; evals/baseline.json is used from then on.",
)
@center_options
def command(
    ctx: click.Context,
    packages: tuple[Path | str, ...],
    *,
    documents: tuple[Path, ...],
    kind: str | None,
    thresholds: tuple[str, ...],
    baseline: Path | None,
    save_baseline: Path | None,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Run an app's quality gates on the cases that it brings, without an agent.

    It ends with 1 if a verdict is not the one that a case expects, if a required gate can't be run, or if a case did
    better in the baseline: the app's own evals/baseline.json, unless --baseline names another.

    What came of the evals of an installed app, named by its id, is kept: `readiness` and its page tell it. Nothing is
    kept where --document, --threshold or --baseline change what is judged.
    """
    if save_baseline is not None and len(packages) > 1:
        raise click.UsageError("--save-baseline works with one package.")
    held_to = dict(map(_threshold, thresholds))
    more = [_brought(path, kind) for path in documents]
    wishes = _Wishes(held_to, more, baseline)
    reports = [_report(each, wishes, data_dir, as_json=as_json) for each in packages]
    if save_baseline is not None:
        save_baseline.write_text(reports[0].baseline().to_json() + "\n", encoding="utf-8")
    if as_json:
        output.print_json([_document(each) for each in reports])
    else:
        for named, each in zip(packages, reports, strict=True):
            _print(each)
            if isinstance(named, str) and any(result.outcome for result in each.results):
                click.echo(_KEPT if wishes.is_plain else _NOT_KEPT)
    is_fine = all(each.is_fine for each in reports)
    ctx.exit(output.ExitCode.OK if is_fine else output.ExitCode.PROBLEMS)


def _threshold(written: str) -> tuple[str, float]:
    key, _, number = written.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = -1
    if not key or not 0 <= value <= 1:
        raise click.BadParameter(f"{written}: write EVAL=NUMBER with a number from 0 to 1.")
    return key, value


def _brought(path: Path, kind: str | None) -> "EvalCase":
    import json  # noqa: PLC0415 - only who brings documents reads them

    from lime_desktop.app_package.eval_files import EvalCase  # noqa: PLC0415 - help need not load it

    try:
        text = path.read_text("utf-8-sig")
        content: object = json.loads(text) if path.suffix == ".json" else text
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{path} can't be read: {error}") from None
    return EvalCase.model_validate({"key": path.name, "kind": kind, "content": content})


def _report(named: Path | str, wishes: _Wishes, data_dir: Path, *, as_json: bool) -> "EvalReport":
    if isinstance(named, str):
        from lime_desktop.cli.installed.named_apps import run_installed_evals  # noqa: PLC0415

        judge = partial(_judge, wishes, named)
        return run_installed_evals(named, data_dir, judge, keeps=wishes.is_plain, as_json=as_json)

    from lime_desktop.app_package.archive.opening import open_package  # noqa: PLC0415
    from lime_desktop.app_package.package import load_package  # noqa: PLC0415

    package = load_package(open_package(named))
    if not package.is_valid:
        raise click.ClickException(
            f"{named} is not valid. `lime-desktop validate` lists every problem."
        )
    return _judge(wishes, str(named), package, {})


def _judge(
    wishes: _Wishes, name: str, package: "AppPackage", set_: "Mapping[str, float]"
) -> "EvalReport":
    from lime_desktop.developer.evals import compare, run_evals  # noqa: PLC0415

    unknown = wishes.thresholds.keys() - {each.key for each in package.manifest.evals}
    if unknown:
        raise click.BadParameter(f"{name} has no eval {', '.join(sorted(unknown))}.")
    report = run_evals(package, {**set_, **wishes.thresholds}, wishes.more)
    kept = _baseline(package, wishes.baseline)
    return report if kept is None else replace(report, regressions=compare(report, kept))


def _baseline(package: "AppPackage", file: Path | None) -> "Baseline | None":
    from lime_desktop.app_server.quality.baseline import (  # noqa: PLC0415
        BASELINE,
        kept_baseline,
        read_baseline,
    )

    try:
        return kept_baseline(package.tree) if file is None else read_baseline(file.read_bytes())
    except (OSError, ValueError):
        raise click.ClickException(
            f"{file or BASELINE} is not a baseline. Write one with --save-baseline."
        ) from None


def _document(report: "EvalReport") -> dict[str, object]:
    return {
        "ok": report.is_fine,
        "app": report.app,
        "version": report.version,
        "cases": [
            {
                "eval": each.gate,
                "case": each.case,
                "expected": "accepted" if each.expected else "not-accepted",
                "ok": each.is_as_expected,
                "outcome": each.outcome.to_wire() if each.outcome else None,
            }
            for each in report.results
        ],
        "notRunnable": dict(report.broken),
        "regressions": [
            {
                "case": each.name,
                "before": each.before.to_wire(),
                "now": each.now.to_wire() if each.now else None,
            }
            for each in report.regressions
        ],
    }


def _print(report: "EvalReport") -> None:
    click.secho(output.printable(f"{report.app} {report.version}"), bold=True)
    for each in report.results:
        _print_case(each)
    for key, why in report.broken.items():
        mark = click.style("can't run", fg="red" if key in report.required else "yellow")
        click.echo(f"  {mark}  {output.printable(key)}  {_WHY[why]}")
    for each in report.regressions:
        _print_regression(each)
    run = [each for each in report.results if each.outcome is not None]
    held = sum(each.is_as_expected for each in run)
    words = f"{held} of {len(run)} cases as expected, {len(report.regressions)} worse than before"
    click.secho(words, fg="green" if report.is_fine else "red", bold=True)


def _print_case(case: "CaseResult") -> None:
    name = output.printable(case.name)
    if case.outcome is None:
        click.echo(f"  {click.style('not run', fg='yellow')}  {name}  It has no content to judge.")
        return
    verdict = "accepted" if case.is_accepted else "not accepted"
    score = "" if case.outcome.score is None else f" ({case.outcome.score:g})"
    mark = click.style("ok" if case.is_as_expected else "wrong", fg=_colour(case.is_as_expected))
    click.echo(f"  {mark}  {name}  {verdict}{score}")
    for reason in () if case.is_as_expected else case.outcome.reasons:
        click.echo(f"      {output.printable(f'{reason.code}: {reason.detail}')}")


def _print_regression(found: "Regression") -> None:
    now = "gone" if found.now is None else f"{found.now.score}"
    line = output.printable(f"{found.name}: {found.before.score} → {now}")
    click.echo(f"  {click.style('worse', fg='red')}  {line}")


def _colour(is_good: bool) -> str:
    return "green" if is_good else "red"
