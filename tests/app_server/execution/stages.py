"""The engines of the product on the kit's stage."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.app_server.execution.acp.runs import open_agent
from tests.app_server.execution.conformance_kit import (
    ARGUMENTS,
    FLOOD,
    TOOL_OF_PLAY,
    KitTools,
    PlayName,
)
from tests.app_server.execution.embedded.runs import open_embedded
from tests.app_server.execution.model_runtime import open_model_runtime
from tests.app_server.model_server import Answer, Asked, ModelServer, Reply, delta, text, tool_calls
from tests.app_server.runtime_core.runtime import Runtime


class ModelStage:
    """The model engine on a server that answers by the play, whichever process asks."""

    name = "model"
    has_own_tools = False
    skipped: Mapping[str, str] = {}

    @asynccontextmanager
    async def open(
        self, folder: Path, play: PlayName, tools: KitTools
    ) -> AsyncGenerator[Runtime[Any]]:
        limits = {"maxRetries": 0}
        with ModelServer(otherwise=_answer_to(play)) as server:
            async with open_model_runtime(folder, server, tools, limits=limits) as runtime:
                yield runtime

    def prompt(self, play: PlayName) -> str:
        return f"Please do: {play}"


def _answer_to(play: PlayName) -> Answer:
    def answer(asked: Asked) -> Reply:
        has_result = any(message["role"] == "tool" for message in asked.messages)
        if (tool := TOOL_OF_PLAY.get(play)) and not has_result:
            return tool_calls(("c1", tool, ARGUMENTS))
        return text("done") if tool else _SAID[play]

    return answer


_SAID: dict[str, Reply] = {
    "text": text("one ", "two ", "three"),
    "cut": Reply([delta({"content": "half a "})], end="cut"),
    "garbage": Reply([b"data: {not json\n\n"]),
    "flood": text(*[f"x{n} " for n in range(FLOOD)]),
    "hang": Reply([delta({"content": "word"})], end="hang"),
}


class EmbeddedStage:
    """The embedded engine on a process that pretends to be a model."""

    name = "embedded"
    has_own_tools = False
    skipped: Mapping[str, str] = {}

    @asynccontextmanager
    async def open(
        self, folder: Path, play: PlayName, tools: KitTools
    ) -> AsyncGenerator[Runtime[Any]]:
        del play
        embedded = await open_embedded(folder, tools)
        try:
            yield embedded.runtime
        finally:
            if not embedded.runtime.core.running._is_closing:
                await embedded.runtime.core.close()
            await embedded.engine.close()

    def prompt(self, play: PlayName) -> str:
        if tool := TOOL_OF_PLAY.get(play):
            return f"[tool {tool} {json.dumps(ARGUMENTS)}] [say done]"
        if play == "text":
            return "[say one two three]"
        return f"[flood {FLOOD}]" if play == "flood" else f"[{play}]"


class AcpStage:
    """The engine for external agents, on an agent that echoes."""

    name = "acp"
    has_own_tools = True
    skipped: Mapping[str, str] = dict.fromkeys(
        TOOL_OF_PLAY.keys() - {"question"},
        "an external agent brings its own tools: see tests/app_server/execution/acp",
    )

    @asynccontextmanager
    async def open(
        self, folder: Path, play: PlayName, tools: KitTools
    ) -> AsyncGenerator[Runtime[Any]]:
        del play, tools
        runtime, engine = await open_agent(folder)
        try:
            yield runtime
        finally:
            if not runtime.core.running._is_closing:
                await runtime.core.close()
            await engine.close()

    def prompt(self, play: PlayName) -> str:
        prompts = {
            "text": "[say one two three]",
            "question": "[ask][say done]",
            "cut": "[say half a][crash]",
            "flood": f"[flood {FLOOD}]",
        }
        return prompts.get(play, f"[{play}]")
