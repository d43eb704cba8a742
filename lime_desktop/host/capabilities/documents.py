"""lime.documents.summarize: a document that the App Server reads, summed up by an agent."""

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.host.runs.app_tasks import AppTasks, Work
from lime_desktop.protocol.capability_calls.documents import (
    PARSE_DOCUMENT,
    ParseDocumentParams,
    SummarizeDocumentParams,
    SummarizeDocumentResult,
)

_TEXT_CHARACTERS = 100_000
"""How much of a document an agent is given to sum up."""


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tasks = AppTasks(services.call, services.caller, services.approvals.follow_run)

    async def summarize(params: SummarizeDocumentParams) -> BaseModel:
        parsed = await services.ask(PARSE_DOCUMENT, ParseDocumentParams(ref=params.ref))
        wanted = Work(
            title="Summary of a document",
            kind="document-summary",
            prompt=params.instruction
            or "Summarize this document for somebody who has not read it.",
            input={"text": parsed.text[:_TEXT_CHARACTERS]},
        )
        return SummarizeDocumentResult(task_id=(await tasks.start(wanted)).task_id)

    return {"lime.documents.summarize": summarize}
