"""A person's yes before a result is written back. The question's id holds all that is needed to go on after a restart."""

import asyncio
import re
from dataclasses import dataclass

from lime_desktop.app_server.agent_tasks.field_titles import field_titles
from lime_desktop.app_server.content_store import SCHEME, digest_of
from lime_desktop.app_server.reviews.review_request import review_question
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.protocol.ids import ActionId, JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

_ACTION = re.compile(
    r"review_(?P<run>.+?)_(?P<attempts>\d+)_(?P<digest>[0-9a-f]{64})(?:_(?P<round>\d+))?"
)


@dataclass(frozen=True, slots=True)
class Review:
    """The question whether an output is accepted."""

    run_id: str
    attempts: int
    output_ref: str
    round: int = 0
    """How often a person changed it into something that did not fit."""

    @property
    def action_id(self) -> ActionId:
        """The question's name."""
        name = f"review_{self.run_id}_{self.attempts}_{digest_of(self.output_ref)}"
        return ActionId(f"{name}_{self.round}" if self.round else name)

    def question(self, title: str | None, schema: JsonObject, problem: str = "") -> ProposedEvent:
        """What a person is asked; the schema names the fields, `problem` says why they are asked once more."""
        payload = review_question(title or "Result", self.output_ref, goes_to="task")
        if titles := field_titles(schema):
            payload["fieldTitles"] = titles
        if problem:
            payload["prompt"] = problem
        return ProposedEvent(type="action.required", action_id=self.action_id, payload=payload)


def review_asked_in(open_action_ids: tuple[str, ...]) -> Review | None:
    """The review that a turn still waits for, if that is what it waits for."""
    for action_id in open_action_ids:
        if found := _ACTION.fullmatch(action_id):
            output_ref = f"{SCHEME}output/{found['digest']}"
            return Review(
                found["run"], int(found["attempts"]), output_ref, int(found["round"] or 0)
            )
    return None


class Reviews:
    """The answers that are waited for. One may come before the turn that asked is taken up again."""

    def __init__(self) -> None:
        self._answers: dict[str, asyncio.Future[ActionAnswer]] = {}

    def take_answer(self, answer: ActionAnswer) -> bool:
        """Take an answer, if its question is a review."""
        if not _ACTION.fullmatch(answer.action_id):
            return False
        future = self._future(answer.action_id)
        if not future.done():
            future.set_result(answer)
        return True

    async def answer_to(self, action_id: str) -> ActionAnswer:
        """Wait for a person; their time is bounded by the question's own expiry."""
        try:
            return await self._future(action_id)
        finally:
            del self._answers[action_id]

    def _future(self, action_id: str) -> asyncio.Future[ActionAnswer]:
        if action_id not in self._answers:
            self._answers[action_id] = asyncio.get_running_loop().create_future()
        return self._answers[action_id]
