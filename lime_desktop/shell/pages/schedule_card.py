"""What an app wants started by itself, on its page: allowed by a switch, with when it starts next and what came of it last."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from PySide6.QtWidgets import QCheckBox, QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.joining import listed, sentences
from lime_desktop.host.wording.problems import tell
from lime_desktop.host.wording.schedule_words import cron_words, when_words
from lime_desktop.host.wording.texts import DEFAULT_LOCALE, Texts
from lime_desktop.protocol.errors import AppError, error_from_data
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.protocol.schedules import (
    ALLOW_SCHEDULE,
    FORBID_SCHEDULE,
    LIST_SCHEDULES,
    PAUSE_SCHEDULE,
    RESUME_SCHEDULE,
    RUN_SCHEDULE,
    AllowScheduleParams,
    ListSchedulesParams,
    ScheduledStart,
    ScheduleParams,
    WorkflowSchedule,
)
from lime_desktop.protocol.wire import Method, ResultT
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.pages.given_card import Change
from lime_desktop.shell.surfaces.workflow_words import at_ms, started_words
from lime_desktop.shell.widgets.amounts import time_in_words
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    name_button,
    no_mnemonic,
    plain_tip,
    row,
)


@dataclass(frozen=True, slots=True)
class ScheduleLinks:
    """What the card does when it is pressed."""

    call: CallServer
    window: QWidget
    """Where a question is asked."""
    open_run: Callable[[str, str, str], None]
    """Shows a run on the page of its workflow."""
    show_run: Callable[[str], None]
    """Shows a run by its session, where its workflow has no page."""
    stays_in_tray: Callable[[], bool]
    """Whether closing the window leaves the program running."""


class ScheduleCards:
    """The card of whichever app is shown, by what was last read of it."""

    def __init__(self, texts: Texts, links: ScheduleLinks) -> None:
        self._texts = texts
        self._links = links
        self._schedules: dict[str, tuple[WorkflowSchedule, ...]] = {}

    async def look(self, app: RegisteredApp) -> bool:
        """Read how an app's schedules stand, and tell whether that is news; without an App Server nobody knows."""
        if not app.package.schedules:
            return False
        try:
            asked = ListSchedulesParams(app_id=AppId(app.app_id))
            found = (await self._links.call(LIST_SCHEDULES, asked)).schedules
        except AppError:
            return False
        is_news = _shown(found) != _shown(self._schedules.get(app.app_id, ()))
        self._schedules[app.app_id] = found
        return is_news

    def parts(self, app: RegisteredApp, start: Callable[[Change], None]) -> Iterator[QWidget]:
        """The card, where there is anything to show; what it does is begun by `start`."""
        found = self._schedules.get(app.app_id, ()) if app.package.schedules else ()
        if found:
            texts = self._texts
            heading = label(texts("schedules.title"), "heading")
            about = label(texts("schedules.about"), "muted")
            rows = (_Row(texts, self._links, app, each, start).whole() for each in found)
            made = card(heading, about, *rows)
            made.setObjectName("schedules")
            yield made


