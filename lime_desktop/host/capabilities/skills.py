"""lime.skills.bind: a person is asked to switch a manual skill on; the others need nobody."""

from pydantic import BaseModel

from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.view.shell_port import SkillQuestion
from lime_desktop.protocol.calls.skills import SWITCH_SKILL, SwitchSkillParams
from lime_desktop.protocol.capability_calls.skills import (
    RESOLVE_SKILL,
    BindSkillParams,
    BindSkillResult,
    SkillParams,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    questions = DeferredPrompts[BindSkillResult]()

    async def turn_on(params: BindSkillParams, description: str) -> BindSkillResult:
        question = SkillQuestion(params.skill_id, description, params.reason or "")
        if not await services.shell.ask_skill(question):
            return BindSkillResult(skill_id=params.skill_id, status="denied")
        asked = SwitchSkillParams(app_id=services.app_id, skill_id=params.skill_id, is_on=True)
        await services.call(SWITCH_SKILL, asked)
        return BindSkillResult(skill_id=params.skill_id, status="bound")

    async def bind(params: BindSkillParams) -> BaseModel:
        skill = await services.ask(RESOLVE_SKILL, SkillParams(skill_id=params.skill_id))
        if skill.enabled or not skill.available:
            # What is not here cannot be switched on: the skill itself says what is missing.
            status = "bound" if skill.enabled else "denied"
            return BindSkillResult(skill_id=params.skill_id, status=status)
        answer = await questions.ask(params.skill_id, lambda: turn_on(params, skill.description))
        return answer or BindSkillResult(skill_id=params.skill_id, status="pending")

    return {"lime.skills.bind": bind}
