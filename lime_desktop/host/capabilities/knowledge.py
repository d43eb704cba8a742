"""lime.knowledge.bind: the person chooses what an app may look things up in; the App Server indexes and searches it."""

from pydantic import BaseModel

from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.view.shell_port import FileQuestion
from lime_desktop.protocol.calls.knowledge import BIND_KNOWLEDGE
from lime_desktop.protocol.calls.knowledge import BindKnowledgeParams as BindParams
from lime_desktop.protocol.capability_calls.knowledge import (
    READ_BINDING,
    BindKnowledgeParams,
    KnowledgeBindingStatus,
    KnowledgeKeyParams,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id
    questions = DeferredPrompts[KnowledgeBindingStatus]()

    async def choose(params: BindKnowledgeParams) -> KnowledgeBindingStatus:
        paths = await services.shell.choose_files(FileQuestion(is_either=True))
        if not paths:
            return await services.ask(READ_BINDING, KnowledgeKeyParams(key=params.key))
        asked = BindParams(
            app_id=app_id, key=params.key, paths=tuple(map(str, paths)), mode=params.mode
        )
        return (await call(BIND_KNOWLEDGE, asked)).status

    async def bind(params: BindKnowledgeParams) -> BaseModel:
        if params.ref is not None:
            # The person opened it to the app already: to ask again would be to ask for the same.
            held = BindParams(
                app_id=app_id, key=params.key, paths=(), ref=params.ref, mode=params.mode
            )
            return (await call(BIND_KNOWLEDGE, held)).status
        status = await questions.ask(params.key, lambda: choose(params))
        return status or KnowledgeBindingStatus(key=params.key, status="pending")

    return {"lime.knowledge.bind": bind}
