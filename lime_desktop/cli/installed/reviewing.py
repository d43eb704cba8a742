"""A review on a terminal: printed for a person, and answered by them or by the options they gave."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import click

from lime_desktop.cli.installed.center import is_somebody_there, require_consent
from lime_desktop.cli.terminal import output
from lime_desktop.host.app_center.review.asked_permissions import AskedPermission
from lime_desktop.host.app_center.review.change_words import (
    change_line,
    changes_title,
    migration_lines,
)
from lime_desktop.host.app_center.review.changes import UpdateDiff
from lime_desktop.host.app_center.review.host_gaps import host_gaps
from lime_desktop.host.app_center.review.install_review import Consent, InstallReview, source_lines
from lime_desktop.host.app_center.review.refusing import RefusalCode
from lime_desktop.host.app_center.review.sections import (
    Part,
    notes_for_people,
    package_errors,
    section,
)
from lime_desktop.host.app_center.review.summary import summary
from lime_desktop.host.appearance.package_face import title_of
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import ApprovalRequired, InvalidInput

_FIRST_DETAILS: tuple[Part, ...] = ("risk",)
_FURTHER_DETAILS: tuple[Part, ...] = (
    "data",
    "domains",
    "programs",
    "hooks",
    "schedules",
    "secrets",
    "connections",
    "effects",
)
_RISK_COLOURS = {"low": "green", "medium": "yellow", "high": "red"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What was decided on the command line already."""

    granted: frozenset[str]
    grants_suggested: bool
    accepts_unsigned: bool
    accepts_source: bool = False
    """The source was named, so another one than before is meant."""
    agrees: bool


def consent_to(review: InstallReview, answers: Answers, texts: Texts) -> Consent:
    """Find out what the person agrees to.

    Raises:
        AppError: it cannot be installed, or nobody agreed.
    """
    if review.refusals:
        raise _first_error(review, texts)
    unknown = answers.granted - {ask.key for ask in review.asks}
    if unknown:
        raise InvalidInput(
            f"The app does not ask for these permissions: {', '.join(sorted(unknown))}"
        )
    may_ask = is_somebody_there() and not answers.agrees
    granted = frozenset(_granted(review, answers, texts, may_ask=may_ask))
    accepts = answers.accepts_unsigned
    if review.needs_acceptance and not accepts:
        if not may_ask:
            raise ApprovalRequired(
                "The publisher of this package is not verified. Add --accept-unsigned to install it anyway"
            )
        accepts = click.confirm(texts("review.accept"), default=False, err=True)
    question = texts("review.update" if review.is_update else "review.install")
    title = title_of(review.package.manifest, texts.locale)
    require_consent(f"{question}: {title}?", is_given=answers.agrees)
    return Consent(
        package_hash=review.staged.package_hash,
        granted=granted,
        accepts_unverified=accepts,
        accepts_source=answers.accepts_source,
    )


def _first_error(review: InstallReview, texts: Texts) -> Exception:
    refusal = review.refusals[0]
    error = refusal.as_error()
    error.message = refusal.words.words(texts)
    if refusal.code is RefusalCode.PACKAGE_INVALID:
        # What it announces: on a terminal they were printed with the review, in JSON they stand here.
        error.details["problems"] = [
            each.model_dump(mode="json", by_alias=True) for each in package_errors(review)
        ]
    return error


def _granted(
    review: InstallReview, answers: Answers, texts: Texts, *, may_ask: bool
) -> Iterator[str]:
    for ask in review.open_asks:
        is_named = ask.key in answers.granted
        is_suggested = answers.grants_suggested and ask.is_suggested
        if is_named or is_suggested or (may_ask and _agrees(ask, texts)):
            yield ask.key
    for ask in review.asks:
        if ask.standing == "refused" and ask.key in answers.granted:
            yield ask.key


