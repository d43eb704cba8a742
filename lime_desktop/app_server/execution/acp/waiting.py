"""A turn whose agent waits for a person, in a form that outlives both processes.

The protocol lets an agent load a conversation it kept, and nothing in it takes up the work of a turn that was cut
off. So the agent is told that it was, and what the person said; when it then asks the very same thing, it has its
answer. Whatever differs in the least is another question, and the person is asked again.
"""

import hashlib
from dataclasses import dataclass

import msgspec
from acp.schema import ToolCallUpdate
from pydantic import ValidationError

from lime_desktop.app_server.execution.acp.own_tools import OwnTool
from lime_desktop.app_server.execution.acp.permission import is_yes
from lime_desktop.app_server.execution.acp.process import AgentProcess, Asked
from lime_desktop.app_server.runtime_core.backend import ActionAnswer
from lime_desktop.protocol.errors import TaskFailed
from lime_desktop.protocol.wire import WireModel


class WaitingTurn(WireModel):
    """What is kept while a question is open."""

    action_id: str
    call_id: str
    """The tool it is about, by our name."""
    questions: int
    """How many this turn has asked."""
    title: str
    """What the agent wants to do, in its own words."""
    digest: str
    """Of the whole question, so that no other is taken for it."""
    rule_ids: tuple[str, ...] = ()
    """The rules that asked: a yes answers these and no other."""
    conversation: str | None = None
    """The agent's own name for the conversation; none where it could not load it again."""

    @classmethod
    def of(
        cls, asked: Asked, tool: OwnTool, process: AgentProcess, call_id: str, questions: int
    ) -> "WaitingTurn":
        """About an agent's question."""
        return cls(
            action_id=f"{call_id}:approval:{questions}",
            call_id=call_id,
            questions=questions,
            title=tool.title,
            digest=_digest(asked.tool_call, tool),
            conversation=process.session_id if process.can_load else None,
        )


@dataclass(slots=True)
class HeldAnswer:
    """What a person said to a question of a process that is gone; good for one question that is the same."""

    waiting: WaitingTurn
    conversation: str
    """What the agent is to load."""
    answer: ActionAnswer
    is_used: bool = False

    def fits(self, asked: Asked, tool: OwnTool) -> bool:
        """Whether this is the question that was answered."""
        return not self.is_used and _digest(asked.tool_call, tool) == self.waiting.digest

    def words(self) -> str:
        """What the agent is told."""
        said = "allowed it" if is_yes(self.answer) else "did not allow it"
        return (
            f"The program that you talk to was restarted while you waited for permission: {self.waiting.title}. "
            f"The user {said}. Go on with the task from there; ask for that permission again if you need it."
        )


def read_waiting(body: str, agent: str) -> tuple[WaitingTurn, str]:
    """What was kept of a turn, and the conversation to load.

    Raises:
        TaskFailed: it cannot go on, in words that say what can be done.
    """
    try:
        waiting = WaitingTurn.model_validate_json(body)
    except ValidationError:
        raise TaskFailed(
            "What this turn had done so far was not kept whole, so it cannot go on.",
            details={"reasonCode": "turn_state_missing"},
        ) from None
    if waiting.conversation is None:
        raise TaskFailed(
            f"{agent} cannot take up a conversation after a restart, so its question was withdrawn.",
            details={
                "reasonCode": "agent_cannot_resume",
                "setupAction": "Nothing was done with it. Send your message again; the agent starts anew and asks again",
            },
        )
    return waiting, waiting.conversation


def _digest(call: ToolCallUpdate, tool: OwnTool) -> str:
    # Its name is new in every process, and how far it has come is not what was asked.
    said = call.model_dump(mode="json", exclude={"tool_call_id", "status", "field_meta"})
    whole = [said, tool.title, tool.kind, tool.raw_input, tool.paths]
    return hashlib.sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()
