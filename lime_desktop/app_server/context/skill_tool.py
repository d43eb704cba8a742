"""Lets an agent read one of its app's skills when it needs it."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from pydantic import JsonValue

from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.context.skills import readable_skills
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.skills.library import AppSkill, SkillLibrary
from lime_desktop.app_server.tools.answer_mailbox import AnswerMailbox
from lime_desktop.app_server.tools.catalogue import PolicyAsk, Tool, ToolRow
from lime_desktop.app_server.tools.tooling import ToolCall, ToolOutcome
from lime_desktop.protocol.ids import JsonObject


class SkillTools:
    """The tool for apps that have skills to be read."""

    def __init__(self, library: SkillLibrary) -> None:
        self._library = library

    async def tools_for(self, app: RegisteredApp, request: TurnRequest) -> Sequence[Tool]:
        """One tool, or none where there is nothing to read."""
        skills = await asyncio.to_thread(self._library.skills_of, app.package)
        readable = readable_skills(skills, request)
        return [ReadSkill(readable)] if readable else []


class ReadSkill:
    """Gives the text of a skill. Reading it runs nothing and allows nothing."""

    def __init__(self, skills: Sequence[AppSkill]) -> None:
        self._skills = {skill.name: skill for skill in skills}

    @property
    def row(self) -> ToolRow:
        """Its line in the catalogue, with every skill that can be read."""
        listed = "; ".join(f"{skill.name}: {skill.description}" for skill in self._skills.values())
        return ToolRow(
            name="read_skill",
            title="Read a skill",
            description=f"Read how the app wants a kind of work to be done. {listed}"[:4_000],
            input_schema={
                "type": "object",
                "properties": {"name": {"enum": list[JsonValue](self._skills)}},
                "required": ["name"],
                "additionalProperties": False,
            },
            keywords=("skill", "how to", "技能"),
            is_read_only=True,
        )

    def asks(self, arguments: JsonObject) -> PolicyAsk:
        """Nothing beyond what every app may: the text is its own."""
        del arguments
        return PolicyAsk(capability="lime.capabilities", method="list")

    async def run(self, call: ToolCall, mailbox: AnswerMailbox) -> AsyncIterator[ToolOutcome]:
        """Read it."""
        del mailbox
        skill = self._skills[str(call.arguments["name"])]
        text = await asyncio.to_thread(skill.read)
        if text is None:
            yield ToolOutcome(call.call_id, "The skill's text is gone.", is_error=True)
        else:
            yield ToolOutcome(call.call_id, text, refs=(f"skill:{skill.name}",))
