"""``lime-desktop install``: read what a package wants, agree to it, and have it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack

import click

from lime_desktop.cli import output
from lime_desktop.cli.center import data_option, run, words, yes_option
from lime_desktop.cli.reviewing import Answers, consent_to, show_review
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records import InstalledApp
from lime_desktop.host.app_center.review.document import review_document
from lime_desktop.host.app_center.review.making import InstallReview
from lime_desktop.host.texts import Texts
from lime_desktop.protocol.errors import AppNotInstalled

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def consent_options(command: CommandT) -> CommandT:
    """Let a command be told what a person agrees to."""
    for option in (
        click.option("--grant", "-g", multiple=True, metavar="PERMISSION", help="Allow this."),
        click.option("--grant-suggested", is_flag=True, help="Allow what does not reach far."),
        click.option(
            "--accept-unsigned", is_flag=True, help="Accept that nobody trusted vouches for it."
        ),
        yes_option,
        click.option(
            "--review", "only_review", is_flag=True, help="Say what it wants; change nothing."
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
        return {"ok": True, "app": self.app.to_wire(), "granted": list(self.granted)}

    def show(self) -> None:
        """Say so."""
        click.secho(f"{self.app.title} {self.app.version} is installed.", fg="green", bold=True)


class ConsentOptions(TypedDict):
    """What `consent_options`, the data folder and the form of the output come to."""

    grant: tuple[str, ...]
    grant_suggested: bool
    accept_unsigned: bool
    yes: bool
    only_review: bool
    data_dir: Path
    as_json: bool


@click.command()
@output.package_argument
@consent_options
@click.pass_context
def command(ctx: click.Context, *, package: Path, **options: Unpack[ConsentOptions]) -> None:
    """Install a package, or update to it, after a review of what it wants."""
    take_in(ctx, package, options, is_update=False)


def take_in(ctx: click.Context, package: Path, options: ConsentOptions, *, is_update: bool) -> None:
    """Review, ask and install, as the options say."""
    answers = Answers(
        granted=frozenset(options["grant"]),
        grants_suggested=options["grant_suggested"],
        accepts_unsigned=options["accept_unsigned"],
        agrees=options["yes"],
    )
    way = Way(
        answers=answers,
        only_review=options["only_review"],
        is_silent=options["as_json"],
        is_update=is_update,
    )
    run(
        ctx,
        options["data_dir"],
        lambda center: way.take(center, package),
        as_json=options["as_json"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """From a package to an installed app, as the options say."""

    answers: Answers
    only_review: bool
    is_silent: bool
    is_update: bool

    async def take(self, center: AppCenter, source: Path) -> Reviewed | Installed:
        """Review, ask, install."""
        texts = words()
        review = await center.review(source)
        try:
            return await self._decide(center, review, texts)
        finally:
            await center.discard(review)

    async def _decide(
        self, center: AppCenter, review: InstallReview, texts: Texts
    ) -> Reviewed | Installed:
        if self.is_update and not review.is_update:
            raise AppNotInstalled(f"No app {review.app_id} is installed that could be updated")
        if not self.is_silent:
            show_review(review, texts)
        if self.only_review:
            return Reviewed(review_document(review, texts))
        app = await center.install(review, consent_to(review, self.answers, texts))
        granted = tuple(grant.permission for grant in center.grants(app.app_id))
        return Installed(app, granted)
