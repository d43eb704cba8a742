"""The answers that one turn waits for. An answer may come before anybody asks for it, after a restart."""

import asyncio

from lime_desktop.app_server.execution.backend import ActionAnswer


class Answers:
    """One turn's mailbox: each question is waited for by one, and answered once."""

    def __init__(self) -> None:
        self._by_action: dict[str, asyncio.Future[ActionAnswer]] = {}

    def put(self, answer: ActionAnswer) -> None:
        """Deliver; a second answer to the same question changes nothing."""
        waiting = self._future(answer.action_id)
        if not waiting.done():
            waiting.set_result(answer)

    async def wait_for(self, action_id: str) -> ActionAnswer:
        """The answer to a question, now or when it comes. Bounded by the question's own expiry."""
        return await asyncio.shield(self._future(action_id))

    def _future(self, action_id: str) -> "asyncio.Future[ActionAnswer]":
        if action_id not in self._by_action:
            self._by_action[action_id] = asyncio.get_running_loop().create_future()
        return self._by_action[action_id]
