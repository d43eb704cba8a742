"""What the app's knowledge templates are bound to, for its agent to search. Every passage names its source."""

from lime_desktop.app_server.knowledge.service import AppKnowledge
from lime_desktop.app_server.tools.catalogue import PolicyAsk
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Said,
    ServiceToolKind,
    by_call,
    host_row,
)
from lime_desktop.policy.call import Target
from lime_desktop.protocol.capability_calls.knowledge import (
    SEARCH_KNOWLEDGE,
    KnowledgeSearchParams,
    KnowledgeSearchResult,
)
from lime_desktop.protocol.ids import JsonObject


def _ask(arguments: JsonObject) -> PolicyAsk:
    template = arguments.get("template")
    targets = (Target("knowledge", template),) if isinstance(template, str) else ()
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
    """Searching."""
    return (
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
            by_call(SEARCH_KNOWLEDGE, knowledge.search, _say),
        ),
    )
