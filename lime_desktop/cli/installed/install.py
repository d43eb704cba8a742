"""``lime-desktop install``, ``update`` and ``rollback``: read what a package wants, agree to it, have it, or go back."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

import click

from lime_desktop.app_package.archive.reader import ARCHIVE_SUFFIX
from lime_desktop.cli.installed.app_source import whole_place
from lime_desktop.cli.installed.center import (
    center_options,
    data_option,
    require_consent,
    run,
    yes_option,
)
from lime_desktop.cli.installed.reviewing import Answers, consent_to, show_review
from lime_desktop.cli.terminal import output
from lime_desktop.cli.terminal.language import words
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.offers import Offer
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.document import review_document
from lime_desktop.host.app_center.review.install_review import InstallReview
from lime_desktop.host.wording.lifecycle_hooks import failed_hook_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.errors import AppError, AppNotInstalled, ApprovalRequired

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def consent_options(command: CommandT) -> CommandT:
    """Let a command be told what a person agrees to."""
    for option in (
        click.option(
            "--grant", "-g", multiple=True, metavar="PERMISSION", help="Allow this permission."
        ),
        click.option(
            "--grant-suggested",
            is_flag=True,
            help="Allow all permissions except those with broad access.",
        ),
        click.option(
            "--accept-unsigned",
            is_flag=True,
            help="Install it although its publisher is not verified.",
        ),
        click.option(
            "--source", metavar="PLACE", help="Use this catalog, even if it is a different one."
        ),
        yes_option,
        click.option(
            "--review",
            "only_review",
            is_flag=True,
            help="Show the review only. Nothing is changed.",
        ),
        data_option,
        output.json_option,
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A review, shown and let go of."""

    facts: dict[str, object]

    def document(self) -> object:
        """The review as JSON."""
        return {"ok": True, "review": self.facts}

    def show(self) -> None:
        """It was printed while it could be read."""


@dataclass(frozen=True, slots=True)
class Installed:
    """What is installed now."""

    app: InstalledApp
    granted: tuple[str, ...]

    def document(self) -> object:
        """The app as JSON."""
        is_on = self.app.failed_hook is None
        return {"ok": is_on, "app": self.app.to_wire(), "granted": list(self.granted)}

    def show(self) -> None:
        """Say so, and why it is off, where it is."""
        if self.app.failed_hook is not None:
            told = failed_hook_words(self.app.failed_hook, self.app.title, words())
            click.secho(output.printable(told), fg="yellow", bold=True)
            click.echo(f"  lime-desktop enable {self.app.app_id}")
            return
        installed = output.printable(f"{self.app.title} {self.app.version} is installed.")
        click.secho(installed, fg="green", bold=True)


