"""The tool that finds tools, for apps that want few schemas at a time."""

from collections.abc import AsyncIterator, Awaitable, Callable

from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, ToolRow
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.protocol.ids import JsonObject

FIND_TOOLS = "find_tools"

_ROW = ToolRow(
    name=FIND_TOOLS,
    title="Find tools",
    description="Look for further tools by what they should do. What is found can be called from the next step on.",
    input_schema={
        "type": "object",
        "properties": {"query": {"type": "string", "minLength": 1, "maxLength": 500}},
        "required": ["query"],
        "additionalProperties": False,
    },
    is_read_only=True,
)


class FindTools:
    """Searches the catalogue of its own turn."""

    row = _ROW

    def __init__(self, look_up: Callable[[str], Awaitable[tuple[ToolRow, ...]]]) -> None:
        self._look_up = look_up

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """Nothing beyond what every app may: to ask what there is."""
        del arguments
        return PolicyAsk(capability="lime.capabilities", method="list")

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        """Name what fits."""
        del mailbox
        found = await self._look_up(str(call.arguments["query"]))
        lines = [f"{row.name}: {row.description}" for row in found]
        yield ToolOutcome(call.call_id, "\n".join(lines) or "No tool fits.")
