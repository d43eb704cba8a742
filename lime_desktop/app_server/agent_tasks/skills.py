"""Answers lime.skills: the skills that an app's package brings. They run only through the agent."""

from typing import TYPE_CHECKING, Literal

from lime_desktop.app_package.skill_files import Skill as BundledSkill
from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.protocol.agent_tasks import StartTaskParams, TaskRecord
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.skills import (
    BIND_SKILL,
    GET_INVOCATION,
    INVOKE_SKILL,
    LIST_SKILLS,
    RESOLVE_SKILL,
    BindSkillParams,
    BindSkillResult,
    InvokeSkillParams,
    ListSkillsParams,
    ListSkillsResult,
    Skill,
    SkillInvocation,
    SkillInvocationParams,
    SkillParams,
)
from lime_desktop.protocol.errors import ToolUnknown
from lime_desktop.protocol.ids import AppId, TaskId

if TYPE_CHECKING:
    from lime_desktop.app_package.package import AppPackage

_KIND = "skill:"
_ELSEWHERE = "This host has no skills but those that the app brings"


class AppSkills:
    """The skills of every app."""

    def __init__(self, tasks: AgentTasks, apps: RegisteredApps) -> None:
        self._tasks = tasks
        self._apps = apps

    def serve(self, calls: AppCalls) -> None:
        """Answer what apps ask of their skills."""
        calls.add(LIST_SKILLS, self.list)
        calls.add(RESOLVE_SKILL, self.resolve)
        calls.add(BIND_SKILL, self.bind)
        calls.add(INVOKE_SKILL, self.invoke)
        calls.add(GET_INVOCATION, self.get_invocation)

    async def list(self, params: ListSkillsParams, caller: AppCaller) -> ListSkillsResult:
        """The app's skills."""
        found = self._skills(caller.app_id)
        return ListSkillsResult(tuple(each for each in found if params.kind in {None, each.kind}))

    async def resolve(self, params: SkillParams, caller: AppCaller) -> Skill:
        """One skill."""
        return self._skill(caller.app_id, params.skill_id)

    async def bind(self, params: BindSkillParams, caller: AppCaller) -> BindSkillResult:
        """Say whether the agent may use a skill."""
        skill = self._skill(caller.app_id, params.skill_id)
        return BindSkillResult(
            skill_id=skill.skill_id, status="bound" if skill.available else "denied"
        )

    async def invoke(self, params: InvokeSkillParams, caller: AppCaller) -> SkillInvocation:
        """Have an agent use a skill."""
        skill = self._skill(caller.app_id, params.skill_id)
        if not skill.available:
            raise ToolUnknown(_ELSEWHERE)
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

    def _skill(self, app_id: AppId, skill_id: str) -> Skill:
        for skill in self._skills(app_id):
            if skill.skill_id == skill_id:
                return skill
        raise ToolUnknown("The app has no skill of that id")

    def _skills(self, app_id: AppId) -> tuple[Skill, ...]:
        return _skills_of(self._apps.get(app_id).package)


def _skills_of(package: "AppPackage") -> tuple[Skill, ...]:
    referred = package.manifest.skills.references if package.manifest.skills else ()
    return (
        *(_bundled(skill) for skill in package.skills),
        *(
            Skill(
                skill_id=reference.id,
                kind="reference",
                title=reference.id,
                description="",
                activation=reference.activation or "on-demand",
                available=False,
                enabled=False,
                version=reference.version,
                unavailable_reason=_ELSEWHERE,
            )
            for reference in referred
        ),
    )


def _bundled(skill: BundledSkill) -> Skill:
    return Skill(
        skill_id=skill.name,
        kind="bundled",
        title=skill.name,
        description=skill.description,
        activation=_activation(skill.activation),
        available=True,
        enabled=skill.activation != "manual",
    )


def _activation(written: str) -> Literal["auto", "on-demand", "manual"]:
    match written:
        case "auto" | "manual":
            return written
        case _:
            return "on-demand"


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
