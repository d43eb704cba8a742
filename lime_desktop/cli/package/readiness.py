"""``lime-desktop readiness``: could a package run here, and what is missing."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import click
from pydantic import JsonValue, ValidationError

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.cli.terminal import output
from lime_desktop.projection.host_profile import THIS_HOST
from lime_desktop.projection.projection import Projection, project
from lime_desktop.readiness.assess import assess
from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.facts import ReadinessFacts
from lime_desktop.readiness.findings import Outcome
from lime_desktop.readiness.flow_chart import Status
from lime_desktop.readiness.host_facts import host_facts
from lime_desktop.readiness.package_checks import claimed_trust
from lime_desktop.readiness.result import Check, EntryReadiness, Readiness, SetupAction, Tiers

_COLOURS = {
    Status.READY: "green",
    Status.READY_DEGRADED: "yellow",
    Status.UNKNOWN: "magenta",
    Status.NEEDS_SETUP: "yellow",
    Status.BLOCKED: "red",
    Status.FAILED: "red",
}
_RUNNABLE = frozenset({Code.EVAL_NOT_RUN, Code.EVAL_FAILED})
_MARKS = {"error": ("✗", "red"), "warning": ("!", "yellow"), "info": ("·", "cyan")}


@click.command()
@output.packages_or_apps_argument
@click.option(
    "--facts",
    "facts_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="JSON file with permissions, knowledge, secrets and capabilities.",
)
@click.option("--entry", "entry_key", help="Check this entry only.")
@click.option("--locale", help="Language of the texts, such as en or zh-CN.")
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    show_default="the folder of this user",
    help="Where apps are installed.",
)
@output.json_option
@click.pass_context
def command(
    ctx: click.Context,
    packages: tuple[Path | str, ...],
    *,
    facts_file: Path | None,
    entry_key: str | None,
    locale: str | None,
    data_dir: Path | None,
    as_json: bool,
) -> None:
    """Check whether packages can run here, and show the setup steps.

    Of a package, without --facts, nothing is allowed, set up or run, as right after an installation. An app that is
    installed, named by its id, is told as it stands.
    """
    given = _read_facts(facts_file, locale)
    if facts_file is not None and any(isinstance(each, str) for each in packages):
        raise click.UsageError("--facts is for packages: an installed app has its own.")
    answers = [
        _of_installed(each, data_dir, locale, as_json=as_json)
        if isinstance(each, str)
        else _assess(each, given)
        for each in packages
    ]
    shown = [_for_entry(answer, entry_key) if entry_key else answer for answer in answers]
    if as_json:
        output.print_json([_document(answer, entry_key) for answer in answers])
    else:
        for answer, part in zip(answers, shown, strict=True):
            _print_answer(answer, part)
        _print_summary(shown)
    is_fine = all(each.ok for each in shown)
    ctx.exit(output.ExitCode.OK if is_fine else output.ExitCode.PROBLEMS)


def _assess(path: Path, given: dict[str, object]) -> Readiness:
    package = load_package(open_package(path))
    projection = project(package, THIS_HOST)
    facts = _facts(given, projection)
    known = {
        key: fact for key, fact in host_facts(package).items() if key not in facts.model_fields_set
    }
    return assess(projection, facts.model_copy(update=known))


def _of_installed(
    app_id: str, data_dir: Path | None, locale: str | None, *, as_json: bool
) -> Readiness:
    # Of a package nothing of the host is needed.
    from lime_desktop.cli.installed.named_apps import installed_readiness  # noqa: PLC0415
    from lime_desktop.host.user_profile.user_paths import user_data_folder  # noqa: PLC0415

    return installed_readiness(
        app_id, data_dir or user_data_folder(), locale or "en", as_json=as_json
    )


def _read_facts(path: Path | None, locale: str | None) -> dict[str, object]:
    """Read the facts as JSON, so that mistakes in them are usage errors before any package is read."""
    given: dict[str, object] = {"now": datetime.now(UTC).astimezone().isoformat()}
    if path is not None:
        try:
            read: object = json.loads(path.read_text("utf-8-sig"))
        except (OSError, ValueError) as error:
            raise click.BadParameter(f"{path} is not readable JSON: {error}") from None
        if not isinstance(read, dict):
            raise click.BadParameter(f"{path} must hold one JSON object")
        given |= cast("dict[str, object]", read)
    if locale:
        given["locale"] = locale
    _check(given)
    return given


def _check(given: dict[str, object]) -> None:
    try:
        ReadinessFacts.model_validate_json(json.dumps(given))
    except ValidationError as error:
        wrong = {".".join(map(str, each["loc"])): each["msg"] for each in error.errors()}
        text = "; ".join(f"{place}: {reason}" for place, reason in wrong.items())
        raise click.BadParameter(f"facts: {text}") from None


def _facts(given: dict[str, object], projection: Projection) -> ReadinessFacts:
    known: dict[str, object] = {"packageTrust": claimed_trust(projection)}
    return ReadinessFacts.model_validate_json(json.dumps(known | given))


def _for_entry(answer: Readiness, entry_key: str) -> EntryReadiness:
    entry = answer.entry(entry_key)
    if entry is None:
        known = ", ".join(each.entry_key for each in answer.entries) or "none"
        raise click.BadParameter(f"{answer.app} has no entry {entry_key}; it has: {known}")
    return entry


def _document(answer: Readiness, entry_key: str | None) -> dict[str, JsonValue]:
    """The standard's shape; for one entry, the entry's own answer in the app's place."""
    if entry_key is None:
        return answer.to_wire()
    entry = _for_entry(answer, entry_key)
    own = {name: getattr(entry, name) for name in EntryReadiness.model_fields if name != "missing"}
    of_entry = own | {"tiers": Tiers.of(entry.checks), "entries": (entry,)}
    document = answer.model_copy(update=of_entry).to_wire()
    return document | {"entryKey": entry_key}


