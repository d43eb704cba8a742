"""Which skills does a turn have, and which of them does the agent read at once?

`auto` skills are read by every turn, `on-demand` ones where their description fits the input or the agent asks for
them, `manual` ones once a person has enabled them. A skill is a text: nothing of it is run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lime_desktop.app_package.manifest.resources import SkillActivation
from lime_desktop.app_package.package import AppPackage
from lime_desktop.app_server.context.texts import read_own_text, read_package_text
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.tools.discovery import matching
from lime_desktop.file_names import is_plain_name, plain_name

MAX_MATCHED = 2
"""On-demand skills that a turn reads without being asked."""
_OLDER = {"implicit": "on-demand", "explicit": "manual", "entry": "manual"}


@dataclass(frozen=True, slots=True)
class AppSkill:
    """A skill that an app brings or refers to."""

    name: str
    description: str
    activation: SkillActivation
    origin: Literal["bundled", "reference"]
    read: Callable[[], str | None]
    """Its text; None where there is none. Blocks."""


def skills_of(package: AppPackage, own_skills: Path) -> tuple[AppSkill, ...]:
    """Every skill of an app: those in its package, and those it refers to that are on this machine."""
    found = (*_bundled(package), *_referenced(package, own_skills))
    # The package's own comes first: a reference of the same name does not replace it.
    return tuple({skill.name: skill for skill in reversed(found)}.values())[::-1]


def active_skills(skills: tuple[AppSkill, ...], request: TurnRequest) -> tuple[AppSkill, ...]:
    """The skills whose text the agent reads from the start."""
    enabled = _enabled_in(request)
    on_demand = {
        skill.name: f"{skill.name} {skill.description}"
        for skill in skills
        if skill.activation == "on-demand"
    }
    fitting = matching(on_demand, request.input.text, MAX_MATCHED)
    return tuple(
        skill
        for skill in skills
        if skill.activation == "auto" or skill.name in fitting or skill.name in enabled
    )


def readable_skills(skills: tuple[AppSkill, ...], request: TurnRequest) -> tuple[AppSkill, ...]:
    """The skills that the agent may ask for: all but the manual ones that nobody enabled."""
    enabled = _enabled_in(request)
    return tuple(skill for skill in skills if skill.activation != "manual" or skill.name in enabled)


def _enabled_in(request: TurnRequest) -> frozenset[str]:
    listed = (request.options.host_options or {}).get("enabledSkills")
    return frozenset(map(str, listed)) if isinstance(listed, list) else frozenset()


def _bundled(package: AppPackage) -> Iterator[AppSkill]:
    for skill in package.skills:
        path = f"{skill.folder}/SKILL.md"

        def read(path: str = path) -> str | None:
            return read_package_text(package, path)

        activation = _activation(skill.activation)
        yield AppSkill(skill.name, skill.description, activation, "bundled", read)


def _referenced(package: AppPackage, own_skills: Path) -> Iterator[AppSkill]:
    manifest = package.manifest
    named = [
        (each.id, each.activation)
        for each in (manifest.skills.references if manifest.skills else ())
    ]
    named += [(each.id, _OLDER.get(each.activation or "")) for each in manifest.skill_refs]
    for skill_id, activation in named:
        if not is_plain_name(skill_id):
            continue
        path = own_skills / plain_name(skill_id) / "SKILL.md"
        if not path.is_file():
            continue

        def read(path: Path = path) -> str | None:
            return read_own_text(path)

        description = _first_line(read() or "")
        yield AppSkill(skill_id, description, _activation(activation), "reference", read)


def _first_line(text: str) -> str:
    return next((line.strip("# ") for line in text.splitlines() if line.strip()), "")


def _activation(written: str | None) -> SkillActivation:
    match written:
        case "auto" | "manual":
            return written
        case _:
            return "on-demand"
