"""What an agent would do with a tool of its own, from all that it said of it, and what policy is asked about that. Pure.

Such a tool works with the person's rights and outside of every sandbox. So to policy it is a command on this machine,
whatever the agent calls it; its kind adds what is done, and to which files and sites.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import cast
from urllib.parse import urlsplit

import msgspec
from acp.schema import FileEditToolCallContent, ToolCall, ToolCallUpdate
from pydantic import JsonValue

from lime_desktop.app_server.execution.tool_facts import shown_arguments
from lime_desktop.app_server.tools.tooling import PolicyAsk
from lime_desktop.app_server.tools.tooling import ToolCall as Call
from lime_desktop.policy.call import Target
from lime_desktop.policy.vocabulary import Access
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.payload_rules import INLINE_OUTPUT_CHARACTERS

READING = frozenset({"read", "search", "think", "fetch"})
_WRITING = frozenset({"edit", "delete", "move"})
_TITLE_CHARACTERS = 300
_WHOLE_CHARACTERS = INLINE_OUTPUT_CHARACTERS * 3 // 4
_BEGINNING_CHARACTERS = INLINE_OUTPUT_CHARACTERS * 3 // 8
"""An agent may hand whole files to its tools; what a fact cannot carry in its own form is told in part."""


@dataclass(frozen=True, slots=True)
class OwnTool:
    """One call of such a tool, as far as the agent has told it."""

    said_title: str | None = None
    kind: str | None = None
    raw_input: JsonValue = None
    paths: tuple[str, ...] = ()

    def after(self, said: ToolCall | ToolCallUpdate) -> "OwnTool":
        """The same with what is said now: an agent may ask about a tool that it described before."""
        return OwnTool(
            said_title=said.title or self.said_title,
            kind=said.kind or self.kind,
            raw_input=self.raw_input if said.raw_input is None else said.raw_input,
            paths=tuple(dict.fromkeys((*self.paths, *_paths(said)))),
        )

    @property
    def title(self) -> str:
        """What it does, in the agent's words."""
        return (self.said_title or self.kind or "use a tool")[:_TITLE_CHARACTERS]

    @property
    def input(self) -> JsonObject:
        """What the agent gives it."""
        raw = self.raw_input
        if isinstance(raw, dict):
            return _bounded(raw)
        return {} if raw is None else _bounded({"input": raw})

    def call(self, call_id: str) -> Call:
        """All that is known of it, for policy and people."""
        told: JsonObject = {"locations": list[JsonValue](self.paths)} if self.paths else {}
        if self.raw_input is not None:
            told["rawInput"] = self.raw_input
        return Call(call_id, self.title, {"kind": self.kind or "other", **_bounded(told)})

    def asks(self, folder: PurePath) -> PolicyAsk:
        """What policy has to allow for it. The agent's own folder was given to it; what lies elsewhere was not."""
        access = self._access
        elsewhere = [path for path in self.paths if not _is_inside(path, folder)]
        # What a command touches cannot be told from the places that it names.
        paths = () if access == "execute" else elsewhere
        return PolicyAsk(
            capability="lime.terminal",
            method="run",
            access=access,
            side_effect="local_file_write" if access == "write" else "none",
            targets=(*(Target("path", path) for path in paths), *self._sites()),
            bound_to=("own tool", self.title),
        )

    @property
    def _access(self) -> Access:
        if self.kind in _WRITING:
            return "write"
        return "read" if self.kind in READING else "execute"

    def _sites(self) -> Iterator[Target]:
        raw = cast("JsonObject", self.raw_input) if isinstance(self.raw_input, Mapping) else {}
        address = raw.get("url")
        if isinstance(address, str):
            # An address that cannot be read stays whole, and policy refuses it.
            yield Target("domain", _host(address) or address)


def _paths(said: ToolCall | ToolCallUpdate) -> Iterator[str]:
    yield from (location.path for location in said.locations or ())
    for part in said.content or ():
        if isinstance(part, FileEditToolCallContent):
            yield part.path


def _is_inside(path: str, folder: PurePath) -> bool:
    named = PurePath(path)
    is_below = not named.is_absolute() or named.is_relative_to(folder)
    return is_below and ".." not in named.parts


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _bounded(told: JsonObject) -> JsonObject:
    if len(msgspec.json.encode(told)) <= _WHOLE_CHARACTERS:
        return told
    # Keys go first: in a text that was cut nobody would find them.
    shown = msgspec.json.encode(shown_arguments(Call("", "", told))["safeArgs"]).decode()
    rest = max(len(shown) - _BEGINNING_CHARACTERS, 0)
    return {"beginning": shown[:_BEGINNING_CHARACTERS], "charactersLeftOut": rest}
