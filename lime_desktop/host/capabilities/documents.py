"""lime.documents: read and rewritten by the App Server; summed up by an agent."""

from pydantic import BaseModel

from lime_desktop.host.app_tasks import AppTasks, Work
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.calls.app_artifacts import EXPORT_ARTIFACT, ExportArtifactParams
from lime_desktop.protocol.calls.documents import TRANSFORM_DOCUMENT
from lime_desktop.protocol.calls.documents import TransformDocumentParams as TransformParams
from lime_desktop.protocol.calls.files import PARSE_FILE, ParseFileParams
from lime_desktop.protocol.capability_calls.documents import (
    DocumentFile,
    DocumentPart,
    ExportDocumentParams,
    ParseDocumentParams,
    ParseDocumentResult,
    SummarizeDocumentParams,
    SummarizeDocumentResult,
    TransformDocumentParams,
)
from lime_desktop.protocol.capability_calls.files import FileRef
from lime_desktop.protocol.errors import InvalidInput

_PARSE_S = 75.0
_TEXT_CHARACTERS = 100_000
"""How much of a document an agent is given to sum up."""


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    call, app_id = services.call, services.app_id
    tasks = AppTasks(services.call, services.provenance, services.approvals.follow_run)

    async def parse(params: ParseDocumentParams) -> BaseModel:
        asked = ParseFileParams(app_id=app_id, ref=params.ref)
        found = await call(PARSE_FILE, asked, timeout_s=_PARSE_S)
        return ParseDocumentResult(
            ref=params.ref,
            media_type=found.media_type,
            text=found.text,
            parts=tuple(
                DocumentPart(title=each.title, level=each.level, text=each.text)
                for each in found.sections
            ),
            tables=found.tables,
            metadata=found.metadata,
            truncated=found.truncated,
        )

    async def export(params: ExportDocumentParams) -> BaseModel:
        asked = ExportArtifactParams(
            app_id=app_id, artifact_id=params.artifact_id, format=params.format
        )
        written = await call(EXPORT_ARTIFACT, asked)
        return _file(written.file, written.format)

    async def transform(params: TransformDocumentParams) -> BaseModel:
        asked = _transformation(app_id, params)
        written = await call(TRANSFORM_DOCUMENT, asked, timeout_s=_PARSE_S)
        return _file(written.file, written.format)

    async def summarize(params: SummarizeDocumentParams) -> BaseModel:
        asked = ParseFileParams(app_id=app_id, ref=params.ref)
        text = (await call(PARSE_FILE, asked, timeout_s=_PARSE_S)).text[:_TEXT_CHARACTERS]
        wanted = Work(
            title="Summary of a document",
            kind="document-summary",
            prompt=params.instruction
            or "Summarize this document for somebody who has not read it.",
            input={"text": text},
        )
        return SummarizeDocumentResult(task_id=(await tasks.start(wanted)).task_id)

    return {
        "lime.documents.parse": parse,
        "lime.documents.export": export,
        "lime.documents.transform": transform,
        "lime.documents.summarize": summarize,
    }


def _transformation(app_id: str, params: TransformDocumentParams) -> TransformParams:
    wanted = (params.options or {}).get("format")
    try:
        return TransformParams.model_validate(
            {"app_id": app_id, "ref": params.ref, "operation": params.operation, "format": wanted}
        )
    except ValueError:
        raise InvalidInput.at_fields([("operation", "unknown_operation_or_format")]) from None


def _file(file: FileRef, form: str) -> DocumentFile:
    return DocumentFile(ref=file.ref, file_name=file.name, format=form, size_bytes=file.size_bytes)
