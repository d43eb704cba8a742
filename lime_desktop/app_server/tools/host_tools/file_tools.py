"""Files that a person opened to the app, for its agent: by reference, never by path."""

from lime_desktop.app_server.files.service import AppFilesService
from lime_desktop.app_server.tools.catalogue import PolicyAsk
from lime_desktop.app_server.tools.host_tools.schemas import NAME, object_schema
from lime_desktop.app_server.tools.host_tools.service_tool import (
    Said,
    ServiceToolKind,
    by_call,
    host_row,
)
from lime_desktop.protocol.capability_calls.files import (
    LIST_FILES,
    PARSE_FILE,
    READ_FILE,
    ListFileRefsResult,
    ParseFileParams,
    ParseFileResult,
    ReadFileParams,
    ReadFileResult,
)
from lime_desktop.protocol.wire import Empty

_KEYWORDS = ("file", "document", "read", "文件", "文档")


def _say_files(_: Empty, result: ListFileRefsResult) -> Said:
    lines = [f"{file.ref}: {file.name} ({file.size_bytes} bytes)" for file in result.root]
    return Said("\n".join(lines) or "No file is open to the app.")


def _say_part(_: ReadFileParams, result: ReadFileResult) -> Said:
    if result.next_offset is None:
        return Said(result.content)
    more = (
        f"\n(more: call again with offset {result.next_offset}; {result.size_bytes} bytes in all)"
    )
    return Said(result.content + more)


def _say_parsed(_: ParseFileParams, result: ParseFileResult) -> Said:
    return Said(result.text + ("\n(The rest was left out.)" if result.truncated else ""))


def file_tools(files: AppFilesService) -> tuple[ServiceToolKind, ...]:
    """Listing, reading and parsing."""
    return (
        ServiceToolKind(
            host_row(
                name="file_list",
                title="List files",
                description="List the files that the person opened to the app, each with its reference.",
                input_schema=object_schema({}),
                keywords=_KEYWORDS,
                is_read_only=True,
            ),
            lambda _arguments: PolicyAsk(capability="lime.files", method="list"),
            by_call(LIST_FILES, files.list, _say_files),
        ),
        ServiceToolKind(
            host_row(
                name="file_read",
                title="Read a file",
                description="Read text of an opened file by its reference, a part at a time.",
                input_schema=object_schema(
                    {
                        "ref": NAME,
                        "offset": {"type": "integer", "minimum": 0},
                        "length": {"type": "integer", "minimum": 1, "maximum": 200_000},
                    },
                    "ref",
                ),
                keywords=_KEYWORDS,
                is_read_only=True,
            ),
            lambda _arguments: PolicyAsk(capability="lime.files", method="read"),
            by_call(READ_FILE, files.read, _say_part),
        ),
        ServiceToolKind(
            host_row(
                name="file_parse",
                title="Read a document",
                description="Turn an opened document (PDF, Word, spreadsheet, …) into plain text, by its reference.",
                input_schema=object_schema({"ref": NAME}, "ref"),
                keywords=(*_KEYWORDS, "pdf", "docx", "xlsx"),
                is_read_only=True,
            ),
            lambda _arguments: PolicyAsk(capability="lime.files", method="parse"),
            by_call(PARSE_FILE, files.parse, _say_parsed),
        ),
    )
