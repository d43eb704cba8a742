"""The person's own work on Home: where to go on, and what waits for them. Apps come after it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.approvals.approvals import Approvals
from lime_desktop.host.approvals.question import Question
from lime_desktop.host.approvals.wording import word_question
from lime_desktop.host.apps.registry import AppRegistry, RegisteredApp
from lime_desktop.host.runs.benchmarks import is_of_benchmark
from lime_desktop.host.user_profile.recent_work import RecentEntry, RecentWork, ShownWork
from lime_desktop.host.wording.joining import part_name
from lime_desktop.protocol.calls.sessions import LIST_SESSIONS, ListSessionsParams
from lime_desktop.protocol.calls.workflow_runs import (
    LIST_OPEN_RUNS,
    WORKFLOW_STEP,
    ListOpenRunsParams,
)
from lime_desktop.protocol.capability_calls.workflow import WorkflowRun
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.protocol.runtime.sessions import AgentSession
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.pages.home.broken_runs import (
    BrokenRunLinks,
    BrokenRuns,
)
from lime_desktop.shell.widgets.amounts import ago_in_words
from lime_desktop.shell.widgets.parts import (
    button,
    column,
    icon_button,
    icon_label,
    label,
    name_button,
    rows_card,
    section_heading,
    wide_row,
)
from lime_desktop.shell.widgets.tiles import Grid, Tile, TileShape

_READ = 30
_MOST_PAGES = 5
_MOST_RECENT = 6
_MOST_WAITING = 5
_FRESH_MS = 7 * 86_400_000
"""A run that failed longer ago is history."""


@dataclass(frozen=True, slots=True)
class WorkLinks:
    """Where the person's work leads."""

    open_entry: Callable[[str, str], None]
    open_session: Callable[[AgentSession], None]
    show_run: Callable[[str], None]
    show_questions: Callable[[str], None]
    """By the name of a question."""
    open_workflow_run: Callable[[str, str, str], None]
    """By the app, its entry and the run."""
    retry_run: Callable[[WorkflowRun], None]


@dataclass(frozen=True, slots=True)
class _Recent:
    """One thing to go on with: a conversation, or an entry that was in front."""

    at_ms: int
    app: RegisteredApp
    title: str
    open: Callable[[], None]
    is_named: bool = False
    """Whether the title says whose it is."""


