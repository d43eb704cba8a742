"""lime.cloudSession: who is signed in, and never a token (the standard)."""

from pathlib import Path

import pytest

from lime_desktop.protocol.capability_calls.cloud_session import CALLS, CloudSessionSnapshot
from tests.conformance.packages import app_md, write_package
from tests.host.bridged import Bridged, play

WANTED = "requires: {capabilities: {lime.cloudSession: '>=0.3.0'}}\n"


@pytest.mark.requirement("APP-29", "APP-66")
def test_an_app_learns_that_nobody_is_signed_in_and_gets_no_token(tmp_path: Path) -> None:
    async def scene(page: Bridged) -> None:
        told = await page.value("lime.cloudSession.getSnapshot")
        assert told["state"] == "unauthenticated"
        assert [name for name in told if "token" in name.lower()] == []
        refused = await page("lime.cloudSession.getAccessToken")
        assert refused["ok"] is False
        assert "accessToken" not in str(refused)
        assert await page.code("lime.cloudSession.getAccessToken") == "APP_E043"
        asked = await page.value("lime.cloudSession.requestLogin")
        assert asked["hasSession"] is False
        # A bug: a person was asked to hand out a token that nobody has.
        assert page.approvals.queue.open == ()

    play(tmp_path / "data", write_package(tmp_path, {"APP.md": app_md(WANTED)}), scene)


@pytest.mark.requirement("APP-29")
def test_a_session_has_no_place_for_a_token_and_no_way_to_call_through_it() -> None:
    assert [name for name in CloudSessionSnapshot.model_fields if "token" in name] == []
    assert [call.method for call in CALLS] == ["getSnapshot", "getAccessToken", "requestLogin"]
