"""Tells a person what goes of an app by its age, before it goes for the first time, and lets them keep it."""

from collections.abc import Callable
from functools import partial

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.apps.registry import AppRegistry
from lime_desktop.host.apps.retention import DueRemoval, RetentionRounds
from lime_desktop.host.wording.texts import Texts
from lime_desktop.shell.notices.notices import Notices
from lime_desktop.shell.widgets.parts import button
from lime_desktop.shell.widgets.work import Work


class OldDataNotices:
    """One for as long as the app center is open."""

    def __init__(
        self,
        texts: Texts,
        registry: AppRegistry,
        center: AppCenter,
        notices: Notices,
        work: Work,
        show_settings: Callable[[str], None],
    ) -> None:
        self._texts = texts
        self._registry = registry
        self._center = center
        self._notices = notices
        self._work = work
        self._show_settings = show_settings

    def follow(self, rounds: RetentionRounds) -> None:
        """Tell what these say."""
        rounds.due.subscribe(self._tell)

    def _tell(self, due: DueRemoval) -> None:
        app, texts = self._registry.app(due.app_id), self._texts
        if app is None:
            return
        title = app.title(texts.locale)
        words = texts("retention.due", app=title, count=due.count)
        keep = button(texts("retention.keep"), lambda: self._work.start(self._keep(due, title)))
        shown = button(texts("fix.open-settings"), partial(self._show_settings, "storage"), "link")
        self._notices.stand(_name(due), self._notices.note(words, "warning", keep, shown))

    async def _keep(self, due: DueRemoval, title: str) -> None:
        await self._center.permissions.agree_to_retention(due.app_id, None)
        self._notices.stand(_name(due), None)
        self._notices.hint(self._texts("settings.storage.retention.off", app=title))


def _name(due: DueRemoval) -> str:
    return f"retention {due.app_id}"
