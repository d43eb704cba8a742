"""Which skills does a turn have, and which of them does the agent read at once?

`auto` skills are read by every turn, `on-demand` ones where their description fits the input or the agent asks for
them, `manual` ones once a person has enabled them. A skill is a text: nothing of it is run.
"""

from typing import TYPE_CHECKING

from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.skills.library import AppSkill, read_package_text
from lime_desktop.app_server.task_request import task_request_in
from lime_desktop.app_server.tools.discovery import matching

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

MAX_MATCHED = 2
"""On-demand skills that a turn reads without being asked."""


def active_skills(skills: tuple[AppSkill, ...], request: TurnRequest) -> tuple[AppSkill, ...]:
    """The skills whose text the agent reads from the start."""
    readable, named = readable_skills(skills, request), _enabled_in(request)
    on_demand = {
        skill.name: f"{skill.name} {skill.description}"
        for skill in readable
        if skill.activation == "on-demand"
    }
    fitting = {*matching(on_demand, request.input.text, MAX_MATCHED), *named}
    return tuple(
        skill for skill in readable if skill.activation != "on-demand" or skill.name in fitting
    )


def readable_skills(skills: tuple[AppSkill, ...], request: TurnRequest) -> tuple[AppSkill, ...]:
    """The skills that the agent may ask for: all that are here, but the manual ones that nobody enabled."""
    enabled = _enabled_in(request)
    here = (skill for skill in skills if skill.absence is None)
    return tuple(skill for skill in here if skill.is_enabled or skill.name in enabled)


def _enabled_in(request: TurnRequest) -> frozenset[str]:
    listed = (request.options.host_options or {}).get("enabledSkills")
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()


def entry_of(request: TurnRequest) -> str | None:
    """The entry that a turn belongs to, where its caller said so."""
    asked = task_request_in(request.options)
    if asked is not None:
        return asked.request.entry or asked.provenance.entry_key
    named = (request.options.host_options or {}).get("entryKey")
    return named if isinstance(named, str) else None


def persona_of(package: "AppPackage", entry_key: str | None) -> str | None:
    """The persona's text; None for an entry that has none. Blocks."""
    entry = next((each for each in package.manifest.entries if each.key == entry_key), None)
    if entry is None or not entry.persona:
        return None
    written = entry.persona.removeprefix("./")
    # The manifest names a file, or the key of one in agents/.
    for path in (written, f"agents/{written}.md", f"agents/{written}/AGENT.md"):
        if text := read_package_text(package, path):
            return text
    return None
