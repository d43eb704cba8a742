"""What the app's knowledge templates are bound to, for its agent to search. Every passage names its source."""

from lime_desktop.app_server.tools.catalogue import PolicyAsk
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Caller,
    Said,
    ServiceToolKind,
    host_row,
)
from lime_desktop.policy.call import Target
from lime_desktop.protocol.calls.knowledge import (
    SEARCH_KNOWLEDGE,
    SearchKnowledgeParams,
    SearchKnowledgeResult,
)
from lime_desktop.protocol.ids import JsonObject


def _ask(arguments: JsonObject) -> PolicyAsk:
    template = arguments.get("template")
    targets = (Target("knowledge", template),) if isinstance(template, str) else ()
    return PolicyAsk(capability="lime.knowledge", method="search", targets=targets)


def _params(arguments: JsonObject, caller: Caller) -> SearchKnowledgeParams:
    return SearchKnowledgeParams.model_validate({"appId": caller.app.app_id, **arguments})


def _say(result: SearchKnowledgeResult) -> Said:
    lines = [
        f"[{number}] {passage.title} ({passage.location})\n{passage.snippet}"
        for number, passage in enumerate(result.passages, 1)
    ]
    refs = tuple(passage.id for passage in result.passages)
    if result.is_partial:
        lines.append(
            f"(Not everything is indexed yet: {result.pending or 'some'} files are still to be read. Say so.)"
        )
    elif not lines:
        lines.append("Nothing was found.")
    return Said("\n\n".join(lines), refs)


KNOWLEDGE_TOOLS = (
    ServiceToolKind(
        host_row(
            name="knowledge_search",
            title="Search knowledge",
            description="Search what the person bound to the app as knowledge. Name the source of what you use.",
            input_schema=object_schema(
                {
                    "query": {"type": "string", "minLength": 1, "maxLength": 4_000},
                    "template": NAME,
                    "topK": {"type": "integer", "minimum": 1, "maximum": 20},
                },
                "query",
            ),
            keywords=("knowledge", "search", "source", "知识", "检索"),
            is_read_only=True,
        ),
        _ask,
        SEARCH_KNOWLEDGE,
        _params,
        _say,
    ),
)
