"""What starts an app's work when something happens, on its page: allowed by a switch, with what came of it last."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.joining import listed, sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.host.wording.trigger_words import trigger_words
from lime_desktop.protocol.errors import AppError
from lime_desktop.protocol.ids import AppId
from lime_desktop.protocol.triggers import (
    ALLOW_TRIGGER,
    FORBID_TRIGGER,
    LIST_TRIGGERS,
    PAUSE_TRIGGER,
    RESUME_TRIGGER,
    AllowTriggerParams,
    EventTrigger,
    ListTriggersParams,
    TriggerParams,
)
from lime_desktop.protocol.wire import Method, ResultT
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.pages.given_card import Change
from lime_desktop.shell.pages.schedule_card import ScheduleLinks, outcome_words, run_opener
from lime_desktop.shell.widgets.parts import (
    button,
    card,
    column,
    label,
    name_button,
    no_mnemonic,
    row,
)
from lime_desktop.workflow_model.triggers.trigger import Change as DataChange
from lime_desktop.workflow_model.triggers.trigger import Trigger


class TriggerCards:
    """The card of whichever app is shown, by what was last read of it."""

    def __init__(self, texts: Texts, links: ScheduleLinks) -> None:
        self._texts = texts
        self._links = links
        self._triggers: dict[str, tuple[EventTrigger, ...]] = {}

    async def look(self, app: RegisteredApp) -> bool:
        """Read how an app's triggers stand, and tell whether that is news; without an App Server nobody knows."""
        if not app.package.triggers:
            return False
        try:
            asked = ListTriggersParams(app_id=AppId(app.app_id))
            found = (await self._links.call(LIST_TRIGGERS, asked)).triggers
        except AppError:
            return False
        is_news = found != self._triggers.get(app.app_id, ())
        self._triggers[app.app_id] = found
        return is_news

    def parts(self, app: RegisteredApp, start: Callable[[Change], None]) -> Iterator[QWidget]:
        """The card, where there is anything to show; what it does is begun by `start`."""
        found = self._triggers.get(app.app_id, ()) if app.package.triggers else ()
        if found:
            texts = self._texts
            heading = label(texts("triggers.title"), "heading")
            about = label(texts("triggers.about"), "muted")
            rows = (_Row(texts, self._links, app, each, start).whole() for each in found)
            made = card(heading, about, *rows)
            made.setObjectName("triggers")
            yield made


@dataclass(frozen=True, slots=True)
class _Row:
    """One trigger."""

    texts: Texts
    links: ScheduleLinks
    app: RegisteredApp
    trigger: EventTrigger
    start: Callable[[Change], None]

    def whole(self) -> QWidget:
        words = column(label(self._title), *(label(each, "small") for each in self._lines()))
        return column(row(words, self._switch(), stretch_at=0), flow(*self._tools()), spacing=4)

    @property
    def _title(self) -> str:
        return self.app.trigger_title(self.trigger.key, self.texts.locale, self.trigger.title)

    @property
    def _workflow(self) -> str:
        trigger = self.trigger
        return self.app.workflow_title(
            trigger.workflow_key, self.texts.locale, trigger.workflow_title
        )

    def _lines(self) -> Iterator[str]:
        texts, trigger = self.texts, self.trigger
        starts = texts("schedules.starts", workflow=self._workflow)
        yield sentences(texts, starts, _event(trigger, texts))
        if trigger.folders:
            yield texts("triggers.folders", folders=listed(texts, trigger.folders))
        if trigger.needs is not None:
            yield texts(f"triggers.needs.{trigger.needs}")
        if trigger.state in {"paused", "changed"}:
            yield texts(f"triggers.{trigger.state}")
        if trigger.last is not None:
            yield outcome_words(trigger.last, texts, "triggers")

    def _switch(self) -> QCheckBox:
        texts = self.texts
        switch = QCheckBox(no_mnemonic(texts("schedules.allow")))
        switch.setAccessibleName(f"{texts('schedules.allow')}: {self._title}")
        is_on = self.trigger.state in {"on", "paused"}
        switch.setChecked(is_on)

        def turn(wanted: bool) -> None:  # noqa: FBT001 - Qt's own signal
            # It shows what holds: nothing has changed until a person agreed, and the server did.
            switch.setChecked(is_on)
            self.start(self._ask() if wanted else self._turn(FORBID_TRIGGER))

        switch.clicked.connect(turn)
        return switch

    def _tools(self) -> Iterator[QWidget]:
        texts, state = self.texts, self.trigger.state
        made: list[QPushButton] = []
        if state == "on":
            made.append(
                button(texts("schedules.pause"), lambda: self.start(self._turn(PAUSE_TRIGGER)))
            )
        if state == "paused":
            made.append(
                button(texts("schedules.resume"), lambda: self.start(self._turn(RESUME_TRIGGER)))
            )
        trigger = self.trigger
        show = run_opener(self.app, trigger.workflow_key, trigger.last, self.links)
        if show is not None:
            made.append(button(texts("schedules.show"), show))
        for each in made:
            name_button(each, texts, self._title)
        yield from made

    async def _ask(self) -> None:
        """Put it to the person by what is declared, and which folders are open, at this moment."""
        listed_now = ListTriggersParams(app_id=AppId(self.app.app_id))
        found = (await self.links.call(LIST_TRIGGERS, listed_now)).triggers
        trigger = next((each for each in found if each.key == self.trigger.key), None)
        if trigger is None:
            return
        texts = self.texts
        meaning = texts(
            "schedules.meaning",
            app=self.app.title(texts.locale),
            workflow=self._workflow,
        )
        details = [_event(trigger, texts)]
        if trigger.folders:
            details.append(texts("triggers.folders", folders=listed(texts, trigger.folders)))
        details.append(texts(f"schedules.while.{'tray' if self.links.stays_in_tray() else 'open'}"))
        details.append(texts("schedules.until"))
        question = Question(
            texts("schedules.question", schedule=self._title),
            meaning,
            sentences(texts, *details),
            yes=texts("schedules.yes"),
            no=texts("schedules.no"),
        )
        terms = trigger.terms
        ask(self.links.window, question, lambda: self.start(self._allow(terms)))

    async def _allow(self, terms: str) -> None:
        asked = AllowTriggerParams(
            app_id=AppId(self.app.app_id),
            key=self.trigger.key,
            terms=terms,
            locale=self.texts.locale,
        )
        await self.links.call(ALLOW_TRIGGER, asked)

    async def _turn(self, method: Method[TriggerParams, ResultT]) -> None:
        asked = TriggerParams(app_id=AppId(self.app.app_id), key=self.trigger.key)
        await self.links.call(method, asked)


def _event(trigger: EventTrigger, texts: Texts) -> str:
    changes = cast("frozenset[DataChange]", frozenset(trigger.changes))
    return trigger_words(Trigger(trigger.on, trigger.names, trigger.is_table, changes), texts)
