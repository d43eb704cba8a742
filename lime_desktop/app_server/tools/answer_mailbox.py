"""Where a turn's questions wait for their answers. Knows neither who asks nor who answers."""

import asyncio

from lime_desktop.app_server.runtime_core.backend import ActionAnswer


class AnswerMailbox:
    """One turn's answers, each picked up by whoever asked. An answer may be there before it is waited for."""

    def __init__(self) -> None:
        self._answers: dict[str, asyncio.Future[ActionAnswer]] = {}

    def deliver(self, answer: ActionAnswer) -> None:
        """Put an answer in; the first one to a question counts."""
        slot = self._slot(answer.action_id)
        if not slot.done():
            slot.set_result(answer)

    async def wait(self, action_id: str) -> ActionAnswer:
        """Wait for the answer to a question, as long as it takes: questions expire by themselves."""
        # Shielded: whoever stops waiting must not take the answer away from the next one.
        return await asyncio.shield(self._slot(action_id))

    def _slot(self, action_id: str) -> "asyncio.Future[ActionAnswer]":
        if action_id not in self._answers:
            self._answers[action_id] = asyncio.get_running_loop().create_future()
        return self._answers[action_id]


class Mailboxes:
    """A mailbox for each running turn, made by whoever comes first: the turn, or an answer to it."""

    def __init__(self) -> None:
        self._toolsets: dict[str, AnswerMailbox] = {}

    def of(self, turn_id: str) -> AnswerMailbox:
        """The turn's mailbox."""
        return self._toolsets.setdefault(turn_id, AnswerMailbox())

    def close(self, turn_id: str) -> None:
        """The turn is over."""
        self._toolsets.pop(turn_id, None)
