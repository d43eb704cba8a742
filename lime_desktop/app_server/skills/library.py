"""Every skill of an app: those in its package, those it refers to, whether each is here, and whether a person switched it on."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lime_desktop.app_package.manifest.resources import SkillActivation
from lime_desktop.app_server.skills.installed import InstalledSkill, InstalledSkills, fits
from lime_desktop.app_server.skills.switches import SkillSwitches

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

MAX_TEXT_CHARACTERS = 60_000
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
    is_enabled: bool = True
    """Whether agents may read it: a manual one once a person switched it on."""
    absence: Literal["not_installed", "version_unfit"] | None = None
    """Why it is not here; None where it is."""
    demand: str | None = None
    """The range of versions that the app wants."""
    version: str | None = None


class SkillLibrary:
    """The skills of all apps."""

    def __init__(self, installed: InstalledSkills, switches: SkillSwitches) -> None:
        self.installed = installed
        self.switches = switches

    def skills_of(self, package: "AppPackage") -> tuple[AppSkill, ...]:
        """Every skill of an app, those that are not here as well. Blocks."""
        found = (*self._bundled(package), *self._referenced(package))
        # The package's own comes first: a reference of the same name does not replace it.
        return tuple({skill.name: skill for skill in reversed(found)}.values())[::-1]

    def _is_enabled(self, package: "AppPackage", name: str, activation: SkillActivation) -> bool:
        return activation != "manual" or name in self.switches.of(package.name)

    def _bundled(self, package: "AppPackage") -> Iterator[AppSkill]:
        for skill in package.skills:
            path = f"{skill.folder}/SKILL.md"

            def read(path: str = path) -> str | None:
                return read_package_text(package, path)

            activation = _activation(skill.activation)
            is_on = self._is_enabled(package, skill.name, activation)
            yield AppSkill(skill.name, skill.description, activation, "bundled", read, is_on)

    def _referenced(self, package: "AppPackage") -> Iterator[AppSkill]:
        named = [*_references(package)]
        here = self.installed.all() if named else ()
        for skill_id, version, written in named:
            activation = _activation(written)
            of_id = [each for each in here if skill_id in each.ids]
            fitting = next((each for each in of_id if fits(each, version)), None)
            if fitting is None:
                absence = "version_unfit" if of_id else "not_installed"
                known = of_id[0].version if of_id else None
                yield AppSkill(
                    skill_id,
                    "",
                    activation,
                    "reference",
                    lambda: None,
                    is_enabled=False,
                    absence=absence,
                    demand=version,
                    version=known,
                )
                continue
            is_on = self._is_enabled(package, skill_id, activation)
            yield AppSkill(
                skill_id,
                fitting.description,
                activation,
                "reference",
                _reading(fitting),
                is_on,
                demand=version,
                version=fitting.version,
            )


def _references(package: "AppPackage") -> Iterator[tuple[str, str | None, str | None]]:
    manifest = package.manifest
    for each in manifest.skills.references if manifest.skills else ():
        yield each.id, each.version, each.activation
    for older in manifest.skill_refs:
        if older.path is None:
            yield older.id, None, _OLDER.get(older.activation or "")


def _reading(skill: InstalledSkill) -> Callable[[], str | None]:
    return lambda: read_own_text(skill.path)


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
