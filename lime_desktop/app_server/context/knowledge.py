"""What does the app's bound knowledge say about the input? A few passages, each with its source."""

from collections.abc import Awaitable, Callable

from lime_desktop.app_server.apps.agent_settings import AgentSettings
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import allowed_knowledge
from lime_desktop.policy.call import PolicyCall, Target
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Allowed
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.knowledge import (
    KnowledgeRecord,
    KnowledgeSearchParams,
    KnowledgeSearchResult,
)
from lime_desktop.protocol.errors import AppError

MAX_PASSAGES = 6
_MAX_QUERY = 2_000

SearchKnowledge = Callable[[KnowledgeSearchParams, AppCaller], Awaitable[KnowledgeSearchResult]]


async def passages_for(
    app: RegisteredApp, request: TurnRequest, search: SearchKnowledge, now_ms: int
) -> tuple[KnowledgeRecord, ...]:
    """Passages of the templates that the task names, or of all that the app declares, as far as policy allows."""
    if not request.input.text.strip():
        return ()
    found: list[KnowledgeRecord] = []
    most = MAX_PASSAGES
    for key in _templates(app, request):
        if _may_search(app, key, now_ms):
            found += await _search(app, key, request.input.text, search)
            most = max(most, AgentSettings(app.registration).retrieval_of(key).top_k or 0)
    return tuple(sorted(found, key=lambda passage: -passage.score)[:most])


def _templates(app: RegisteredApp, request: TurnRequest) -> tuple[str, ...]:
    named = allowed_knowledge(request.options)
    if named is not None:
        return tuple(sorted(named))
    return tuple(template.key for template in app.package.manifest.knowledge_templates)


def _may_search(app: RegisteredApp, key: str, now_ms: int) -> bool:
    call = PolicyCall(
        app_id=app.app_id,
        capability="lime.knowledge",
        method="search",
        targets=(Target("knowledge", key),),
    )
    return isinstance(decide(call, app.policy_facts(now_ms)), Allowed)


async def _search(
    app: RegisteredApp, key: str, query: str, search: SearchKnowledge
) -> tuple[KnowledgeRecord, ...]:
    wanted = AgentSettings(app.registration).retrieval_of(key).top_k or MAX_PASSAGES
    params = KnowledgeSearchParams(query=query[:_MAX_QUERY], template=key, top_k=wanted)
    try:
        return (await search(params, AppCaller(provenance=app.provenance))).records
    except AppError:
        # Nothing is bound, or the index is being made: the agent works without it.
        return ()
