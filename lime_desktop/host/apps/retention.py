"""Has old data of every installed app removed, as far as a person agreed to it: at the start, and daily while the program is open."""

import logging

from lime_desktop.host.app_center.center import AppCenter
from lime_desktop.protocol.errors import AppError

_log = logging.getLogger(__name__)

EVERY_S = 86_400.0
"""Between two rounds; the first is at the start."""


async def hold_all(center: AppCenter) -> None:
    """One round. An app that fails keeps no other from its turn, and has another tomorrow."""
    for app in center.installed():
        try:
            await center.permissions.hold_retention(app.app_id)
        except AppError as error:
            extra = {"appId": app.app_id, "code": error.code}
            _log.warning("old data of an app could not be removed", extra=extra)
