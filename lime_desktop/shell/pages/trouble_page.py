"""Why agents and storage, or the installed apps, are not there; and every way out of it, on one page."""

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QWidget
from shiboken6 import isValid

from lime_desktop.database.backups import Backup, backups_of
from lime_desktop.host.wording.problems import make_report, tell
from lime_desktop.protocol.errors import AppError, DatabaseDamaged, DatabaseTooNew
from lime_desktop.shell.appearance.look import LiveTexts
from lime_desktop.shell.dialogs.questions import Question, ask
from lime_desktop.shell.layouts.flow import flow
from lime_desktop.shell.settings.about import facts
from lime_desktop.shell.settings.backups import moment_of
from lime_desktop.shell.widgets.amounts import size_in_words
from lime_desktop.shell.widgets.page import Page
from lime_desktop.shell.widgets.parts import button, card, column, label, name_button, row
from lime_desktop.shell.widgets.resource_folders import Folders
from lime_desktop.shell.widgets.work import Failed, Work

Source = Literal["server", "center"]


@dataclass(frozen=True, slots=True)
class Trouble:
    """What stands in the way, and what the program said last."""

    error: AppError
    last_lines: tuple[str, ...] = ()
    attempts: int = 1
    """How often it was tried."""

    @property
    def database(self) -> str | None:
        """The file that a backup would help; none where it is not about one."""
        is_about_file = isinstance(self.error, DatabaseDamaged | DatabaseTooNew)
        name = self.error.details.get("database")
        return name if is_about_file and isinstance(name, str) else None


@dataclass(frozen=True, slots=True)
class TroubleLinks:
    """What the page needs of the window it stands in."""

    retry: Callable[[Source], None]
    restore: Callable[[Source, Backup], Coroutine[Any, Any, None]]
    begin_anew: Callable[[Source, str], Coroutine[Any, Any, None]]
    say: Callable[[str, str], None]
    failed: Failed


