"""Runs of workflows that go no further without a person, as rows of Home: they wait to be retried, or failed and nobody has looked."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice

from PySide6.QtWidgets import QWidget

from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.user_profile.recent_work import RecentWork
from lime_desktop.protocol.capability_calls.workflow import WorkflowRun
from lime_desktop.protocol.plain_text import plain_name
from lime_desktop.shell.appearance.look import Look
from lime_desktop.shell.widgets.parts import button, icon_button, name_button

_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class BrokenRunLinks:
    """Where such a run leads, and what can be done about it."""

    open_run: Callable[[str, str, str], None]
    """Shows it on the page of its workflow: by the app, the entry and the run."""
    show_run: Callable[[str], None]
    """Shows it by its session, where its workflow has no page."""
    retry: Callable[[WorkflowRun], None]
    changed: Callable[[], None]


@dataclass(frozen=True, slots=True)
class BrokenRunRow:
    """One of them, in words and buttons."""

    app_id: str
    title: str
    kind: str
    at_ms: int
    tools: tuple[QWidget, ...]


class BrokenRuns:
    """Knows them as they were read last."""

    def __init__(
        self, look: Look, registry: AppRegistry, recent: RecentWork, links: BrokenRunLinks
    ) -> None:
        self._look = look
        self._registry = registry
        self._recent = recent
        self._links = links
        self._open: Mapping[str, WorkflowRun] = {}
        self._failed: tuple[WorkflowRun, ...] = ()

    def learn(self, open_ones: Mapping[str, WorkflowRun], failed: tuple[WorkflowRun, ...]) -> bool:
        """These have not ended, and these failed lately, the newest first; tells whether that is news."""
        is_news = (open_ones, failed) != (self._open, self._failed)
        self._open, self._failed = open_ones, failed
        return is_news

    def is_of_one(self, session_id: str) -> bool:
        """Whether a session is that of a run which failed: it is told here."""
        return any(each.session_id == session_id for each in self._failed)

    def shows(self) -> object:
        """What the rows would say, to be compared."""
        return tuple((_name_of(each), each.waits_for) for each in self._found())

    def rows(self) -> Iterator[BrokenRunRow]:
        """The newest of them."""
        return map(self._row, self._found())

    def _found(self) -> list[WorkflowRun]:
        """A run that is a step of another is told with that one."""
        stuck = (each for each in reversed(tuple(self._open.values())) if each.waits_for == "retry")
        unseen = (each for each in self._failed if not self._recent.has_seen(_name_of(each)))
        found = (each for each in (*stuck, *unseen) if each.parent_run_id is None)
        # Nobody waits for a person in an app that is gone; its runs are among the records.
        here = (each for each in found if self._registry.app(each.provenance.app_id) is not None)
        return [*islice(here, _MOST_SHOWN)]

    def _row(self, run: WorkflowRun) -> BrokenRunRow:
        texts, app_id = self._look.texts, run.provenance.app_id
        app = self._registry.app(app_id)
        entry = app.workflow_entry(run.key) if app else None
        title = app.entry_title(entry, texts.locale) if app and entry else plain_name(run.title)
        is_failed = run.status == "failed"
        kind = texts("home.waiting.failed" if is_failed else "workflow.waits.retry")
        return BrokenRunRow(
            app_id,
            title,
            kind,
            _moment_ms(run.finished_at or run.started_at),
            tuple(self._tools(run, entry, title)),
        )

    def _tools(self, run: WorkflowRun, entry: str | None, title: str) -> Iterator[QWidget]:
        texts = self._look.texts
        made = [button(texts("home.waiting.run"), partial(self._show, run, entry))]
        if entry is None and run.status != "failed":
            # There is no page that would offer it.
            made.insert(0, button(texts("workflow.retry"), partial(self._links.retry, run)))
        for each in made:
            name_button(each, texts, title)
        yield from made
        if run.status == "failed":
            cross = texts("home.waiting.dismiss", name=title)
            dismiss = icon_button(cross, partial(self._see, run))
            self._look.icons.put_on(dismiss, "close", "text-muted", 14)
            yield dismiss

    def _show(self, run: WorkflowRun, entry: str | None) -> None:
        if entry is not None:
            self._links.open_run(run.provenance.app_id, entry, run.workflow_run_id)
        else:
            # Its workflow has no page: what happened in it is told as that of any other run.
            self._links.show_run(run.session_id)
        self._see(run)

    def _see(self, run: WorkflowRun) -> None:
        self._recent.see(_name_of(run))
        self._links.changed()


def _name_of(run: WorkflowRun) -> str:
    """Another one each time that a run fails: one that was retried has not been looked at since."""
    return f"{run.session_id} {run.finished_at or ''}"


def _moment_ms(moment: str) -> int:
    return round(datetime.fromisoformat(moment).timestamp() * 1_000)
