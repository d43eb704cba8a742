"""Tells what happened to apps without the person: an update that installed itself, one that asks, one that failed, a version that was revoked.

Each waits behind the bell until the person has read it, across starts. What was revoked is shut, with everything that it works on.
"""

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.changes.outcome_words import is_news, outcome_words
from lime_desktop.host.app_center.records.records import InstalledApp
from lime_desktop.host.app_center.records.update_records import UpdateOutcome
from lime_desktop.host.app_center.review.notes import VersionNotes
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.wording.joining import named, sentences
from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.widgets.parts import Tone, button, label, name_button
from lime_desktop.shell.widgets.work import Work

_TONES: dict[str, Tone] = {"installed": "ok", "asked": "info", "failed": "warning"}
_MOST_NOTES = 160
"""Letters of what is new: a notice is read at a glance."""


@dataclass(frozen=True, slots=True)
class UpdateLinks:
    """Where a notice leads."""

    close_app: Callable[[str], None]
    show_app: Callable[[str], None]
    review_update: Callable[[str], None]
    stop_runs: Callable[[str], Coroutine[Any, Any, None]]


class UpdateNotices:
    """Follows the registry: whatever changes there may be news, or be over."""

    def __init__(
        self,
        texts: Texts,
        registry: AppRegistry,
        center: AppCenter,
        notices: Notices,
        links: UpdateLinks,
        work: Work,
    ) -> None:
        self._texts = texts
        self._registry = registry
        self._center = center
        self._notices = notices
        self._links = links
        self._work = work
        self._standing: set[str] = set()
        self._stopped: set[str] = set()

    def show(self) -> None:
        """Say what is to be said now, and nothing that is over."""
        told = dict[str, None]()
        for app in self._center.installed():
            told |= dict.fromkeys(self._tell(app))
        for name in self._standing - told.keys():
            self._notices.stand(name, None)
        self._standing = set(told)

    def _tell(self, app: InstalledApp) -> Iterator[str]:
        outcome = self._center.update_policies.outcome(app.app_id)
        is_revoked = self._center.recalls.is_revoked(app)
        if is_revoked:
            name = f"app-revoked {app.app_id}"
            self._tell_revoked(name, app)
            yield name
        # That it was updated to what must not run matters no more; a newer version does.
        is_overtaken = is_revoked and outcome is not None and outcome.kind == "installed"
        if outcome and not outcome.is_seen and not is_overtaken and is_news(app, outcome):
            name = f"app-update {app.app_id}"
            self._tell_outcome(name, app, outcome)
            yield name

    def _tell_outcome(self, name: str, app: InstalledApp, outcome: UpdateOutcome) -> None:
        words = outcome_words(self._title(app), outcome, self._texts)
        notice = self._notices.note(
            words, _TONES[outcome.kind], *self._ways(app, outcome, about=words)
        )
        lines = VersionNotes(outcome.version, outcome.notes).lines_in(self._texts.locale)
        if notes := plain_line(" ".join(lines), _MOST_NOTES):
            notice.add_below(label(named(self._texts, self._texts("update.notes"), notes), "small"))
        self._notices.stand(name, notice, is_over=True)

    def _ways(self, app: InstalledApp, outcome: UpdateOutcome, about: str) -> Iterator[QWidget]:
        texts, app_id = self._texts, app.app_id
        ways: list[tuple[str, Callable[[], object]]] = []
        if outcome.kind == "installed" and self._center.earlier_point(app_id) is not None:
            ways.append(("action.undo", partial(self._undo, app)))
        if outcome.kind != "installed":
            ways.append(("auto-update.review", partial(self._links.review_update, app_id)))
        else:
            ways.append(("auto-update.show", partial(self._links.show_app, app_id)))
        ways.append(("auto-update.seen", lambda: None))
        for key, go in ways:
            made = button(texts(key), partial(self._go, app_id, go), "link")
            name_button(made, texts, about)
            yield made

    def _go(self, app_id: str, go: Callable[[], object]) -> None:
        """Whoever presses has read it."""
        self._work.start(self._center.update_policies.see(app_id))
        go()

    def _undo(self, app: InstalledApp) -> None:
        async def undo() -> None:
            self._links.close_app(app.app_id)
            back = await self._center.roll_back(app.app_id)
            words = self._texts("auto-update.undone", app=self._title(app), version=back.version)
            self._notices.toast(words, "success")

        self._work.start(undo())

    def _tell_revoked(self, name: str, app: InstalledApp) -> None:
        texts, app_id = self._texts, app.app_id
        if app_id not in self._stopped:
            # Shut at once: what must not run does not finish first.
            self._stopped.add(app_id)
            self._links.close_app(app_id)
            self._work.start(self._links.stop_runs(app_id))
        recall = self._center.recalls.of(app)
        reason = recall.reason_in(texts.locale) if recall else ""
        stopped = texts("recall.stopped", app=self._title(app))
        words = sentences(texts, stopped, reason, texts("recall.stopped.data"))
        show = button(texts("auto-update.show"), lambda: self._links.show_app(app_id), "link")
        name_button(show, texts, words)
        self._notices.stand(name, self._notices.note(words, "danger", show), is_over=True)

    def _title(self, app: InstalledApp) -> str:
        # By what was read: to tell of an app is no reason to read its package.
        read = next((each for each in self._registry.apps if each.app_id == app.app_id), None)
        return app.title if read is None else read.title(self._texts.locale)