def _print_answer(answer: Readiness, part: Readiness | EntryReadiness) -> None:
    name = (
        answer.app if part is answer else f"{answer.app} · {cast('EntryReadiness', part).entry_key}"
    )
    status = click.style(part.status, fg=_COLOURS[part.status], bold=True)
    click.echo(f"{click.style(output.printable(name), bold=True)}  {status}")
    _print_checks([check for check in part.checks if _is_open(check)])
    _print_steps(part.setup_actions)
    _print_evals(answer.app, part.checks)
    if part is answer and answer.entries:
        click.secho("  Entries", bold=True)
        rows = [(each.entry_key, each.status, ", ".join(each.missing)) for each in answer.entries]
        output.print_table(rows, indent=4)
    click.echo()


def _print_checks(checks: list[Check]) -> None:
    width = max((len(check.code or "") for check in checks), default=0)
    for check in checks:
        mark, colour = _MARKS[check.severity]
        code = f"{check.code or '':<{width}}"
        click.echo(f"  {click.style(mark, fg=colour)} {code}  {output.printable(check.message)}")


def _print_steps(actions: tuple[SetupAction, ...]) -> None:
    if actions:
        click.secho("  Setup", bold=True)
        output.print_table([(each.title, each.kind, each.target) for each in actions], indent=4)


def _print_evals(app: str, checks: tuple[Check, ...]) -> None:
    """Each quality check with how it stands, those that need nothing too; and the command that runs them."""
    evals = [each for each in checks if each.kind == "eval" and each.source == "host"]
    if evals:
        click.secho("  Quality checks", bold=True)
    for each in evals:
        click.echo(f"    {output.printable(each.message)}")
    if any(each.code in _RUNNABLE for each in evals):
        click.echo(f"    Run them on the installed app: lime-desktop eval {output.printable(app)}")


def _is_open(check: Check) -> bool:
    return check.outcome is not Outcome.PASSED and check.tier is not None


def _print_summary(parts: list[Readiness | EntryReadiness]) -> None:
    ready = sum(each.ok for each in parts)
    colour = "green" if ready == len(parts) else "red"
    click.secho(f"{ready} of {len(parts)} can start", fg=colour, bold=True)
