"""Answers lime.documents.summarize: a document that an app holds, summed up by an agent."""

from lime_desktop.app_server.agent_tasks.service import AgentTasks
from lime_desktop.app_server.files.document_transforms import AppDocuments
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.protocol.agent_tasks import StartTaskParams
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.documents import (
    SUMMARIZE_DOCUMENT,
    ParseDocumentParams,
    SummarizeDocumentParams,
    SummarizeDocumentResult,
)

_TEXT_CHARACTERS = 100_000
"""How much of a document an agent is given to sum up."""


class DocumentSummaries:
    """Summaries for every app."""

    def __init__(self, tasks: AgentTasks, documents: AppDocuments) -> None:
        self._tasks = tasks
        self._documents = documents

    def serve(self, calls: AppCalls) -> None:
        """Answer who wants a summary."""
        calls.add(SUMMARIZE_DOCUMENT, self.summarize)

    async def summarize(
        self, params: SummarizeDocumentParams, caller: AppCaller
    ) -> SummarizeDocumentResult:
        """Have an agent summarise a document; the summary is the task's result."""
        parsed = await self._documents.parse(ParseDocumentParams(ref=params.ref), caller)
        wanted = StartTaskParams(
            title="Summary of a document",
            task_kind="document-summary",
            prompt=params.instruction
            or "Summarize this document for somebody who has not read it.",
            input={"text": parsed.text[:_TEXT_CHARACTERS]},
        )
        task = await self._tasks.start(wanted, caller)
        return SummarizeDocumentResult(task_id=task.task_id, session_id=task.session_id)
