"""Which events of a session reach the desktop: what somebody there looks at or must act on, and nothing to be dropped (ours)."""

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lime_desktop.app_server.execution.scripted import Ask, Hold, ScriptedEngine
from lime_desktop.host.app_server_client.calling import CallServer
from lime_desktop.host.app_server_client.connection import AppServerConnection
from lime_desktop.host.app_server_client.supervisor import Running, ServerState
from lime_desktop.host.runs.session_feed import SessionFeed
from lime_desktop.protocol.calls.sessions import READ_SESSION, SESSION_EVENT, ReadSessionParams
from lime_desktop.runtime_views.views import SessionViews
from tests.app_server.agent_tasks.tasks_at_work import says
from tests.host.bridged import Bridged, play
from tests.host.capabilities.test_task_streams import (
    app,
    counting,
    subscribed,
    told_until_the_end,
)
from tests.host.contracts.contract import QUESTION

PIECES = 200
ENGINE = {"count": counting(PIECES), "ask": [Ask(QUESTION, allowed=says("Green"))]}


def heard_by(connection: AppServerConnection) -> Counter[str]:
    """What a connection hears of sessions from now on, by type."""
    types: Counter[str] = Counter()
    connection.listen(SESSION_EVENT, lambda told: types.update([told.event.type]))
    return types


class OneServer:
    """A server that is there from beginning to end."""

    def __init__(self, connection: AppServerConnection) -> None:
        self.state: ServerState = Running(connection)
        self.call: CallServer = connection.call

    def watch(self, watcher: Callable[[ServerState], None]) -> Callable[[], None]:
        del watcher
        return lambda: None


async def streamed(page: Bridged) -> list[dict[str, Any]]:
    """What a page is told of a task whose agent writes in pieces."""
    task = await page.value("lime.agent.startTask", prompt="count")
    await subscribed(page, task["taskId"])
    told = await told_until_the_end(page)
    return [each for message in told for each in message["events"]]


def test_a_piece_that_an_agent_writes_crosses_once_on_its_way_to_a_page(tmp_path: Path) -> None:
    """A bug: each was pushed as well, as an event of its session, and read only to be dropped."""

    async def scene(page: Bridged) -> None:
        page.approvals.agents.introduce(page.connection)
        heard = heard_by(page.connection)
        events = await streamed(page)
        assert sum(each["type"] == "assistant:delta" for each in events) == PIECES
        assert heard == Counter()
        await page.approvals.close()

    play(tmp_path / "data", app(tmp_path), scene, ScriptedEngine(ENGINE))


def test_what_an_agent_asks_is_heard_of_a_session_that_nobody_looks_at(tmp_path: Path) -> None:
    """The desktop has to put it to a person, whoever has a page open."""
    engine = ScriptedEngine({"ask": [Hold("named"), *says("Well")[:2], Ask(QUESTION, allowed=[])]})

    async def scene(page: Bridged) -> None:
        page.approvals.agents.introduce(page.connection)
        heard = heard_by(page.connection)
        asked = asyncio.Event()
        page.approvals.queue.watch(asked.set)
        task = await page.value("lime.agent.startTask", prompt="ask")
        named = ReadSessionParams(session_id=task["sessionId"])
        await page.connection.call(READ_SESSION, named)
        engine.release("named")
        await asked.wait()
        assert [each.app_id for each in page.approvals.queue.open] == ["notes"]
        assert heard == Counter({"action.required": 1})
        await page.approvals.close()

    play(tmp_path / "data", app(tmp_path), scene, engine)


def test_a_session_is_heard_whole_for_as_long_as_somebody_looks_at_it(tmp_path: Path) -> None:
    """Two places may look at one: the second still hears when the first was closed."""

    async def scene(page: Bridged) -> None:
        heard, server = heard_by(page.connection), OneServer(page.connection)
        is_asked, is_whole = asyncio.Event(), asyncio.Event()

        def look(views: SessionViews) -> None:
            if views.actions:
                is_asked.set()
            if views.runtime.status == "completed":
                is_whole.set()

        first = await page.value("lime.agent.startTask", prompt="ask")
        session_id = first["sessionId"]
        closed = SessionFeed(server, session_id, lambda _: None)
        feed = SessionFeed(server, session_id, look)
        closed.close()
        await is_asked.wait()
        answer = {"actionType": "ask_user", "response": "green", "confirmed": True}
        await page.value(
            "lime.agent.submitHostResponse",
            taskId=first["taskId"],
            requestId=QUESTION.action_id,
            **answer,
        )
        await is_whole.wait()
        assert heard["model.delta"] == 1
        feed.close()
        heard.clear()
        again = {"prompt": "count", "sessionMode": "continue", "sessionId": session_id}
        second = await page.value("lime.agent.startTask", **again)
        await subscribed(page, second["taskId"])
        await told_until_the_end(page)
        assert heard["model.delta"] == 0

    play(tmp_path / "data", app(tmp_path), scene, ScriptedEngine(ENGINE))
