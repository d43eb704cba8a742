"""Makes a conversation shorter in the middle of a turn: its old part goes into a summary, long results are cut. Pure.

A call of a tool and what it returned stay together, and what the person asked for stays word for word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from lime_desktop.app_server.execution.model_engine.context_window import (
    BYTES_PER_TOKEN,
    estimated_tokens,
    is_beyond,
)

_KEPT = 0.3
"""The share of the window that the latest messages keep."""
_READ = 0.5
"""The share of the window that a summary is made of; the rest is for the wish and the answer."""
_LEAST_CHARACTERS = 1_000
"""What is left of a long result at least."""
_RETOLD_CHARACTERS = 4_000
"""What a summary is told of one result of a tool."""


@dataclass(frozen=True, slots=True)
class Shortening:
    """A conversation in two parts: what a summary will stand for, and what stays."""

    old: tuple[ModelMessage, ...]
    recent: tuple[ModelMessage, ...]
    asked: UserPromptPart
    window_tokens: int
    """What the model reads, or what it refused to read where nobody knows more."""

    def transcript(self) -> str:
        """The old part as a text that a summary can be made of."""
        return transcript(self.old, self.window_tokens)

    def with_summary(self, summary: str) -> list[ModelMessage]:
        """The conversation from now on."""
        if not self.old:
            return list(self.recent)
        said = UserPromptPart(f"What happened before, in short:\n{summary}")
        has_task = any(_holds(each, self.asked) for each in self.recent)
        return [ModelRequest([said] if has_task else [said, self.asked]), *self.recent]


def plan(
    messages: Sequence[ModelMessage], asked: UserPromptPart, context_tokens: int | None
) -> Shortening | None:
    """How to make a conversation shorter in which `asked` is what it is about; None where nothing can be left out."""
    size = estimated_tokens(messages)
    window = min(size, context_tokens or size)
    room = int(window * _KEPT)
    start = _start_of_recent(messages, room)
    if start == 1 and _holds(messages[0], asked):
        start = 0  # it stays anyway: of a question alone no summary is made
    old, recent = tuple(messages[:start]), _cut(messages[start:], room)
    if not old and recent == tuple(messages):
        return None
    shortening = Shortening(old, recent, asked, window)
    least = estimated_tokens(shortening.with_summary(""))
    return None if context_tokens and is_beyond(least, context_tokens) else shortening


def transcript(messages: Sequence[ModelMessage], window_tokens: int | None) -> str:
    """A conversation as text, its latest part where not all of it can be read at once."""
    told = "\n\n".join(line for message in messages for line in _lines(message))
    return told[-int(window_tokens * _READ * BYTES_PER_TOKEN) :] if window_tokens else told


def _start_of_recent(messages: Sequence[ModelMessage], room: int) -> int:
    starts = [index for index in range(1, len(messages)) if _may_begin(messages[index])]
    fitting = (index for index in starts if estimated_tokens(messages[index:]) <= room)
    return next(fitting, starts[-1] if starts else 0)


def _may_begin(message: ModelMessage) -> bool:
    """Not with a result: its call would be missing."""
    return isinstance(message, ModelResponse) or _is_prompt(message)


def _is_prompt(message: ModelMessage) -> bool:
    return isinstance(message, ModelRequest) and not any(
        isinstance(part, ToolReturnPart) for part in message.parts
    )


def _cut(messages: Sequence[ModelMessage], room: int) -> tuple[ModelMessage, ...]:
    if estimated_tokens(messages) <= room:
        return tuple(messages)
    results = sum(isinstance(part, ToolReturnPart) for each in messages for part in each.parts)
    share = max(_LEAST_CHARACTERS, room * BYTES_PER_TOKEN // max(1, results))
    return tuple(
        replace(each, parts=[_cut_part(part, share) for part in each.parts])
        if isinstance(each, ModelRequest)
        else each
        for each in messages
    )


def _cut_part(part: ModelRequestPart, most: int) -> ModelRequestPart:
    if not isinstance(part, ToolReturnPart) or len(text := str(part.content)) <= most:
        return part
    left_out = len(text) - most
    return replace(part, content=f"{text[:most]}\n[{left_out} more characters are not shown]")


def _holds(message: ModelMessage, asked: UserPromptPart) -> bool:
    prompts = (part for part in message.parts if isinstance(part, UserPromptPart))
    return any(part.content == asked.content for part in prompts)


def _lines(message: ModelMessage) -> Iterator[str]:
    for part in message.parts:
        match part:
            case UserPromptPart(content=str(text)):
                yield f"Person: {text}"
            case TextPart(content=text):
                yield f"Assistant: {text}"
            case ToolCallPart(tool_name=name, args=arguments):
                yield f"Assistant calls {name}: {str(arguments)[:_RETOLD_CHARACTERS]}"
            case ToolReturnPart(tool_name=name, content=content):
                yield f"{name} returned: {str(content)[:_RETOLD_CHARACTERS]}"
            case _:
                pass
