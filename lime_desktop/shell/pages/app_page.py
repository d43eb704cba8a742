"""One app in full before any of its code runs: what it is, what it asks for, what is missing, and the ways in."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QWidget

from lime_desktop.app_package.problems import Severity
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.recalls import AppRecall
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.review.programs import declared_programs
from lime_desktop.host.apps.app_access import allow_unconfined, forbidding_rule
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.models.model_status import ModelStatus, needs_model
from lime_desktop.host.runs.eval_runs import EvalRuns
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.lifecycle_hooks import failed_hook_words
from lime_desktop.projection.entries import ProjectedEntry
from lime_desktop.readiness.flow_chart import Status
from lime_desktop.readiness.result import Check, SetupAction
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.notices.notices import OfferUndo
from lime_desktop.shell.pages.about_card import about_fold, says_anything
from lime_desktop.shell.pages.app_head import app_details, app_head
from lime_desktop.shell.pages.benchmarks_card import BenchmarkCards
from lime_desktop.shell.pages.evals_card import EvalCards
from lime_desktop.shell.pages.findings_card import finding_row, problems_card
from lime_desktop.shell.pages.given_card import Change, GivenCards
from lime_desktop.shell.pages.measures_card import MeasureCards
from lime_desktop.shell.pages.permission_row import permission_row, refused_rows
from lime_desktop.shell.pages.schedule_card import ScheduleCards
from lime_desktop.shell.pages.setup_card import SetupCard
from lime_desktop.shell.pages.skills_card import SkillCards
from lime_desktop.shell.pages.start_card import StartCard
from lime_desktop.shell.pages.trigger_card import TriggerCards
from lime_desktop.shell.pages.webhook_card import WebhookCards
from lime_desktop.shell.widgets.focus import (
    begin_here,
    focus_first,
    focus_stop,
    show_head_first,
)
from lime_desktop.shell.widgets.fold import Fold
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import (
    banner,
    button,
    card,
    column,
    label,
    name_button,
    pill,
    row,
    set_tip,
)
from lime_desktop.shell.widgets.status import status_pill
from lime_desktop.shell.widgets.work import Failed, Work

_WAITS, _OPENS = 2, 1
"""Where the keyboard begins: with the page while nothing is known yet, then at what opens the app."""


@dataclass(frozen=True, slots=True)
class AppLinks:
    """Where the page leads."""

    back: Callable[[], None]
    open_entry: Callable[[str, str], None]
    fix: Callable[[RegisteredApp, SetupAction], None]
    manage: Callable[[RegisteredApp], QWidget]
    install_named: Callable[[str], None]
    show_settings: Callable[[str], None]
    look_again: Callable[[str], None]
    """Has it read anew how an app is set up: much of that changes outside of this window."""
    open_address: Callable[[str, str], None]
    offer_undo: OfferUndo
    show_run: Callable[[str], None]
    evals: EvalRuns
    use_installed: Callable[[str], None]
    """Closes a package that is open where it lies, so that the installed app of its name is back."""


@dataclass(frozen=True, slots=True)
class ReadCards:
    """The cards by what the App Server says, which is read when the page is shown."""

    given: GivenCards
    skills: SkillCards
    measures: MeasureCards
    benchmarks: BenchmarkCards
    webhooks: WebhookCards
    schedules: ScheduleCards
    triggers: TriggerCards


class AppPage(Page):
    """The details of one app; follows every change of its readiness."""

    def __init__(
        self,
        look: Look,
        registry: AppRegistry,
        models: ModelStatus,
        links: AppLinks,
        read: ReadCards,
        failed: Failed,
    ) -> None:
        super().__init__()
        self._look = look
        self._registry = registry
        self._models = models
        self._evals = EvalCards(look.texts, links.evals, failed)
        self._setup = SetupCard(look, models, links.fix, links.show_settings, self._evals.controls)
        self._start = StartCard(look, self._setup, links.open_entry)
        self._manage = links.manage
        self._install_named = links.install_named
        self._look_again = links.look_again
        self._open_address = links.open_address
        self._offer_undo = links.offer_undo
        self._show_run = links.show_run
        self._use_installed = links.use_installed
        self._back = links.back
        self._open_entry = links.open_entry
        self._given = read.given
        self._skills = read.skills
        self._measures = read.measures
        self._benchmarks = read.benchmarks
        self._webhooks = read.webhooks
        self._schedules = read.schedules
        self._triggers = read.triggers
        self._app_id = ""
        show_head_first(self)
        self._about: Fold | None = None
        self._details: Fold | None = None
        self._work = Work(self, failed)
        registry.watch(self.once_seen(self.show_again))
        self.destroyed.connect(models.watch(self.once_seen(self.show_again)))

    def show_app(self, app_id: str) -> None:
        """Turn to another app."""
        if app_id != self._app_id:
            self._app_id, self._about, self._details = app_id, None, None
            # Its head says what it is: where the page of another app was left means nothing here.
            self.verticalScrollBar().setValue(0)
        self.show_again()
        self._look_again(app_id)

    @property
    def is_here(self) -> bool:
        """Whether the app that it shows can still be shown."""
        return self._registry.app(self._app_id) is not None

    def show_permissions(self) -> None:
        """Scroll to what the app may do, with the keyboard."""
        permissions = self.findChild(QFrame, "permissions")
        if permissions is not None:
            # Once the page is laid out: before, everything is at its top.
            QTimer.singleShot(0, permissions, lambda: self.ensureWidgetVisible(permissions, 0, 24))
            focus_stop(permissions)

    def show_again(self) -> None:
        """Show the app as it stands now."""
        app = self._registry.app(self._app_id)
        if app is not None:
            was_at_first = self._is_at_first()
            # Until it is known whether it opens there is nothing to press, and a key must not take a permission away.
            is_checking = self._is_checking(app)
            begin_here(self, rank=_WAITS if is_checking else 0)
            self.refill(*self._parts(app))
            if was_at_first:
                # Refilling it looks for the first by what was so before.
                focus_first(self)
            self._work.start(self._read_given(app.app_id))

    async def _read_given(self, app_id: str) -> None:
        """Read anew what the App Server knows of an app, and show it if that has changed."""
        is_news = await self._given.look(app_id)
        if (app := self._registry.app(app_id)) is not None:
            is_news |= await self._skills.look(app)
            is_news |= await self._measures.look(app)
            is_news |= await self._benchmarks.look(app)
            is_news |= await self._webhooks.look(app)
            is_news |= await self._schedules.look(app)
            is_news |= await self._triggers.look(app)
        if is_news and app_id == self._app_id:
            self.show_again()

    def look_at_starts(self) -> None:
        """A run has come to rest: what began by itself may stand otherwise."""
        self._work.start(self._read_starts(self._app_id))

    async def _read_starts(self, app_id: str) -> None:
        app = self._registry.app(app_id)
        if app is None:
            return
        is_news = await self._schedules.look(app) | await self._triggers.look(app)
        if is_news and app_id == self._app_id:
            self.show_again()

    def _change_given(self, change: Change) -> None:
        async def change_and_read() -> None:
            await change
            await self._read_given(self._app_id)

        self._work.start(change_and_read())

    def _parts(self, app: RegisteredApp) -> Iterator[QWidget]:
        texts = self._look.texts
        yield row(button(f"‹ {texts('page.back')}", self._back, "link"))
        yield app_head(self._look, self._registry, self._models, app)
        if self._registry.hides_installed(app):
            use = button(texts("page.in-place.use"), partial(self._use_installed, app.app_id))
            yield banner(texts("page.in-place"), "info", use)
        if (note := self._off(app)) is not None:
            yield note
        elif self._is_checking(app):
            yield card(label(texts("page.checking"), "muted"))
        else:
            yield from self._setup.parts(app, but={each.key for each in self._start.told(app)})
        if app.recall is not None and app.recall.kind == "withdrawn":
            yield self._withdrawn(app, app.recall)
        yield from self._start.parts(app, is_checking=self._is_checking(app))
        if app.entries:
            yield self._entries(app)
        yield self._permissions(app)
        if not self._is_checking(app):
            told = {each.key for each in self._start.told(app)}
            yield from self._setup.optional_parts(app, but=told)
        yield from self._given.parts(app, self._change_given)
        yield from self._webhooks.parts(app, self._change_given)
        yield from self._schedules.parts(app, self._change_given)
        yield from self._triggers.parts(app, self._change_given)
        yield from self._skills.parts(app, self._change_given)
        if not self._is_checking(app) and (self._lacks_nothing(app) or self._findings(app)):
            yield self._readiness(app)
        yield from self._evals.parts(app)
        yield from self._measures.parts(app)
        yield from self._benchmarks.parts(app)
        yield self._manage(app)
        yield from self._of_package(app)

    def _of_package(self, app: RegisteredApp) -> Iterator[QWidget]:
        """What its package says, and what is wrong with it."""
        if problems := [each for each in app.package.problems if each.severity != Severity.NOTE]:
            yield problems_card(self._look.texts, problems)
        if says_anything(app.package):
            was_open = self._about is not None and self._about.is_open
            title = app.title(self._look.texts.locale)
            self._about = about_fold(
                self._look, app.package, partial(self._open_address, title), is_open=was_open
            )
            yield self._about
        was_open = self._details is not None and self._details.is_open
        self._details = app_details(self._look, app, is_open=was_open)
        yield self._details

    def _off(self, app: RegisteredApp) -> QWidget | None:
        """Why an app is kept from running that lacks nothing: somebody wants it so."""
        texts = self._look.texts
        if not app.governing.is_allowed:
            return banner(texts("page.blocked.organisation"), "warning")
        if app.installed is None or app.installed.is_enabled:
            return None
        center = self._registry.require_center()
        turn_on = button(
            texts("page.off.on"), lambda: self._work.start(center.enable(app.app_id)), "primary"
        )
        failed = app.installed.failed_hook
        if failed is None:
            return banner(texts("page.off"), "info", turn_on)
        words = failed_hook_words(failed, app.title(texts.locale), texts)
        shown = button(texts("page.off.run"), partial(self._show_run, failed.session_id))
        # What never began has nothing to show.
        shown.setVisible(bool(failed.session_id))
        return banner(words, "warning", shown, turn_on)

    def _withdrawn(self, app: RegisteredApp, recall: AppRecall) -> QWidget:
        """That its version is offered no more, though it works, and the way to a newer one."""
        texts = self._look.texts
        words = sentences(texts, texts("recall.withdrawn.text"), recall.reason_in(texts.locale))
        if recall.update is None:
            return banner(words, "warning")
        update = button(
            texts("auto-update.to", version=recall.update),
            lambda: self._install_named(app.app_id),
        )
        return banner(words, "warning", update)

    def _entries(self, app: RegisteredApp) -> QFrame:
        texts = self._look.texts
        return card(
            label(texts("page.entries"), "heading"),
            *(self._entry(app, entry) for entry in app.entries),
        )

    def _entry(self, app: RegisteredApp, entry: ProjectedEntry) -> QWidget:
        texts = self._look.texts
        answer, title = app.readiness.entry(entry.key), app.entry_title(entry.key, texts.locale)
        opening = button(
            texts("page.open", entry=title),
            lambda: self._open_entry(app.app_id, entry.key),
            "primary" if entry is app.entries[0] else "",
        )
        opening.setEnabled(app.can_open(entry.key))
        if entry is app.entries[0] and opening.isEnabled():
            begin_here(opening, rank=_OPENS)
        set_tip(opening, "" if opening.isEnabled() else texts("page.cannot"))
        kind = label(texts(f"entry.kind.{entry.declared.kind}"), "small")
        kind.setWordWrap(False)
        parts = [label(title), kind]
        # What opens says so by its button; whether all of it works is known once it was tried.
        is_telling = answer is not None and answer.status is not Status.READY
        if answer is not None and is_telling and not self._is_checking(app):
            parts.append(status_pill(texts, answer.status))
        return row(*parts, opening, stretch_at=0)

    def _permissions(self, app: RegisteredApp) -> QFrame:
        texts = self._look.texts
        wanted = app.package.manifest.permissions
        rows = [
            permission_row(texts, self._registry, app, each, self._offer_undo) for each in wanted
        ]
        made = card(
            label(texts("page.permissions"), "heading"),
            *(rows or [label(texts("page.permissions.none"), "muted")]),
            *refused_rows(texts, self._registry, app),
            *self._programs(app),
        )
        made.setObjectName("permissions")
        return made

    def _programs(self, app: RegisteredApp) -> Iterator[QWidget]:
        """The programs that it runs, and whether they may do so where nothing walls them off."""
        texts = self._look.texts
        programs = [each for each in declared_programs(app.package.manifest) if each.is_run_here]
        if not programs:
            return
        lines = [label(each.words_for_people.words(texts), "small") for each in programs]
        yield column(label(texts("review.programs")), *lines, spacing=0)
        if app.installed is not None:
            yield self._unconfined(app, app.installed)

    def _unconfined(self, app: RegisteredApp, installed: InstalledApp) -> QWidget:
        texts, center = self._look.texts, self._registry.require_center()
        title = label(texts("unconfined.title"))
        words = column(title, label(texts("unconfined.about"), "small"), spacing=0)
        if installed.runs_unconfined:
            take_back = button(
                texts("page.permission.revoke"),
                lambda: self._work.start(center.permissions.stop_running_unconfined(app.app_id)),
            )
            name_button(take_back, texts, title.text())
            begin_here(take_back, rank=0)
            return row(words, pill(texts("unconfined.allowed"), "danger"), take_back, stretch_at=0)
        if forbidding_rule(app.governing, app.app_id) is not None:
            return row(words, pill(texts("unconfined.forbidden"), "plain"), stretch_at=0)
        allow = button(texts("unconfined.allow"), lambda: self._ask_unconfined(app, center))
        name_button(allow, texts, title.text())
        return row(words, allow, stretch_at=0)

    def _ask_unconfined(self, app: RegisteredApp, center: AppCenter) -> None:
        texts = self._look.texts
        question = Question(
            texts("unconfined.question"),
            texts("unconfined.meaning", app=app.title(texts.locale)),
            texts("unconfined.until"),
            yes=texts("unconfined.yes"),
            no=texts("unconfined.no"),
        )
        ask(self, question, lambda: self._work.start(allow_unconfined(center, app.app_id)))

    def _is_checking(self, app: RegisteredApp) -> bool:
        """Whether what it seems to lack, or would do better with, may only not be known yet."""
        is_settled = app.readiness.status is Status.READY
        return not is_settled and self._registry.is_checking(app.app_id)

    def _findings(self, app: RegisteredApp) -> list[Check]:
        """What is to be said beside the steps: a finding that a step tells of is not told twice."""
        told = {action.description for action in app.readiness.setup_actions}
        checks = (check for check in app.readiness.checks if check.severity != "info")
        return [check for check in checks if check.message not in told]

    def _lacks_nothing(self, app: RegisteredApp) -> bool:
        """Whether it may be said that nothing is to be set up: everything that it wants is known to be there."""
        needs = needs_model(app.package.manifest)
        is_answered = self._models.summary(self._look.texts).status == "ready"
        return app.can_start and not app.readiness.setup_actions and (is_answered or not needs)

    def _readiness(self, app: RegisteredApp) -> QFrame:
        texts = self._look.texts
        rows = [finding_row(texts, check) for check in self._findings(app)]
        if not rows:
            return card(
                label(texts("page.readiness"), "heading"),
                label(texts("page.readiness.none"), "muted"),
            )
        return card(label(texts("page.findings"), "heading"), *rows)
