"""A client bound to one app sees that app's sessions and nothing of any other."""

import pytest

from lime_desktop.app_server.server.authentication import Token, new_token
from lime_desktop.protocol.calls.sessions import ListSessionsParams
from lime_desktop.protocol.ids import AppId, SessionId
from tests.app_server.server.door import Door, event
from tests.app_server.server.test_connection import code_of
from tests.app_server.server.test_fan_out import heard_by, settle
from tests.jsonrpc.conversation import run

MINE, OTHER = AppId("mine"), AppId("other")


def door_with_sessions(token: Token | None = None) -> Door:
    door = Door(token=token)
    door.owners = {SessionId("of_mine"): MINE, SessionId("of_other"): OTHER}
    return door


@pytest.mark.requirement("APP-44")
def test_another_apps_session_does_not_exist_for_it() -> None:
    """Ours: refused like a session that was never there, before any handler runs."""

    async def scene() -> None:
        door = door_with_sessions()
        client = door.client()
        await client.introduce(appId="mine")
        for session_id in ("of_other", "of_nobody"):
            answer = await client.call("agentSession/compact", {"sessionId": session_id})
            assert code_of(answer) == (-32010, "APP_E110")
            assert answer["error"]["message"] == "There is no such session"
        assert door.calls == []
        ok = await client.call("agentSession/compact", {"sessionId": "of_mine"})
        assert "result" in ok

    run(scene())


@pytest.mark.parametrize("mode", ["fork", "resume", "continue"])
def test_another_apps_session_cannot_be_the_source_of_its_own(mode: str) -> None:
    """Ours: a fork copies a conversation."""

    async def scene() -> None:
        door = door_with_sessions()
        client = door.client()
        await client.introduce(appId="mine")
        policy = {"mode": mode, "sourceSessionId": "of_other"}
        answer = await client.call("agentSession/start", {"appId": "mine", "sessionPolicy": policy})
        assert code_of(answer) == (-32010, "APP_E110")
        assert door.calls == []

    run(scene())


def test_it_cannot_speak_for_another_app() -> None:
    """Ours: the id is compared, never trusted."""

    async def scene() -> None:
        client = door_with_sessions().client()
        await client.introduce(appId="mine")
        answer = await client.call("agentSession/start", {"appId": "other"})
        assert code_of(answer) == (-32020, "APP_E002")

    run(scene())


def test_its_lists_are_of_its_own_app() -> None:
    """Ours: without a filter it still gets only its own."""

    async def scene() -> None:
        door = door_with_sessions()
        client = door.client()
        await client.introduce(appId="mine")
        await client.call("agentSession/list")
        assert door.calls[0][0] == ListSessionsParams(app_id=MINE)
        assert door.calls[0][1].bound_app_id == MINE

    run(scene())


@pytest.mark.requirement("APP-44")
def test_it_hears_no_event_of_another_app() -> None:
    """Ours: even of a session it managed to name."""

    async def scene() -> None:
        door = door_with_sessions()
        client = door.client()
        await client.introduce(appId="mine")
        await client.call("agentSession/compact", {"sessionId": "of_mine"})
        door.services.fan_out.publish(OTHER, [event("of_mine", 1)])
        await settle()
        assert heard_by(client) == []

    run(scene())


@pytest.mark.requirement("APP-54")
def test_a_socket_client_must_show_a_proof() -> None:
    """Ours: the token file is the door key; an app's proof opens only as that app."""
    token = new_token()

    async def scene() -> None:
        door = door_with_sessions(Token("the token"))
        right = Token("the token")
        for proof, app_id in [
            (None, None),
            ("wrong", None),
            (token.proof_for(MINE), "mine"),
            (right.proof_for(MINE), "other"),
            (right.proof_for(MINE), None),
            ("ü", None),
        ]:
            answer = await door.client().introduce(proof=proof, appId=app_id)
            assert code_of(answer) == (-32020, "APP_E042")
        for proof, app_id in [
            ("the token", None),
            ("the token", "mine"),
            (right.proof_for(MINE), "mine"),
        ]:
            assert "result" in await door.client().introduce(proof=proof, appId=app_id)

    run(scene())


def test_a_token_does_not_print() -> None:
    """Ours: secrets have a type that prints stars."""
    assert "the token" not in repr(Token("the token"))
