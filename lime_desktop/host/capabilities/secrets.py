"""lime.secrets: the person types into the host's own window, and the app gets a reference."""

from pydantic import BaseModel

from lime_desktop.host.approvals.deferred_prompts import DeferredPrompts
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.view.shell_port import SecretQuestion
from lime_desktop.protocol.calls.secrets import (
    BIND_SECRET,
    LIST_SECRETS,
    BindSecretParams,
    ListSecretsParams,
)
from lime_desktop.protocol.capability_calls.secrets import (
    RequestSecretParams,
    RequestSecretResult,
)


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id
    questions = DeferredPrompts[RequestSecretResult]()

    async def find(slot: str) -> str | None:
        bindings = (await call(LIST_SECRETS, ListSecretsParams(app_id=app_id))).bindings
        return next((each.ref for each in bindings if each.slot == slot), None)

    async def fill(params: RequestSecretParams) -> RequestSecretResult:
        question = SecretQuestion(slot=params.key, reason=params.reason or "")
        value = await services.shell.ask_secret(question)
        if value is None:
            return RequestSecretResult(key=params.key, status="denied")
        asked = BindSecretParams(app_id=app_id, slot=params.key, value=value.get_secret_value())
        bound = (await call(BIND_SECRET, asked)).binding
        return RequestSecretResult(key=params.key, status="bound", ref=bound.ref)

    async def request_binding(params: RequestSecretParams) -> BaseModel:
        if (ref := await find(params.key)) is not None:
            return RequestSecretResult(key=params.key, status="bound", ref=ref)
        answer = await questions.ask(params.key, lambda: fill(params))
        return answer or RequestSecretResult(key=params.key, status="pending")

    return {"lime.secrets.requestBinding": request_binding}