class ConsentOptions(TypedDict):
    """What `consent_options`, the data folder and the form of the output come to."""

    grant: tuple[str, ...]
    grant_suggested: bool
    accept_unsigned: bool
    source: str | None
    yes: bool
    only_review: bool
    data_dir: Path
    as_json: bool


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A name that may mean more than one app."""

    name: str
    offers: tuple[Offer, ...]

    def document(self) -> object:
        """What it may mean, as JSON."""
        return {"ok": False, "ambiguous": self.name, "offers": [o.to_wire() for o in self.offers]}

    def show(self) -> None:
        """Print what to choose from."""
        click.secho(
            f"{output.printable(self.name)} is offered by several catalogs:", fg="yellow", err=True
        )
        rows = [(each.app_id, each.version, each.tagline) for each in self.offers]
        output.print_table([("APP", "VERSION", ""), *rows])


target_argument = click.argument("target", metavar="PACKAGE|NAME")


@click.command()
@target_argument
@consent_options
@click.pass_context
def command(ctx: click.Context, *, target: str, **options: Unpack[ConsentOptions]) -> None:
    """Review and install a package, or an app from a catalog by its name."""
    take_in(ctx, target, options, is_update=False)


def take_in(ctx: click.Context, target: str, options: ConsentOptions, *, is_update: bool) -> None:
    """Review, ask and install, as the options say."""
    answers = Answers(
        granted=frozenset(options["grant"]),
        grants_suggested=options["grant_suggested"],
        accepts_unsigned=options["accept_unsigned"],
        accepts_source=options["source"] is not None,
        agrees=options["yes"],
    )
    way = Installer(
        answers=answers,
        only_review=options["only_review"],
        is_silent=options["as_json"],
        is_update=is_update,
        source=None if options["source"] is None else whole_place(options["source"]),
    )
    # Whole, as it is written down: another process may carry this out, and people read it later from elsewhere.
    found = output.PackagePath().convert(target, None, ctx) if _is_path(target) else None
    package = None if found is None else found.absolute()
    answer = run(
        ctx,
        options["data_dir"],
        lambda center: way.take(center, package or target),
        as_json=options["as_json"],
    )
    if isinstance(answer, Ambiguous):
        ctx.exit(output.ExitCode.USAGE)
    if isinstance(answer, Installed) and answer.app.failed_hook is not None:
        ctx.exit(output.ExitCode.PROBLEMS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Installer:
    """From a package to an installed app, as the options say."""

    answers: Answers
    only_review: bool
    is_silent: bool
    is_update: bool
    source: str | None = None
    """The source that was named."""

    async def take(self, center: AppCenter, target: Path | str) -> Reviewed | Installed | Ambiguous:
        """Take a package, or what the sources offer by a name."""
        if isinstance(target, Path):
            return await self._take_reviewed(center, await center.review(target))
        await center.catalog.refresh()
        offers = center.catalog.named(target, self.source)
        if len(offers) > 1:
            return Ambiguous(target, offers)
        if not offers:
            raise self._not_offered(center, target)
        return await self._take_reviewed(center, await center.review_offer(offers[0]))

    def _not_offered(self, center: AppCenter, name: str) -> AppError:
        choice = center.catalog.choice(name)
        if self.source is not None:
            return AppNotInstalled(f"The catalog {self.source} offers no app {name}")
        if choice.is_chosen and choice.others:
            own = choice.before or "no catalog"
            others = ", ".join(choice.others)
            return ApprovalRequired(
                f"Updates of {name} come from {own}, which does not offer it. Others do: {others}."
                " Choose one: --source CATALOG",
                details={"source": choice.before, "otherSources": list(choice.others)},
            )
        return AppNotInstalled(
            f"There is no package at {name}, and no catalog offers an app with this name"
        )

    async def _take_reviewed(
        self, center: AppCenter, review: InstallReview
    ) -> Reviewed | Installed:
        try:
            return await self._decide(center, review, words())
        finally:
            await center.discard(review)

    async def _decide(
        self, center: AppCenter, review: InstallReview, texts: Texts
    ) -> Reviewed | Installed:
        if self.is_update and not review.is_update:
            raise AppNotInstalled(
                f"{review.app_id} is not installed, so there is nothing to update"
            )
        if not self.is_silent:
            show_review(review, texts)
        if self.only_review:
            return Reviewed(review_document(review, texts))
        app = await center.install(review, consent_to(review, self.answers, texts))
        granted = tuple(grant.permission for grant in center.permissions.grants(app.app_id))
        return Installed(app, granted)


def _is_path(target: str) -> bool:
    """Whether a package is meant that lies somewhere; a name has neither a folder nor an ending."""
    return Path(target).exists() or len(Path(target).parts) > 1 or target.endswith(ARCHIVE_SUFFIX)


@click.command()
@target_argument
@consent_options
@click.pass_context
def update(ctx: click.Context, *, target: str, **options: Unpack[ConsentOptions]) -> None:
    """Review and update an installed app from a package or a catalog. `rollback` undoes it."""
    take_in(ctx, target, options, is_update=True)


@click.command()
@click.argument("app_id", metavar="APP")
@click.option("--to", "point_id", metavar="POINT", help="A rollback version from `apps show`.")
@yes_option
@center_options
def rollback(
    ctx: click.Context,
    app_id: str,
    point_id: str | None,
    yes: bool,
    data_dir: Path,
    as_json: bool,
) -> None:
    """Roll back an app's code, data and permissions. The current version can be restored with --to."""

    async def roll_back(center: AppCenter) -> Installed:
        if center.earlier_point(app_id) or point_id:
            # Where there is nothing to go back to, there is nothing to agree to either.
            require_consent(f"Roll back {app_id} to an earlier version?", is_given=yes)
        app = await center.roll_back(app_id, point_id)
        return Installed(
            app, tuple(grant.permission for grant in center.permissions.grants(app_id))
        )

    run(ctx, data_dir, roll_back, as_json=as_json)
