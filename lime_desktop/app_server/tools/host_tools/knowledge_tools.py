"""What the app's knowledge templates are bound to, for its agent to search. Every passage names its source."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import JsonValue

from lime_desktop.app_server.knowledge.service import AppKnowledge
from lime_desktop.app_server.runtime_core.backend import TurnRequest
from lime_desktop.app_server.task_request import allowed_knowledge
from lime_desktop.app_server.tools.catalogue import PolicyAsk, ToolRow
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Said,
    ServiceToolKind,
    by_call,
    host_row,
)
from lime_desktop.policy.call import Target
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.knowledge import (
    SEARCH_KNOWLEDGE,
    KnowledgeSearchParams,
    KnowledgeSearchResult,
)
from lime_desktop.protocol.errors import KnowledgeNotBound, PermissionDenied
from lime_desktop.protocol.ids import JsonObject


def _ask(arguments: JsonObject, allowed: Sequence[str] = ()) -> PolicyAsk:
    template = arguments.get("template")
    named = (template,) if isinstance(template, str) else allowed
    targets = tuple(Target("knowledge", key) for key in named)
    return PolicyAsk(capability="lime.knowledge", method="search", targets=targets)


def _say(_: KnowledgeSearchParams, result: KnowledgeSearchResult) -> Said:
    lines = [
        f"[{number}] {passage.title} ({passage.location})\n{passage.snippet}"
        for number, passage in enumerate(result.records, 1)
    ]
    refs = tuple(passage.id for passage in result.records)
    if result.is_partial:
        lines.append(
            f"(Not everything is indexed yet: {result.pending or 'some'} files are still to be read. Say so.)"
        )
    elif not lines:
        lines.append("Nothing was found.")
    return Said("\n\n".join(lines), refs)


def knowledge_tools(knowledge: AppKnowledge) -> tuple[ServiceToolKind, ...]:
    """Searching: in all that is bound, or in what the turn's task names."""
    search = by_call(SEARCH_KNOWLEDGE, knowledge.search, _say)
    whole = ServiceToolKind(_row(NAME), _ask, search)

    def narrowed(request: TurnRequest) -> ServiceToolKind | None:
        allowed = allowed_knowledge(request.options)
        return whole if allowed is None else _within(knowledge, tuple(sorted(allowed)))

    return (replace(whole, narrowed=narrowed),)


def _row(template: JsonObject) -> ToolRow:
    return host_row(
        name="knowledge_search",
        title="Search knowledge",
        description="Search what the person bound to the app as knowledge. Name the source of what you use.",
        input_schema=object_schema(
            {
                "query": {"type": "string", "minLength": 1, "maxLength": 4_000},
                "template": template,
                "topK": {"type": "integer", "minimum": 1, "maximum": 20},
            },
            "query",
        ),
        keywords=("knowledge", "search", "source", "知识", "检索"),
        is_read_only=True,
    )


def _within(knowledge: AppKnowledge, allowed: tuple[str, ...]) -> ServiceToolKind | None:
    """The tool of a task that names its knowledge: it finds nothing elsewhere, whatever the model asks for."""
    if not allowed:
        return None

    async def search(params: KnowledgeSearchParams, caller: AppCaller) -> KnowledgeSearchResult:
        if params.template is None:
            return await _search_each(knowledge, allowed, params, caller)
        if params.template not in allowed:
            raise PermissionDenied("The task does not name this knowledge")
        return await knowledge.search(params, caller)

    return ServiceToolKind(
        _row({"enum": list[JsonValue](allowed)}),
        lambda arguments: _ask(arguments, allowed),
        by_call(SEARCH_KNOWLEDGE, search, _say),
    )


async def _search_each(
    knowledge: AppKnowledge,
    keys: tuple[str, ...],
    params: KnowledgeSearchParams,
    caller: AppCaller,
) -> KnowledgeSearchResult:
    """The best of several templates. One that nobody bound is left out, unless all are."""
    found: list[KnowledgeSearchResult] = []
    missing: KnowledgeNotBound | None = None
    for key in keys:
        try:
            one = params.model_copy(update={"template": key})
            found.append(await knowledge.search(one, caller))
        except KnowledgeNotBound as error:
            missing = error
    if not found:
        raise missing or KnowledgeNotBound("The task names no knowledge")
    records = sorted(
        (record for each in found for record in each.records), key=lambda record: -record.score
    )
    return found[0].model_copy(
        update={
            "records": tuple(records[: params.top_k]),
            "is_partial": any(each.is_partial for each in found),
            "pending": sum(each.pending for each in found),
        }
    )