class HomeWork:
    """Knows the last sessions as they were last read; questions and entries it looks up."""

    def __init__(
        self,
        look: Look,
        registry: AppRegistry,
        approvals: Approvals,
        recent: RecentWork,
        links: WorkLinks,
        changed: Callable[[], None],
    ) -> None:
        self._look = look
        self._registry = registry
        self._approvals = approvals
        self._recent = recent
        self._links = links
        self._changed = changed
        self._sessions: tuple[AgentSession, ...] = ()
        self._runs: dict[str, WorkflowRun] = {}
        """The runs of workflows that have not ended, by their ids."""
        ways = BrokenRunLinks(links.open_workflow_run, links.show_run, links.retry_run, changed)
        self._broken = BrokenRuns(look, registry, recent, ways)
        self._is_read = False
        """Whether the sessions are known; until then what was there last keeps its place."""

    async def read(self, call: CallServer) -> None:
        """Read the last sessions anew, and say so if they are others."""
        found = await _last_sessions(call)
        listed = await call(LIST_OPEN_RUNS, ListOpenRunsParams(failed_since=_moment(_fresh_ms())))
        runs = {each.workflow_run_id: each for each in listed.runs}
        is_news = self._broken.learn(runs, listed.failed)
        if is_news or (found, runs) != (self._sessions, self._runs) or not self._is_read:
            self._sessions, self._runs, self._is_read = found, runs, True
            self._changed()

    def shows(self) -> object:
        """What the parts would say, to be compared."""
        recent = self._recent
        seen = tuple(recent.has_seen(each.session_id) for each in self._sessions)
        runs = tuple((each.workflow_run_id, each.waits_for) for each in self._runs.values())
        broken = self._broken.shows()
        work = (recent.entries, self._sessions, seen, runs, broken, self._is_read)
        return (self._approvals.queue.open, *work)

    def parts(self) -> Iterator[QWidget]:
        """Where to go on, then what waits; the room of what is not known yet is kept, so that nothing moves later."""
        recent, waiting = self._find_recent(), [*self._waiting()]
        if self._is_read:
            self._recent.note_shown(len(recent), len(waiting))
        yield from self._parts(
            [
                *map(self._recent_tile, recent),
                *map(_shape, range(len(recent), self._awaits().tiles)),
            ],
            [*waiting, *(self._row_shape() for _ in range(len(waiting), self._awaits().rows))],
        )

    def awaited_parts(self) -> Iterator[QWidget]:
        """What stands in the place of it all while not even the apps are known."""
        kept = self._recent
        tiles = max(self._awaits().tiles, min(len(kept.entries), _MOST_RECENT))
        rows = [self._row_shape() for _ in range(self._awaits().rows)]
        yield from self._parts([*map(_shape, range(tiles))], rows)

    def _parts(self, tiles: list[QWidget], rows: list[QWidget]) -> Iterator[QWidget]:
        texts = self._look.texts
        if tiles:
            yield section_heading(texts("home.continue"))
            yield Grid(*tiles)
        if rows:
            yield section_heading(texts("home.waiting"))
            yield rows_card(*rows)

    def _awaits(self) -> ShownWork:
        """How much was there when Home was last seen, as long as nobody knows what is now."""
        return ShownWork() if self._is_read else self._recent.shown

    def _row_shape(self) -> QWidget:
        words = column(label(" ", "strong"), label(" ", "small"), spacing=0)
        made = wide_row(icon_label(QIcon(), 32), words)
        made.setAccessibleName(self._look.texts("skeleton.name"))
        return made

    def _find_recent(self) -> list[_Recent]:
        sessions = [*self._recent_sessions()]
        talked_in = {
            (each.app_id, each.business_object_ref.id)
            for each in self._sessions
            if each.business_object_ref is not None and each.business_object_ref.kind == "entry"
        }
        entries = (
            each for each in self._recent.entries if (each.app_id, each.entry_key) not in talked_in
        )
        found = [*sessions, *filter(None, map(self._recent_entry, entries))]
        return sorted(found, key=lambda each: each.at_ms, reverse=True)[:_MOST_RECENT]

    def _recent_sessions(self) -> Iterator[_Recent]:
        # Runs of one thing have one name: the newest stands for them, the others are among the runs.
        newest = {(each.app_id, each.title): each for each in reversed(self._sessions)}
        for each in sorted(newest.values(), key=_at_ms, reverse=True)[:_MOST_RECENT]:
            app = self._registry.app(each.app_id)
            if app is not None and each.title:
                opening = partial(self._links.open_session, each)
                yield _Recent(_at_ms(each), app, plain_name(each.title), opening)

    def _recent_entry(self, entry: RecentEntry) -> _Recent | None:
        app = self._registry.app(entry.app_id)
        if app is None or app.projection.entry(entry.entry_key) is None:
            return None
        # What is still being found out is waited for where it opens: a tile that comes later would move the others.
        if not app.can_open(entry.entry_key) and not self._registry.is_checking(app.app_id):
            return None
        # Which note or draft it was is the app's to know: the host keeps names and times alone.
        locale = self._look.texts.locale
        title = part_name(app.title(locale), app.entry_title(entry.entry_key, locale))
        opening = partial(self._links.open_entry, entry.app_id, entry.entry_key)
        return _Recent(entry.at_ms, app, title, opening, is_named=True)

    def _recent_tile(self, recent: _Recent) -> Tile:
        ago, app = self._ago(recent.at_ms), recent.app.title(self._look.texts.locale)
        about = ago if recent.is_named else f"{app} · {ago}"
        return Tile(self._look.appearance.icon_of(recent.app), recent.title, about, recent.open)

    def _waiting(self) -> Iterator[QWidget]:
        for question in self._approvals.queue.open[:_MOST_WAITING]:
            yield self._question_row(question)
        for row in self._broken.rows():
            yield self._row(row.app_id, row.title, row.kind, row.at_ms, *row.tools)
        fresh_ms = _fresh_ms()
        failed = (
            each
            for each in self._sessions
            if each.status == "failed" and _at_ms(each) > fresh_ms
            if not self._recent.has_seen(each.session_id)
            # Nobody waits for a person in an app that is gone; its runs are among the records.
            if self._registry.app(each.app_id) is not None
            if not self._broken.is_of_one(each.session_id)
        )
        for _, session in zip(range(_MOST_WAITING), failed, strict=False):
            yield self._failed_row(session)

    def _question_row(self, question: Question) -> QWidget:
        texts = self._look.texts
        words = word_question(question, self._registry.app(question.app_id), texts).line
        kind = texts("home.waiting.review" if question.review else "home.waiting.approval")
        look = button(
            texts("home.waiting.decide"),
            partial(self._links.show_questions, question.question_id),
        )
        name_button(look, texts, words)
        there = self._run_tools(question)
        return self._row(question.app_id, words, kind, question.asked_at_ms, *there, look)

    def _run_tools(self, question: Question) -> Iterator[QWidget]:
        """Where the question of a run leads: to the run."""
        run = self._runs.get(self._approvals.agents.run_of(question.question_id) or "")
        app = self._registry.app(question.app_id)
        entry = app.workflow_entry(run.key) if app and run else None
        if run is None or entry is None:
            return
        texts = self._look.texts
        opening = partial(
            self._links.open_workflow_run, question.app_id, entry, run.workflow_run_id
        )
        there = button(texts("home.waiting.run"), opening)
        name_button(there, texts, plain_name(run.title))
        yield there

    def _failed_row(self, session: AgentSession) -> QWidget:
        texts = self._look.texts
        title = plain_name(session.title or session.session_id)
        look = button(texts("home.waiting.view"), partial(self._show_failed, session.session_id))
        name_button(look, texts, title)
        dismiss = icon_button(
            texts("home.waiting.dismiss", name=title), partial(self._dismiss, session.session_id)
        )
        self._look.icons.put_on(dismiss, "close", "text-muted", 14)
        failed = texts("home.waiting.failed")
        return self._row(session.app_id, title, failed, _at_ms(session), look, dismiss)

    def _row(self, app_id: str, title: str, kind: str, at_ms: int, *tools: QWidget) -> QWidget:
        app, texts = self._registry.app(app_id), self._look.texts
        name = plain_name(app_id) if app is None else app.title(texts.locale)
        told = [kind, name, *([self._ago(at_ms)] if at_ms else [])]
        words = column(label(title, "strong"), label(" · ".join(told), "small"), spacing=0)
        picture = (
            self._look.appearance.icon(None, name)
            if app is None
            else self._look.appearance.icon_of(app)
        )
        return wide_row(icon_label(picture, 32), words, *tools)

    def _show_failed(self, session_id: str) -> None:
        self._recent.see(session_id)
        self._links.show_run(session_id)
        self._changed()

    def _dismiss(self, session_id: str) -> None:
        self._recent.see(session_id)
        self._changed()

    def _ago(self, at_ms: int) -> str:
        return ago_in_words(at_ms, _now_ms(), self._look.texts)


async def _last_sessions(call: CallServer) -> tuple[AgentSession, ...]:
    """The newest that are somebody's work. A run of many steps has as many sessions: it must not crowd the others out."""
    found: list[AgentSession] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await call(LIST_SESSIONS, ListSessionsParams(limit=_READ, cursor=cursor))
        found += filter(_is_work, page.sessions)
        cursor = page.next_cursor
        if cursor is None or len(found) >= _READ:
            break
    return tuple(found[:_READ])


def _is_work(session: AgentSession) -> bool:
    """Whether it is a person's own: no measurement, and no step, which belongs to its run."""
    about = session.business_object_ref
    return not is_of_benchmark(session) and (about is None or about.kind != WORKFLOW_STEP)


def _shape(_at: int) -> QWidget:
    return TileShape()


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _fresh_ms() -> int:
    return _now_ms() - _FRESH_MS


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1_000, UTC).isoformat()


def _moment_ms(moment: str) -> int:
    return round(datetime.fromisoformat(moment).timestamp() * 1_000)


def _at_ms(session: AgentSession) -> int:
    return _moment_ms(session.updated_at)
