"""Answers lime.skills and skill/*: the skills that an app brings or refers to. They run only through the agent."""

import asyncio
from pathlib import Path

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls, Routes
from lime_desktop.app_server.skills.library import AppSkill, SkillLibrary
from lime_desktop.durable_files.failures import MESSAGES, kind_of_failure
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.calls.skills import (
    INSTALL_SKILL,
    LIST_APP_SKILLS,
    SWITCH_SKILL,
    InstallSkillParams,
    InstallSkillResult,
    ListAppSkillsParams,
    ListAppSkillsResult,
    SwitchSkillParams,
    SwitchSkillResult,
)
from lime_desktop.protocol.capability_calls.skills import (
    GET_INVOCATION,
    INVOKE_SKILL,
    LIST_SKILLS,
    RESOLVE_SKILL,
    InvokeSkillParams,
    ListSkillsParams,
    ListSkillsResult,
    Skill,
    SkillInvocation,
    SkillInvocationParams,
    SkillParams,
)
from lime_desktop.protocol.errors import DataReadOnly, InvalidInput, ToolUnknown
from lime_desktop.protocol.ids import AppId, TaskId

_KIND = "skill:"
_ABSENCES = {
    "not_installed": "It is not installed on this computer. A person installs its folder on the app's page.",
    "version_unfit": "Another version of it is installed than the app asks for. A person installs that one on the app's page.",
}
_OFF = "A person has not switched it on: ask them with lime.skills.bind"


class AppSkills:
    """The skills of every app."""

    def __init__(self, tasks: AgentTasks, apps: RegisteredApps, library: SkillLibrary) -> None:
        self._tasks = tasks
        self._apps = apps
        self._library = library

    def serve(self, routes: Routes, calls: AppCalls) -> None:
        """Answer what apps ask of their skills, and what people decide about them."""
        routes.add(LIST_APP_SKILLS, self.list_all)
        routes.add(SWITCH_SKILL, self.switch)
        routes.add(INSTALL_SKILL, self.install)
        calls.add(LIST_SKILLS, self.list)
        calls.add(RESOLVE_SKILL, self.resolve)
        calls.add(INVOKE_SKILL, self.invoke)
        calls.add(GET_INVOCATION, self.get_invocation)

    async def list(self, params: ListSkillsParams, caller: AppCaller) -> ListSkillsResult:
        """The app's skills."""
        found = await self._skills(caller.app_id)
        return ListSkillsResult(tuple(each for each in found if params.kind in {None, each.kind}))

    async def resolve(self, params: SkillParams, caller: AppCaller) -> Skill:
        """One skill."""
        return await self._skill(caller.app_id, params.skill_id)

    async def list_all(
        self, params: ListAppSkillsParams, context: CallContext
    ) -> ListAppSkillsResult:
        """The same for a person."""
        del context
        return ListAppSkillsResult(skills=await self._skills(params.app_id))

    async def switch(self, params: SwitchSkillParams, context: CallContext) -> SwitchSkillResult:
        """Turn a manual skill on or off.

        Raises:
            InvalidInput: nobody has to switch this one on.
        """
        del context
        skill = await self._skill(params.app_id, params.skill_id)
        if skill.activation != "manual":
            raise InvalidInput.at_fields([("skillId", "not_manual")])
        switches = self._library.switches
        await asyncio.to_thread(switches.turn, params.app_id, params.skill_id, is_on=params.is_on)
        return SwitchSkillResult(skill=await self._skill(params.app_id, params.skill_id))

    async def install(self, params: InstallSkillParams, context: CallContext) -> InstallSkillResult:
        """Keep a skill that a person chose."""
        del context
        try:
            found = await asyncio.to_thread(self._library.installed.install, Path(params.path))
        except OSError as error:
            kind = kind_of_failure(error) or DataReadOnly
            raise kind(MESSAGES[kind]) from error
        return InstallSkillResult(ids=tuple(sorted(found.ids)), version=found.version)

    async def invoke(self, params: InvokeSkillParams, caller: AppCaller) -> SkillInvocation:
        """Have an agent use a skill."""
        skill = await self._skill(caller.app_id, params.skill_id)
        if not (skill.available and skill.enabled):
            raise ToolUnknown(skill.unavailable_reason or _OFF)
        wanted = StartTaskParams(
            title=skill.title,
            task_kind=f"{_KIND}{skill.skill_id}",
            prompt=f"Use the skill {skill.skill_id}: {skill.description}",
            input=params.input,
        )
        return _invocation(await self._tasks.start(wanted, caller))

    async def get_invocation(
        self, params: SkillInvocationParams, caller: AppCaller
    ) -> SkillInvocation:
        """How an invocation stands."""
        task_id = TaskId(params.invocation_id)
        return _invocation(await self._tasks.find(caller.app_id, task_id, _KIND))

    async def _skill(self, app_id: AppId, skill_id: str) -> Skill:
        for skill in await self._skills(app_id):
            if skill.skill_id == skill_id:
                return skill
        raise ToolUnknown("The app has no skill of that id")

    async def _skills(self, app_id: AppId) -> tuple[Skill, ...]:
        package = self._apps.get(app_id).package
        return tuple(map(_told, await asyncio.to_thread(self._library.skills_of, package)))


def _told(skill: AppSkill) -> Skill:
    return Skill(
        skill_id=skill.name,
        kind=skill.origin,
        title=skill.name,
        description=skill.description,
        activation=skill.activation,
        available=skill.absence is None,
        enabled=skill.absence is None and skill.is_enabled,
        version=skill.version,
        wanted_version=skill.demand,
        unavailable_reason=_ABSENCES[skill.absence] if skill.absence else None,
        reason_code=skill.absence,
    )


def _invocation(task: TaskRecord) -> SkillInvocation:
    return SkillInvocation(
        invocation_id=task.task_id,
        skill_id=task.task_kind.removeprefix(_KIND),
        task_id=task.task_id,
        session_id=task.session_id,
        status=task.status,
        output=task.result.output if task.result else None,
        started_at=task.started_at,
        finished_at=task.finished_at,
    )
