"""The tools of a turn that has none: nothing is offered, and whatever is called is unknown."""

from collections.abc import AsyncIterator

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.tooling import PolicyAsk, ToolCall, ToolOutcome, Toolset
from lime_desktop.policy.decision import Decision, Denied, NeedsApproval
from lime_desktop.policy.rules import RuleRef
from lime_desktop.policy.vocabulary import RememberScope
from lime_desktop.protocol.calls.sessions import ToolDescription
from lime_desktop.protocol.errors import ToolUnknown
from lime_desktop.protocol.runtime.events import ProposedEvent

APP_NOT_REGISTERED = Denied(
    rule=RuleRef(
        "host.app-not-registered", "host", "Lime Desktop", "Nobody has said what this app may do."
    ),
    cause="not-ready",
    would_change="The app is installed and turned on.",
    outcome="blocked",
)
"""Where there is no app whose manifest and rules could be asked, nothing may be done in its name."""


class NoTools:
    """Both the maker of the toolset and the toolset: there is nothing in it."""

    def toolset_for(self, request: TurnRequest) -> Toolset:
        """An empty one."""
        del request
        return self

    async def offers(self, query: str | None = None) -> tuple[ToolDescription, ...]:
        """None."""
        del query
        return ()

    async def describe(self, name: str) -> ToolDescription | None:
        """There is none of any name."""
        del name

    async def judge(self, call: ToolCall) -> Decision:
        """Never asked: a call of an unknown tool fails before it is judged."""
        raise ToolUnknown(f"There is no tool named {call.name}.")

    async def judge_outside(self, call: ToolCall, asks: PolicyAsk) -> Decision:
        """Refuse."""
        del call, asks
        return APP_NOT_REGISTERED

    async def remember(self, call: ToolCall, needed: NeedsApproval, scope: RememberScope) -> None:
        """Nothing was allowed."""

    async def run(
        self, call: ToolCall, mailbox: AnswerMailbox
    ) -> AsyncIterator[ProposedEvent | ToolOutcome]:
        """Refuse."""
        del mailbox
        raise ToolUnknown(f"There is no tool named {call.name}.")
        yield  # pyright: ignore[reportUnreachable] - makes this an async generator
