"""The sessions whose every event the desktop wants to hear, for as long as somebody looks at them.

Of all others it hears what it has to act on. What an agent writes piece by piece reaches a page as events of its task:
a second copy for nobody would cross and be read for each of them.
"""

from collections import Counter
from collections.abc import Callable

from lime_desktop.protocol.calls.handshake import EventTypes
from lime_desktop.protocol.calls.sessions import FOLLOW_SESSION, FollowSessionNotification
from lime_desktop.protocol.ids import SessionId

USUAL_TYPES: EventTypes = ("action.*", "runtime.warning")
"""What every session may put to a person, whether anybody looks at it or not."""
_ALL: EventTypes = ("*",)

Tell = Callable[[str, object], bool]
"""Sends a notification, or says that there is no room for one now."""


class FollowedSessions:
    """Of one connection: a session may be looked at in several places, and is asked for once."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._lookers: Counter[SessionId] = Counter()
        self._unsaid: dict[SessionId, None] = {}
        """Sessions of which the server has to be told what is wanted."""

    def follow(self, session_id: SessionId) -> Callable[[], None]:
        """Hear every event of a session that is written from now on; the returned function ends it."""
        self._lookers[session_id] += 1
        if self._lookers[session_id] == 1:
            self._say(session_id)

        def leave() -> None:
            self._lookers[session_id] -= 1
            if not self._lookers[session_id]:
                del self._lookers[session_id]
                self._say(session_id)

        return leave

    def catch_up(self) -> None:
        """There is room again: say what could not be said."""
        for session_id in tuple(self._unsaid):
            self._say(session_id)

    def _say(self, session_id: SessionId) -> None:
        wanted = _ALL if session_id in self._lookers else None
        said = FollowSessionNotification(session_id=session_id, event_types=wanted)
        if self._tell(FOLLOW_SESSION.name, said.to_wire()):
            self._unsaid.pop(session_id, None)
        else:
            self._unsaid[session_id] = None
