"""How many runs one app may start by events: so many at once, and then so many in an hour. The rest waits where it happened."""

from lime_desktop.app_server.workflows.clock import Clock

MOST_AT_ONCE = 60
EVERY_MS = 6_000
"""Beyond that, one each so often: 600 in an hour."""


class StartRate:
    """Counts the starts of each app. A new process counts anew."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._full_at_ms: dict[str, int] = {}
        """When each app may start as many at once as it ever may."""

    def take(self, app_id: str) -> bool:
        """Count one more start, if there may be one."""
        now_ms = self._clock.now_ms()
        full_at_ms = max(self._full_at_ms.get(app_id, 0), now_ms)
        if full_at_ms - now_ms > (MOST_AT_ONCE - 1) * EVERY_MS:
            return False
        self._full_at_ms[app_id] = full_at_ms + EVERY_MS
        return True

    def next_ms(self, app_id: str) -> int:
        """When there may be one more."""
        return self._full_at_ms.get(app_id, 0) - (MOST_AT_ONCE - 1) * EVERY_MS
