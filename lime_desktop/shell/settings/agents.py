"""Agents of the person's own: how to add one, those that are set up, checked and removed."""

import re
import shlex
from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QWidget

from lime_desktop.protocol.calls.external_agents import (
    ADD_AGENT,
    CHECK_AGENT,
    LIST_AGENTS,
    REMOVE_AGENT,
    AddAgentParams,
    AgentParams,
    ExternalAgent,
    ListedAgent,
)
from lime_desktop.protocol.wire import HostOnlyParams
from lime_desktop.shell.settings.section import SectionContext, group, refill, setting
from lime_desktop.shell.widgets.parts import button, card, column, label, name_button, row
from lime_desktop.shell.widgets.work import Newest

_EXAMPLES = ("opencode acp", "gemini --experimental-acp", "claude-agent-acp", "codex-acp")
"""Commands as their makers name them: the same in every language."""
_CALL_S = 30.0
_CHECK_S = 90.0


def build(context: SectionContext) -> QWidget:
    """The agents, the form for a new one, and how to come by one."""
    agents = _AgentList(context)
    texts = context.look.texts
    how = group(
        texts("settings.agents.how"),
        label(texts("settings.agents.how.text")),
        label("\n".join(_EXAMPLES), "mono"),
        label(texts("settings.agents.how.rights"), "muted"),
    )
    return column(agents.widget, _form(context, agents), how, spacing=16)


class _AgentList:
    """The agents that are set up."""

    def __init__(self, context: SectionContext) -> None:
        self._context = context
        self._newest = Newest()
        self.widget = column(spacing=12)
        self.show_again()

    def show_again(self) -> None:
        """Ask the App Server which there are."""
        self._context.work.start(self._show())

    async def _show(self) -> None:
        removed, is_newest = self._context.removals.watch(), self._newest.ask()
        found = await self._context.call(LIST_AGENTS, HostOnlyParams(), timeout_s=_CALL_S)
        if not is_newest():
            return
        none = label(self._context.look.texts("settings.agents.none"), "muted")
        left = [each for each in found.agents if not removed(_key(each.agent.agent_id))]
        refill(self.widget, *(map(self._card, left) if left else [none]))

    def _card(self, listed: ListedAgent) -> QWidget:
        texts, agent = self._context.look.texts, listed.agent
        check = button(texts("settings.agents.check"), lambda: self._check(agent))
        name_button(check, texts, agent.title)
        remove = button(texts("settings.agents.remove"), lambda: self._remove(agent), "danger")
        name_button(remove, texts, agent.title)
        head = row(label(agent.title, "strong"), check, remove, stretch_at=0)
        return card(
            head, label(shlex.join(agent.command), "mono"), label(listed.problem or "", "muted")
        )

    def _check(self, agent: ExternalAgent) -> None:
        async def check() -> None:
            texts = self._context.look.texts
            self._context.say(texts("settings.agents.checking", agent=agent.title), "info")
            params = AgentParams(agent_id=agent.agent_id)
            found = await self._context.call(CHECK_AGENT, params, timeout_s=_CHECK_S)
            if found.is_working:
                name = f"{found.name or agent.title} {found.version or ''}".strip()
                self._context.say(texts("settings.agents.works", agent=name), "success")
            else:
                words = texts("settings.agents.fails", reason=found.problem or "")
                self._context.say(words, "warning")

        self._context.work.start(check())

    def _remove(self, agent: ExternalAgent) -> None:
        context = self._context

        async def remove() -> None:
            params = AgentParams(agent_id=agent.agent_id)
            await context.call(REMOVE_AGENT, params, timeout_s=_CALL_S)

        words = context.look.texts("undo.removed", name=agent.title)
        context.removals.remove(_key(agent.agent_id), words, remove, self.widget, self.show_again)


def _key(agent_id: str) -> str:
    return f"agent/{agent_id}"


def _form(context: SectionContext, agents: _AgentList) -> QWidget:
    texts = context.look.texts
    name, command = QLineEdit(), QLineEdit()

    def add() -> None:
        words = _words(command.text())
        if not words or not name.text().strip():
            context.say(texts("settings.agents.incomplete"), "warning")
            return
        context.work.start(_add(context, _agent(name.text().strip(), words), done))

    def done() -> None:
        name.clear()
        command.clear()
        agents.show_again()

    return group(
        texts("settings.agents.add"),
        setting(texts("settings.agents.name"), texts("settings.agents.name.about"), name),
        setting(texts("settings.agents.command"), texts("settings.agents.command.about"), command),
        row(button(texts("settings.agents.add.yes"), add, "primary")),
    )


async def _add(context: SectionContext, agent: ExternalAgent, done: Callable[[], None]) -> None:
    await context.call(ADD_AGENT, AddAgentParams(agent=agent), timeout_s=_CALL_S)
    context.say(context.look.texts("settings.agents.added", agent=agent.title), "success")
    done()


def _agent(title: str, command: list[str]) -> ExternalAgent:
    agent_id = re.sub(r"[^a-z0-9._-]+", "-", title.lower()).strip("-._")[:64] or "agent"
    return ExternalAgent(agent_id=agent_id, title=title[:100], command=tuple(command))


def _words(command: str) -> list[str]:
    """A command line as its words; none where its quotes do not close."""
    try:
        return shlex.split(command)
    except ValueError:
        return []