class TroublePage(Page):
    """One card for each that cannot start. Stays as it is while the same is tried again."""

    changed = Signal()
    """Something came, went, or is another now."""

    def __init__(self, texts: LiveTexts, folders: Folders, links: TroubleLinks) -> None:
        super().__init__()
        self._texts = texts
        self._folders = folders
        self._links = links
        self._work = Work(self, links.failed)
        self._troubles: dict[Source, Trouble] = {}
        self._choosing: Source | None = None
        self._tried: dict[Source, QLabel] = {}
        texts.changed.connect(self.show_again)

    @property
    def title(self) -> str | None:
        """What is wrong, in a few words; nothing where all is well."""
        first = next(iter(self._troubles.values()), None)
        return None if first is None else tell(first.error, self._texts).title

    def holds(self, source: Source) -> bool:
        """Whether something is wrong with this one."""
        return source in self._troubles

    def put(self, source: Source, trouble: Trouble) -> None:
        """Say that something cannot start, and why."""
        before = self._troubles.get(source)
        self._troubles[source] = trouble
        if before is None or _told(before.error) != _told(trouble.error):
            self._tell_change()
        elif (tried := self._tried.get(source)) is not None and isValid(tried):
            tried.setText(self._tried_words(trouble))

    def settle(self, source: Source) -> None:
        """It started."""
        if self._troubles.pop(source, None) is not None:
            self._choosing = None
            self._tell_change()

    def show_again(self) -> None:
        """Show what is wrong as it stands now."""
        chosen = self._choosing
        trouble = self._troubles.get(chosen) if chosen else None
        if chosen is not None and trouble is not None:
            self.refill(*self._choice(chosen, trouble))
        else:
            self.refill(*(part for each in self._troubles for part in self._parts(each)))

    def _tell_change(self) -> None:
        self.show_again()
        self.changed.emit()

    def _parts(self, source: Source) -> Iterator[QWidget]:
        texts, trouble = self._texts, self._troubles[source]
        told = tell(trouble.error, texts)
        yield label(texts(f"trouble.{source}"), "title")
        yield label(texts("trouble.about"), "muted")
        lines = label("\n".join(trouble.last_lines) or told.report, "mono")
        lines.hide()
        show = partial(self._toggle, lines)
        self._tried[source] = label(self._tried_words(trouble), "small")
        yield card(
            label(told.title, "heading"),
            label(told.advice),
            facts(list(self._facts(trouble.error))),
            flow(
                *self._ways_on(source, trouble),
                button(texts("report.copy"), partial(self._copy, trouble)),
                button(texts("problem.details"), show),
            ),
            self._tried[source],
            lines,
        )

    def _facts(self, error: AppError) -> Iterator[tuple[str, str]]:
        texts, details = self._texts, error.details
        yield texts("trouble.code"), error.code
        if "database" in details:
            yield texts("trouble.database"), str(details["database"])
        if "pid" in details:
            yield texts("trouble.holder"), str(details["pid"])

    def _ways_on(self, source: Source, trouble: Trouble) -> Iterator[QWidget]:
        """What the words advise is the strong button: damage does not heal by trying again."""
        texts, is_damaged = self._texts, isinstance(trouble.error, DatabaseDamaged)
        retry, choose = partial(self._links.retry, source), partial(self._choose, source)
        if trouble.database is not None and is_damaged:
            yield button(texts("trouble.restore"), choose, "primary")
            yield button(texts("trouble.retry"), retry)
            return
        yield button(texts("trouble.retry"), retry, "primary")
        if trouble.database is not None:
            yield button(texts("trouble.restore"), choose)

    def _tried_words(self, trouble: Trouble) -> str:
        return self._texts("trouble.tried", count=trouble.attempts)

    def _choose(self, source: Source | None) -> None:
        self._choosing = source
        self.show_again()

    def _choice(self, source: Source, trouble: Trouble) -> Iterator[QWidget]:
        texts, name = self._texts, trouble.database or ""
        yield row(button(f"‹ {texts('trouble.back')}", partial(self._choose, None), "link"))
        yield label(texts("trouble.choose"), "title")
        found = backups_of(self._folders.data, name)
        if not found:
            yield label(texts("trouble.none"), "muted")
        for backup in found:
            yield self._backup(source, backup)
        if not found and isinstance(trouble.error, DatabaseDamaged):
            anew = partial(self._ask_to_begin_anew, source, name)
            yield row(button(texts("trouble.anew"), anew, "danger"))

    def _backup(self, source: Source, backup: Backup) -> QWidget:
        texts, moment = self._texts, moment_of(backup, self._texts)
        reason = texts(f"backup.made.{backup.reason}")
        about = texts("backup.row", reason=reason, size=size_in_words(backup.size_bytes, texts))
        restoring = button(texts("backup.restore"), partial(self._ask, source, backup))
        name_button(restoring, texts, moment)
        words = column(label(moment, "strong"), label(about, "muted"), spacing=0)
        return card(row(words, restoring, stretch_at=0))

    def _ask(self, source: Source, backup: Backup) -> None:
        texts = self._texts
        question = Question(
            texts("backup.restore.title"),
            texts("backup.restore.text", moment=moment_of(backup, self._texts)),
            texts("backup.restore.detail"),
            yes=texts("backup.restore.yes"),
            no=texts("backup.restore.no"),
        )
        ask(self.window(), question, lambda: self._start(source, backup))

    def _start(self, source: Source, backup: Backup) -> None:
        self._work.start(self._restore(source, backup))

    async def _restore(self, source: Source, backup: Backup) -> None:
        await self._links.restore(source, backup)
        self._choose(None)
        self._links.say(self._texts("backup.restored"), "success")

    def _ask_to_begin_anew(self, source: Source, name: str) -> None:
        texts = self._texts
        question = Question(
            texts("trouble.anew.title"),
            texts("trouble.anew.text"),
            texts("trouble.anew.detail", name=name),
            yes=texts("trouble.anew.title"),
            no=texts("backup.restore.no"),
            is_destructive=True,
        )
        ask(self.window(), question, lambda: self._work.start(self._begin_anew(source, name)))

    async def _begin_anew(self, source: Source, name: str) -> None:
        await self._links.begin_anew(source, name)
        self._choose(None)
        self._links.say(self._texts("trouble.anew.done"), "success")

    def _copy(self, trouble: Trouble) -> None:
        report = tell(trouble.error, self._texts).report
        more = make_report(f"attempts: {trouble.attempts}", *trouble.last_lines).splitlines()[1:]
        whole = "\n".join([report, *more])
        QGuiApplication.clipboard().setText(whole)
        self._links.say(self._texts("report.copied"), "success")

    def _toggle(self, lines: QWidget) -> None:
        lines.setVisible(not lines.isVisible())


def _told(error: AppError) -> tuple[object, ...]:
    """What a person reads of it: while that stays the same, so does the page."""
    return (error.code, error.details.get("database"), error.details.get("pid"))
