"""Talking to an agent: a session is opened for what can be answered (ours)."""

import asyncio
from typing import Any

import pytest

from lime_desktop.host.runs.conversation import Conversations, Speaker
from lime_desktop.protocol.calls.models import ListModelsResult, ModelObstacle
from lime_desktop.protocol.errors import ProviderNotReady
from lime_desktop.protocol.wire import Method

NO_KEY = ModelObstacle(
    reason_code="key_missing", message="The provider has no API key.", setup_action="Add its key"
)


def test_no_session_is_left_behind_where_nobody_could_answer() -> None:
    """A bug: each try without a model left an empty conversation."""
    called: list[str] = []

    async def call(method: Method[Any, Any], params: object, *, timeout_s: float) -> object:
        del params, timeout_s
        called.append(method.name)
        return ListModelsResult(models=(), obstacle=NO_KEY)

    chats = Conversations(call, Speaker("notes", "chat", "Chat"))  # pyright: ignore[reportArgumentType] - the one answer serves
    with pytest.raises(ProviderNotReady) as refused:
        asyncio.run(chats.begin("Hello"))
    assert refused.value.details["reasonCode"] == "key_missing"
    assert called == ["model/list"]
