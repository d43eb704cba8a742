"""The skills that a package brings: folders with a SKILL.md."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lime_desktop.app_package.files.path_rules import normalised
from lime_desktop.app_package.problem_kinds import rules
from lime_desktop.app_package.problems import MAX_OF_A_KIND, Place, Problem
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, find, key_path

if TYPE_CHECKING:
    from lime_desktop.app_package.reading import PackageReader

_MAX_NAME = 64
_MAX_DESCRIPTION = 1024


class Skill(NamedTuple):
    """A bundled skill: what it is for, and when the agent gets to see it."""

    folder: str
    name: str
    description: str
    activation: str
    """`auto`, `on-demand` or `manual`; a skill that the manifest does not mention is on demand."""


def read_skills(
    reader: "PackageReader", effective: LocatedMap, problems: list[Problem]
) -> tuple[Skill, ...]:
    """Read every skill that the manifest names or that lies in `skills/`."""
    declared = dict(_declared(effective))
    folders = dict.fromkeys([*declared, *_conventional(reader)])
    skills: list[Skill] = []
    for folder in islice(folders, MAX_OF_A_KIND):
        activation, place = declared.get(folder, ("on-demand", Place(folder)))
        if reader.has(f"{folder}/SKILL.md"):
            skills.append(_read_skill(reader, folder, activation, problems))
        else:
            message = "The skill's folder has no SKILL.md."
            problems.append(rules.SKILL_FILE_MISSING.found(message, place))
    return tuple(skills)


def _declared(effective: LocatedMap) -> Iterator[tuple[str, tuple[str, Place]]]:
    bundled, _ = find(effective, ("skills", "bundled"))
    for index, item in enumerate(bundled) if isinstance(bundled, LocatedList) else ():
        path = item.get("path") if isinstance(item, LocatedMap) else None
        folder = normalised(path.removesuffix("/SKILL.md")) if isinstance(path, str) else None
        if folder and isinstance(item, LocatedMap):
            at = ("skills", "bundled", index, "path")
            origin = item.origins["path"]
            activation = item.get("activation")
            chosen = activation if isinstance(activation, str) else "on-demand"
            yield folder, (chosen, Place(origin.file, origin.line, key_path(at)))


def _conventional(reader: "PackageReader") -> Iterator[str]:
    for path in reader.tree.files:
        parts = path.split("/")
        if len(parts) > 2 and parts[0] == "skills":
            yield f"skills/{parts[1]}"


def _read_skill(
    reader: "PackageReader", folder: str, activation: str, problems: list[Problem]
) -> Skill:
    file = f"{folder}/SKILL.md"
    fields = reader.markdown(file).frontmatter.value
    (name, _), (description, _) = find(fields, ("name",)), find(fields, ("description",))
    if not isinstance(name, str) or not 0 < len(name) <= _MAX_NAME:
        message = f"The frontmatter needs a `name` of 1 to {_MAX_NAME} characters."
        problems.append(rules.SKILL_INVALID.found(message, Place(file, 1, "name")))
        name = folder.rpartition("/")[2]
    elif name != folder.rpartition("/")[2]:
        message = "The name is not the folder's."
        problems.append(rules.SKILL_NAME_NOT_FOLDER.found(message, Place(file, 1, "name")))
    if not isinstance(description, str) or not 0 < len(description) <= _MAX_DESCRIPTION:
        message = f"The frontmatter needs a `description` of 1 to {_MAX_DESCRIPTION} characters."
        problems.append(rules.SKILL_INVALID.found(message, Place(file, 1, "description")))
        description = ""
    return Skill(folder, name, description, activation)
