"""skill/*: the skills that apps have here, as a person sees them: switched on, installed, or missing."""

from lime_desktop.protocol.capability_calls.skills import Skill
from lime_desktop.protocol.ids import AppId, NonEmpty
from lime_desktop.protocol.wire import HostOnlyParams, Method, WireModel


class ListAppSkillsParams(HostOnlyParams):
    """Which skills does an app bring or refer to?"""

    app_id: NonEmpty[AppId]


class ListAppSkillsResult(WireModel):
    """All of them, those that are missing as well."""

    skills: tuple[Skill, ...]


class SwitchSkillParams(HostOnlyParams):
    """A person turned a manual skill on or off."""

    app_id: NonEmpty[AppId]
    skill_id: NonEmpty[str]
    is_on: bool


class SwitchSkillResult(WireModel):
    """The skill as it stands now."""

    skill: Skill


class InstallSkillParams(HostOnlyParams):
    """A person chose the folder of a skill, for every app that refers to it."""

    path: NonEmpty[str]


class InstallSkillResult(WireModel):
    """What it is called, and its version where it says one."""

    ids: tuple[str, ...]
    version: str | None = None


LIST_APP_SKILLS = Method("skill/list", ListAppSkillsParams, ListAppSkillsResult)
SWITCH_SKILL = Method("skill/switch", SwitchSkillParams, SwitchSkillResult)
INSTALL_SKILL = Method("skill/install", InstallSkillParams, InstallSkillResult)
