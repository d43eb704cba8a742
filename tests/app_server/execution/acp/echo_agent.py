"""An agent for tests that speaks the Agent Client Protocol and does what the input says. Started by its path.

``[say WORDS]``, ``[think WORDS]``, ``[plan]``, ``[tool]``, ``[fail]``, ``[diff]``, ``[ask PATH]`` (a tool that needs a yes),
``[reach read]``, ``[reach write]`` (the client's files), ``[run COMMAND]`` (told first, then asked about in one word),
``[bypass]`` (goes on without it), ``[crash]``, ``[hang]``, ``[garbage]``, ``[flood N]``, ``[stop REASON]``,
``[open]`` (leaves a tool open), ``[other]`` (asks something else when it is taken up again).

It keeps its conversation in its folder, so that another process can load it and go on; not with ``--forgetful``.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import acp
from acp.schema import (
    AgentCapabilities,
    AgentPlanUpdate,
    AuthenticateResponse,
    Implementation,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PermissionOption,
    PlanEntry,
    PromptResponse,
    ToolCallUpdate,
    Usage,
)

OPTIONS = [
    PermissionOption(option_id="yes", name="Yes", kind="allow_once"),
    PermissionOption(option_id="always", name="Always", kind="allow_always"),
    PermissionOption(option_id="no", name="No", kind="reject_once"),
]


class EchoAgent:
    def __init__(self) -> None:
        self.client: Any = None
        self.folder = ""
        self.prompts = 0
        self.tools = 0
        self.unfinished: list[list[str]] = []
        self.is_loaded = False
        self.cancelled = asyncio.Event()

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, **_more: Any) -> InitializeResponse:
        if "--silent" in sys.argv:
            await asyncio.Event().wait()
        return InitializeResponse(
            protocol_version=protocol_version,
            agent_info=Implementation(name="echo", version="1.0"),
            agent_capabilities=AgentCapabilities(load_session="--forgetful" not in sys.argv),
        )

    async def authenticate(self, method_id: str, **_more: Any) -> AuthenticateResponse | None:
        del method_id

    async def new_session(self, cwd: str, **_more: Any) -> NewSessionResponse:
        if "--sign-in" in sys.argv:
            raise acp.RequestError.auth_required()
        self.folder = cwd
        return NewSessionResponse(session_id="echo-session")

    async def load_session(self, cwd: str, session_id: str, **_more: Any) -> LoadSessionResponse:
        self.folder, self.is_loaded = cwd, True
        self.recall(session_id)
        await self.do_say(session_id, "what was said before")
        return LoadSessionResponse()

    def recall(self, session_id: str) -> None:
        try:
            kept = Path(self.folder, f"{session_id}.json").read_text(encoding="utf-8")
        except FileNotFoundError:
            raise acp.RequestError.resource_not_found(session_id) from None
        self.tools, self.unfinished = json.loads(kept)

    def keep(self, session_id: str, steps: list[list[str]]) -> None:
        kept = Path(self.folder, f"{session_id}.json")
        kept.write_text(json.dumps([self.tools, steps]), encoding="utf-8")

    async def prompt(self, session_id: str, prompt: list[Any], **_more: Any) -> PromptResponse:
        self.prompts += 1
        self.cancelled.clear()
        text = "".join(block.text for block in prompt)
        # What was said earlier is told before it, and is not to be done again.
        now = text.rpartition("Now: ")[2]
        steps = self.unfinished or [list(step) for step in re.findall(r"\[(\w+) ?(.*?)\]", now)]
        self.unfinished = []
        for number, (name, words) in enumerate(steps):
            self.keep(session_id, steps[number:])
            await getattr(self, f"do_{name}")(session_id, words)
            if self.cancelled.is_set():
                return PromptResponse(stop_reason="cancelled")
        reason: Any = (re.findall(r"\[stop (\w+)\]", now) or ["end_turn"])[0]
        if not steps:
            await self.do_say(session_id, f"{self.prompts}: {text}")
        usage = Usage(input_tokens=5, output_tokens=3, total_tokens=8)
        return PromptResponse(stop_reason=reason, usage=usage)

    async def cancel(self, session_id: str, **_more: Any) -> None:
        del session_id
        self.cancelled.set()

    async def update(self, session_id: str, update: Any) -> None:
        await self.client.session_update(session_id=session_id, update=update)

    async def do_say(self, session_id: str, words: str) -> None:
        for word in re.findall(r"\s*\S+", words):
            await self.update(session_id, acp.update_agent_message_text(word))

    async def do_think(self, session_id: str, words: str) -> None:
        await self.update(session_id, acp.update_agent_thought_text(words))

    async def do_plan(self, session_id: str, _words: str) -> None:
        entries = [PlanEntry(content="look", priority="high", status="in_progress")]
        await self.update(session_id, AgentPlanUpdate(session_update="plan", entries=entries))

    async def start(self, session_id: str, title: str, kind: Any, raw_input: Any = None) -> str:
        self.tools += 1
        name = f"call-{self.tools}"
        await self.update(
            session_id, acp.start_tool_call(name, title, kind=kind, raw_input=raw_input)
        )
        return name

    async def finish(self, session_id: str, name: str, text: str, **more: Any) -> None:
        content = [acp.tool_content(acp.text_block(text)), *more.pop("content", [])]
        status: Any = more.get("status", "completed")
        await self.update(session_id, acp.update_tool_call(name, content=content, status=status))

    async def do_tool(self, session_id: str, _words: str) -> None:
        name = await self.start(
            session_id, "Read a file", kind="read", raw_input={"path": "a.txt", "apiKey": "sk-1"}
        )
        await self.update(session_id, acp.update_tool_call(name, status="in_progress"))
        await self.finish(session_id, name, "what it says")

    async def do_fail(self, session_id: str, _words: str) -> None:
        name = await self.start(session_id, "Run", kind="execute")
        await self.finish(session_id, name, "it broke", status="failed")

    async def do_diff(self, session_id: str, _words: str) -> None:
        name = await self.start(session_id, "Edit", kind="edit")
        path = str(Path(self.folder) / "notes" / "a.txt")
        diff = acp.tool_diff_content(path, "one\ntwo\nthree\nend\n", "one\nzwei\nend\n")
        await self.finish(session_id, name, "edited", content=[diff])

    async def do_open(self, session_id: str, _words: str) -> None:
        await self.start(session_id, "Never ends", kind="execute")

    async def ask(self, session_id: str, name: str, path: str = "a.txt") -> Any:
        call = ToolCallUpdate(
            tool_call_id=name, title="Write a file", kind="edit", raw_input={"path": path}
        )
        return await self.client.request_permission(
            session_id=session_id, tool_call=call, options=OPTIONS
        )

    async def do_other(self, session_id: str, _words: str) -> None:
        await self.do_ask(session_id, "b.txt" if self.is_loaded else "a.txt")

    async def do_ask(self, session_id: str, path: str) -> None:
        self.tools += 1
        # A process that took over names its calls in its own way.
        name = f"{'again' if self.is_loaded else 'call'}-{self.tools}"
        answer = await self.ask(session_id, name, path or "a.txt")
        chosen = getattr(answer.outcome, "option_id", "cancelled")
        status = "completed" if chosen in {"yes", "always"} else "failed"
        await self.finish(session_id, name, f"chosen: {chosen}", status=status)

    async def do_run(self, session_id: str, words: str) -> None:
        given = {
            "command": words,
            "apiKey": "sk-1",
            "script": "x" * (40_000 if "long" in words else 1),
        }
        name = await self.start(session_id, "Run a command", kind="execute", raw_input=given)
        answer = await self.client.request_permission(
            session_id=session_id, tool_call=ToolCallUpdate(tool_call_id=name), options=OPTIONS
        )
        chosen = getattr(answer.outcome, "option_id", "cancelled")
        status = "completed" if chosen in {"yes", "always"} else "failed"
        await self.finish(session_id, name, f"chosen: {chosen}", status=status)

    async def do_reach(self, session_id: str, words: str) -> None:
        reach = {
            "read": lambda: self.client.read_text_file(session_id=session_id, path="/etc/hosts"),
            "write": lambda: self.client.write_text_file(
                session_id=session_id, path="/reached", content="x"
            ),
        }
        try:
            await reach[words]()
        except acp.RequestError as error:
            await self.do_say(session_id, f"refused {error.code}")

    async def do_bypass(self, session_id: str, _words: str) -> None:
        name = await self.start(session_id, "Write a file", kind="edit")
        await self.ask(session_id, name)
        await self.finish(session_id, name, "done anyway")

    async def do_crash(self, _session_id: str, _words: str) -> None:
        os._exit(9)

    async def do_hang(self, session_id: str, _words: str) -> None:
        await self.do_say(session_id, "waiting")
        if "--deaf" in sys.argv:
            await asyncio.Event().wait()
        await self.cancelled.wait()

    async def do_garbage(self, _session_id: str, _words: str) -> None:
        sys.stdout.write('{"not json\n[]\n"text"\n{"method": "session/update", "params": 7}\n')
        sys.stdout.flush()

    async def do_flood(self, session_id: str, words: str) -> None:
        for number in range(int(words)):
            await self.update(session_id, acp.update_agent_message_text(f"{number} "))

    async def do_stop(self, _session_id: str, _words: str) -> None:
        """The reason is read at the end."""


if __name__ == "__main__":
    echo: Any = EchoAgent()
    asyncio.run(acp.run_agent(echo))
