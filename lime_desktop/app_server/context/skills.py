"""Which skills does a turn have, and which of them does the agent read at once?

`auto` skills are read by every turn, `on-demand` ones where their description fits the input or the agent asks for
them, `manual` ones once a person has enabled them. A skill is a text: nothing of it is run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lime_desktop.app_package.manifest.resources import SkillActivation
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import task_request_in
from lime_desktop.app_server.tools.discovery import matching
from lime_desktop.file_names import is_plain_name, plain_name

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

MAX_TEXT_CHARACTERS = 60_000

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


def skills_of(package: "AppPackage", own_skills: Path) -> tuple[AppSkill, ...]:
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


def _bundled(package: "AppPackage") -> Iterator[AppSkill]:
    for skill in package.skills:
        path = f"{skill.folder}/SKILL.md"

        def read(path: str = path) -> str | None:
            return read_package_text(package, path)

        activation = _activation(skill.activation)
        yield AppSkill(skill.name, skill.description, activation, "bundled", read)


def _referenced(package: "AppPackage", own_skills: Path) -> Iterator[AppSkill]:
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


def read_package_text(package: "AppPackage", path: str) -> str | None:
    """The body of a Markdown file in a package; None where it cannot be read. Blocks."""
    if path not in package.tree.files:
        return None
    try:
        return _body(package.tree.read(path))
    except OSError:
        return None


def read_own_text(path: Path) -> str | None:
    """The same of a file on this machine. Blocks."""
    try:
        with path.open("rb") as file:
            return _body(file.read(4 * MAX_TEXT_CHARACTERS))
    except OSError:
        return None


def frontmatter_of(text: str) -> str:
    """What stands between the first two lines of dashes."""
    head, found, _ = text.removeprefix("---\n").partition("\n---")
    return head if text.startswith("---\n") and found else ""


def _body(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
    if head := frontmatter_of(text):
        text = text[len(head) + len("---\n") + len("\n---") :]
    return text.strip()[:MAX_TEXT_CHARACTERS]


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
