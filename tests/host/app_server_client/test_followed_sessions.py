"""A session that somebody looks at is asked for once, and let go when nobody does any more (ours)."""

from lime_desktop.host.app_server_client.connection import FollowedSessions
from lime_desktop.protocol.ids import SessionId

MINE = SessionId("mine")
WHOLE = {"sessionId": "mine", "eventTypes": ["*"]}
USUAL = {"sessionId": "mine"}


class Line:
    """Takes what is said while there is room."""

    def __init__(self) -> None:
        self.said: list[object] = []
        self.has_room = True

    def tell(self, method: str, params: object) -> bool:
        assert method == "agentSession/follow"
        if self.has_room:
            self.said.append(params)
        return self.has_room


def test_a_session_is_asked_for_once_however_many_look_at_it() -> None:
    line = Line()
    sessions = FollowedSessions(line.tell)
    first, second = sessions.follow(MINE), sessions.follow(MINE)
    first()
    assert line.said == [WHOLE]
    second()
    assert line.said == [WHOLE, USUAL]


def test_what_could_not_be_said_is_said_once_there_is_room() -> None:
    line = Line()
    sessions = FollowedSessions(line.tell)
    line.has_room = False
    leave = sessions.follow(MINE)
    line.has_room = True
    sessions.catch_up()
    sessions.catch_up()
    assert line.said == [WHOLE]
    leave()
    assert line.said == [WHOLE, USUAL]


def test_what_is_wanted_when_there_is_room_again_is_said_and_not_what_was() -> None:
    line = Line()
    sessions = FollowedSessions(line.tell)
    line.has_room = False
    sessions.follow(MINE)()
    line.has_room = True
    sessions.catch_up()
    assert line.said == [USUAL]