@dataclass(frozen=True, slots=True)
class _Row:
    """One schedule."""

    texts: Texts
    links: ScheduleLinks
    app: RegisteredApp
    schedule: WorkflowSchedule
    start: Callable[[Change], None]

    def whole(self) -> QWidget:
        first, *more = (label(each, "small") for each in self._lines())
        # The line itself, for who reads such.
        line = cron_words(self.schedule.schedule, self.schedule.time_zone, self.texts)
        first.setToolTip(plain_tip(line))
        words = column(label(self._title), first, *more)
        return column(row(words, self._switch(), stretch_at=0), flow(*self._tools()), spacing=4)

    @property
    def _title(self) -> str:
        """As its entry is called in the person's language, where it has one."""
        entry_key = self.schedule.entry_key
        if entry_key is not None and any(each.key == entry_key for each in self.app.entries):
            return self.app.entry_title(entry_key, self.texts.locale)
        return plain_name(self.schedule.title)

    def _when(self) -> str:
        schedule = self.schedule
        jitter_ms = round(schedule.jitter_s * 1_000)
        return when_words(schedule.schedule, self._zone, self.texts, jitter_ms)

    @property
    def _zone(self) -> str | None:
        """Whose clock is meant, where it is not the one on this wall."""
        return None if self.schedule.is_local_time else self.schedule.time_zone

    def _lines(self) -> Iterator[str]:
        texts, schedule = self.texts, self.schedule
        starts = texts("schedules.starts", workflow=_workflow(self.app, schedule, texts))
        yield sentences(texts, starts, self._when())
        if schedule.next_at is not None:
            yield texts("schedules.next", time=_time(schedule.next_at, texts))
        if schedule.state in {"paused", "changed"}:
            yield texts(f"schedules.{schedule.state}")
        if schedule.last is not None:
            yield outcome_words(schedule.last, texts)
        yield from (texts(f"schedules.untold.{each}") for each in schedule.untold)

    def _switch(self) -> QCheckBox:
        texts = self.texts
        switch = QCheckBox(no_mnemonic(texts("schedules.allow")))
        switch.setAccessibleName(f"{texts('schedules.allow')}: {self._title}")
        is_on = self.schedule.state in {"on", "paused"}
        switch.setChecked(is_on)

        def turn(wanted: bool) -> None:  # noqa: FBT001 - Qt's own signal
            # It shows what holds: nothing has changed until a person agreed, and the server did.
            switch.setChecked(is_on)
            self.start(self._ask() if wanted else self._turn(FORBID_SCHEDULE))

        switch.clicked.connect(turn)
        return switch

    def _tools(self) -> Iterator[QWidget]:
        texts, state = self.texts, self.schedule.state
        made = [button(texts("schedules.run"), lambda: self.start(self._turn(RUN_SCHEDULE)))]
        if state == "on":
            pause = button(texts("schedules.pause"), lambda: self.start(self._turn(PAUSE_SCHEDULE)))
            made.append(pause)
        if state == "paused":
            resume = button(
                texts("schedules.resume"), lambda: self.start(self._turn(RESUME_SCHEDULE))
            )
            made.append(resume)
        schedule = self.schedule
        show = run_opener(self.app, schedule.workflow_key, schedule.last, self.links)
        if show is not None:
            made.append(button(texts("schedules.show"), show))
        for each in made:
            name_button(each, texts, self._title)
        yield from made

    async def _ask(self) -> None:
        """Put it to the person by what is declared, and would come next, at this moment."""
        listed_now = ListSchedulesParams(app_id=AppId(self.app.app_id))
        found = (await self.links.call(LIST_SCHEDULES, listed_now)).schedules
        schedule = next((each for each in found if each.key == self.schedule.key), None)
        if schedule is None:
            return
        texts = self.texts
        times = listed(texts, (_time(each, texts) for each in schedule.upcoming))
        meaning = texts(
            "schedules.meaning",
            app=self.app.title(texts.locale),
            workflow=_workflow(self.app, schedule, texts),
        )
        details = (
            self._when(),
            texts("schedules.upcoming", times=times),
            texts(f"schedules.while.{'tray' if self.links.stays_in_tray() else 'open'}"),
            texts(f"schedules.missed.{schedule.missed}"),
            *(texts(f"schedules.quiet.{each}") for each in schedule.quiet_on),
            texts("schedules.until"),
        )
        question = Question(
            texts("schedules.question", schedule=self._title),
            meaning,
            sentences(texts, *details),
            yes=texts("schedules.yes"),
            no=texts("schedules.no"),
        )
        terms = schedule.terms
        ask(self.links.window, question, lambda: self.start(self._allow(terms)))

    async def _allow(self, terms: str) -> None:
        asked = AllowScheduleParams(
            app_id=AppId(self.app.app_id),
            key=self.schedule.key,
            terms=terms,
            locale=self.texts.locale,
        )
        await self.links.call(ALLOW_SCHEDULE, asked)

    async def _turn(self, method: Method[ScheduleParams, ResultT]) -> None:
        asked = ScheduleParams(app_id=AppId(self.app.app_id), key=self.schedule.key)
        await self.links.call(method, asked)


def _workflow(app: RegisteredApp, schedule: WorkflowSchedule, texts: Texts) -> str:
    return app.workflow_title(schedule.workflow_key, texts.locale, schedule.workflow_title)


def outcome_words(start: ScheduledStart, texts: Texts, of: str = "schedules") -> str:
    """What became of a moment, or of an event."""
    time = _time(start.due_at, texts)
    if start.outcome == "missed":
        count = f"{start.missed}+" if start.has_more_missed else start.missed
        since = _time(start.missed_since or start.due_at, texts)
        return texts(f"{of}.last.missed", count=count, time=since)
    words = texts(f"{of}.last.{start.outcome}", time=time, reason=_reason(start, texts))
    return words if start.run is None else f"{words} · {started_words(start.run, texts)}"


def run_opener(
    app: RegisteredApp, workflow: str, start: ScheduledStart | None, links: ScheduleLinks
) -> Callable[[], None] | None:
    """Shows the run of a start: on the page of its workflow, else as any other run; None where there is none."""
    if start is None or start.workflow_run_id is None:
        return None
    entry_key, run_id = app.workflow_entry(workflow), start.workflow_run_id
    if entry_key is not None:
        return partial(links.open_run, app.app_id, entry_key, run_id)
    return None if start.run is None else partial(links.show_run, start.run.session_id)


def _reason(start: ScheduledStart, texts: Texts) -> str:
    """Why nothing was begun: as it was told, which is English; in another language by its code."""
    if texts.locale == DEFAULT_LOCALE or start.code is None:
        return plain_name(start.message or "")
    told = tell(error_from_data({"code": start.code, "message": start.message or ""}), texts)
    return sentences(texts, told.title, told.advice)


def _shown(schedules: tuple[WorkflowSchedule, ...]) -> list[WorkflowSchedule]:
    """What the card shows of them. Those to come of one that is off are others at every moment, and asked for anew."""
    return [each.model_copy(update={"upcoming": ()}) for each in schedules]


def _time(moment: str, texts: Texts) -> str:
    return time_in_words(at_ms(moment), texts)