def _agrees(ask: AskedPermission, texts: Texts) -> bool:
    words = output.printable(ask.words.words(texts))
    return click.confirm(words, default=ask.is_suggested, err=True)


def show_review(review: InstallReview, texts: Texts) -> None:
    """Print what a person should know before they decide."""
    manifest = review.package.manifest
    key = "review.title.update" if review.is_update else "review.title"
    title = title_of(manifest, texts.locale)
    click.secho(output.printable(texts(key, app=title, version=manifest.version)), bold=True)
    click.echo(output.printable(manifest.description))
    for said in source_lines(review):
        colour = "red" if review.choice.is_change else "yellow"
        click.secho(output.printable(said.words(texts)), fg=colour)
    verdict = texts(f"review.verdict.{review.verification.verdict}")
    risk = click.style(
        texts(f"review.risk.{review.risk.level}"), fg=_RISK_COLOURS[review.risk.level]
    )
    click.echo(f"{verdict} · {risk}")
    if review.signed_twin is not None:
        click.echo(output.printable(texts("review.twin", file=review.signed_twin.name)))
        click.echo(f"  lime-desktop install {output.printable(str(review.signed_twin))}")
    _section(texts("review.refused"), (each.words.words(texts) for each in review.refusals))
    if not review.package.is_valid:
        output.print_problems(package_errors(review))
    _section(
        texts("review.gaps"),
        (each.words for each in host_gaps(review.package, review.projection, texts.locale)),
    )
    _section(texts("review.can"), (line.told_alone(texts) for line in summary(review, texts)))
    _section(texts("review.asks"), (_ask_line(ask, texts) for ask in review.asks))
    _show_notes(review, texts)
    if review.changes is not None:
        _show_changes(review, review.changes, texts)
    click.secho(f"\n{texts('review.details')}", bold=True)
    _show_parts(review, _FIRST_DETAILS, texts)
    _section(
        texts("review.adds"),
        (
            f"{texts(f'review.adds.{each.kind}')}: {each.called(texts.locale)}"
            for each in review.adds
        ),
    )
    _show_parts(review, _FURTHER_DETAILS, texts)
    _section(
        texts("review.shares"),
        (
            f"{texts(f'review.party.{each.party}')}: {', '.join(each.owns or each.requires)}"
            for each in review.shares
        ),
    )
    _section(
        texts("review.notes"),
        (f"{texts(f'review.note.{each.kind}')}: {each.text}" for each in notes_for_people(review)),
    )


def _show_parts(review: InstallReview, parts: Iterable[Part], texts: Texts) -> None:
    for part in parts:
        said = section(review, part, texts)
        _section(said.title, said.lines)


def _show_changes(review: InstallReview, changes: UpdateDiff, texts: Texts) -> None:
    lines = [
        f"{change_line(each, review, texts)} ({texts(f'update.{each.kind}')})"
        for each in changes.changes
    ]
    _section(changes_title(changes, texts), lines or [texts("update.none")])
    _section(texts("update.migrations"), migration_lines(changes, texts))
    _section(texts("update.overlays"), (f"{each.key}: {each.detail}" for each in changes.overlays))


def _show_notes(review: InstallReview, texts: Texts) -> None:
    for each in review.release_notes:
        title = texts("update.notes.in", version=each.version)
        _section(output.printable(title), each.lines_in(texts.locale))


def _ask_line(ask: AskedPermission, texts: Texts) -> str:
    """What it wants; the author's reason is among what the app can do."""
    marks = [texts(f"review.ask.{ask.standing}")]
    marks += [texts("review.ask.required")] if ask.permission.required else []
    marks += [texts("review.ask.broad")] if ask.is_broad else []
    return f"{ask.key}: {ask.words.words(texts)} ({', '.join(marks)})"


def _section(title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if not found:
        return
    if title:
        click.secho(f"\n{title}", bold=True)
    for line in found:
        click.echo(f"  {output.printable(line)}")
