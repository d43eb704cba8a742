"""lime.skills: the skills that the app's package brings. They run only through the agent."""

from typing import Literal

from pydantic import BaseModel

from lime_desktop.app_package.skill_files import Skill as BundledSkill
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.runs.app_tasks import AppTasks, Work
from lime_desktop.protocol.agent_tasks import TaskRecord
from lime_desktop.protocol.capability_calls.skills import (
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

_KIND = "skill:"
_ELSEWHERE = "This host has no skills but those that the app brings"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tasks = AppTasks(services.call, services.caller, services.approvals.follow_run)

    def list_all(params: ListSkillsParams) -> BaseModel:
        found = _skills(services)
        return ListSkillsResult(tuple(each for each in found if params.kind in {None, each.kind}))

    def resolve(params: SkillParams) -> BaseModel:
        return _skill(services, params.skill_id)

    def bind(params: BindSkillParams) -> BaseModel:
        skill = _skill(services, params.skill_id)
        return BindSkillResult(
            skill_id=skill.skill_id, status="bound" if skill.available else "denied"
        )

    async def invoke(params: InvokeSkillParams) -> BaseModel:
        skill = _skill(services, params.skill_id)
        if not skill.available:
            raise ToolUnknown(_ELSEWHERE)
        wanted = Work(
            title=skill.title,
            kind=f"{_KIND}{skill.skill_id}",
            prompt=f"Use the skill {skill.skill_id}: {skill.description}",
            input=params.input,
        )
        return _invocation(await tasks.start(wanted))

    async def get_invocation(params: SkillInvocationParams) -> BaseModel:
        return _invocation(await tasks.find(params.invocation_id, _KIND))

    return {
        "lime.skills.list": list_all,
        "lime.skills.resolve": resolve,
        "lime.skills.bind": bind,
        "lime.skills.invoke": invoke,
        "lime.skills.getInvocation": get_invocation,
    }


def _skill(services: HandlerServices, skill_id: str) -> Skill:
    for skill in _skills(services):
        if skill.skill_id == skill_id:
            return skill
    raise ToolUnknown("The app has no skill of that id")


def _skills(services: HandlerServices) -> list[Skill]:
    package = services.app().package
    referred = package.manifest.skills.references if package.manifest.skills else ()
    return [
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
    ]


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
        status=task.status,
        output=task.result.output if task.result else None,
        started_at=task.started_at,
        finished_at=task.finished_at,
    )
