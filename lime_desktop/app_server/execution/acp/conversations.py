"""The agents that run now: one process for each conversation, kept a while for its next turn, then let go."""

import asyncio
import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lime_desktop.background.tasks import BackgroundTasks
from lime_desktop.file_names import plain_name
from lime_desktop.protocol.calls.external_agents import ExternalAgent

if TYPE_CHECKING:
    # The library is large: it is loaded with the first turn that needs it.
    from lime_desktop.app_server.execution.acp.process import AgentProcess


_log = logging.getLogger(__name__)


class Meant(NamedTuple):
    """Whose conversation it is."""

    app_id: str
    session_id: str


@dataclass(slots=True)
class Conversation:
    """A process that remembers what was said in one session."""

    meant: Meant
    agent_id: str
    process: "AgentProcess"
    folder: Path
    is_new: bool = True
    """Whether it has yet to be told what was said before."""
    idle: asyncio.TimerHandle | None = None


class Conversations:
    """Starts, keeps and ends them."""

    def __init__(self, work_folder: Path, idle_s: float):
        self._work_folder = work_folder
        self._idle_s = idle_s
        self._resting: dict[tuple[str, str], Conversation] = {}
        self._working: list[Conversation] = []
        self._ending = BackgroundTasks(_log)

    async def open(self, meant: Meant, agent: ExternalAgent) -> Conversation:
        """The one that rests, or a new one."""
        known = self._resting.pop((meant.session_id, agent.agent_id), None)
        if known is not None and known.process.is_running:
            if known.idle is not None:
                known.idle.cancel()
            known.is_new = False
            self._working.append(known)
            return known
        return await self._start(meant, agent, None)

    async def load(self, meant: Meant, agent: ExternalAgent, theirs: str) -> Conversation:
        """One that an earlier process had, as the agent itself kept it under its own name."""
        conversation = await self._start(meant, agent, theirs)
        conversation.is_new = False
        return conversation

    async def rest(self, conversation: Conversation, *, is_reusable: bool) -> None:
        """Its turn is over; an agent that is of no more use has ended then, whoever gives up waiting."""
        self._working = [each for each in self._working if each is not conversation]
        if not is_reusable or not conversation.process.is_running:
            # The turn may be the last thing that a closing server waits for: nobody would see the end of a task.
            await asyncio.wait([self._end(conversation)])
            return
        key = (conversation.meant.session_id, conversation.agent_id)
        self._resting[key] = conversation
        loop = asyncio.get_running_loop()
        conversation.idle = loop.call_later(self._idle_s, self._fall_asleep, key)

    async def end_of_app(self, app_id: str) -> None:
        """End every agent of an app, and return when each has ended: what it worked in is about to go."""
        resting = [each for each in self._resting.values() if each.meant.app_id == app_id]
        for each in resting:
            self._resting.pop((each.meant.session_id, each.agent_id))
        working = [each for each in self._working if each.meant.app_id == app_id]
        if ending := [self._end(each) for each in (*resting, *working)]:
            await asyncio.wait(ending)

    async def close(self) -> None:
        """End every agent."""
        for conversation in self._resting.values():
            self._end(conversation)
        self._resting.clear()
        await self._ending.finish()

    async def _start(self, meant: Meant, agent: ExternalAgent, theirs: str | None) -> Conversation:
        # Here and not above: see the imports for types.
        from lime_desktop.app_server.execution.acp.process import AgentProcess  # noqa: PLC0415

        folder = await self._folder(agent, meant)
        process = await AgentProcess.start(agent, folder, theirs)
        conversation = Conversation(meant, agent.agent_id, process, folder)
        self._working.append(conversation)
        return conversation

    async def _folder(self, agent: ExternalAgent, meant: Meant) -> Path:
        if agent.folder is not None:
            return Path(agent.folder)
        # By app: what is left there goes with the app's data.
        of_app = self._work_folder / plain_name(meant.app_id)
        # Hashed: a session's id may be the caller's own choice, and no file name.
        folder = of_app / hashlib.sha256(meant.session_id.encode()).hexdigest()[:32]
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        return folder

    def _fall_asleep(self, key: tuple[str, str]) -> None:
        if conversation := self._resting.pop(key, None):
            self._end(conversation)

    def _end(self, conversation: Conversation) -> asyncio.Task[object]:
        if conversation.idle is not None:
            conversation.idle.cancel()
        return self._ending.spawn(conversation.process.stop())
