"""Has old data of every installed app removed, as far as a person agreed to it: at the start, and daily while the program is open.

What goes cannot be brought back. So before anything goes for the first time, the person is told how much, and has a day
to stop it.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from lime_desktop.background.observers import Observers
from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.host.app_center.records.records import InstalledApp, now_ms
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)

EVERY_S = 86_400.0
"""Between two rounds; the first is at the start."""
NOTICE_MS = 20 * 3_600_000
"""How long a person has at least to stop the first removal: until the next morning."""


@dataclass(frozen=True, slots=True)
class DueRemoval:
    """What goes at the next round, unless somebody stops it."""

    app_id: str
    count: int


class RetentionRounds:
    """For as long as the app center is open."""

    def __init__(self, center: AppCenter, now_ms: Callable[[], int] = now_ms) -> None:
        self._center = center
        self._now_ms = now_ms
        self.due = Observers[DueRemoval]()
        """Says what goes for the first time by what was agreed to."""

    async def hold_all(self) -> None:
        """One round. An app that fails keeps no other from its turn, and has another tomorrow."""
        for app in self._center.installed():
            try:
                await self._hold(app)
            except AppError as error:
                extra = {"appId": app.app_id, "code": error.code}
                _log.warning("old data of an app could not be removed", extra=extra)

    async def _hold(self, app: InstalledApp) -> None:
        terms, told_at_ms = app.agreed_retention, app.retention_told_at_ms
        if terms is None or not app.is_enabled:
            return
        permissions = self._center.permissions
        if told_at_ms is not None:
            if self._now_ms() - told_at_ms >= NOTICE_MS:
                await permissions.hold_retention(app.app_id)
            return
        due = await permissions.foresee_retention(app.app_id, terms)
        if due.removed and await permissions.tell_retention(app.app_id, terms, self._now_ms()):
            self.due.notify(DueRemoval(app.app_id, due.removed))
