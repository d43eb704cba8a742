"""What a tool server gave, in words for the model, with its files kept and named by reference."""

import base64
import binascii
import json
from typing import cast

import mcp_types
from pydantic import JsonValue

from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.tools.tooling import ToolOutcome

MAX_TEXT_CHARACTERS = 2_000_000


def read_result(call_id: str, result: mcp_types.CallToolResult, store: ContentStore) -> ToolOutcome:
    """Read the content blocks. Blocks where files are kept."""
    parts = [_read_block(block, store) for block in result.content]
    text = "\n".join(part for part, _ in parts if part)
    if not text and result.structured_content is not None:
        text = json.dumps(result.structured_content, ensure_ascii=False)
    if len(text) > MAX_TEXT_CHARACTERS:
        text = text[:MAX_TEXT_CHARACTERS] + "\n(The rest was left out: the result is too long.)"
    refs = tuple(reference for _, references in parts for reference in references)
    structured = cast("JsonValue", result.structured_content)
    return ToolOutcome(call_id, text, is_error=result.is_error, refs=refs, structured=structured)


def _read_block(block: mcp_types.ContentBlock, store: ContentStore) -> tuple[str, tuple[str, ...]]:
    match block:
        case mcp_types.TextContent():
            return block.text, ()
        case mcp_types.ImageContent() | mcp_types.AudioContent():
            return _keep(block.data, block.mime_type, store)
        case mcp_types.ResourceLink():
            return f"[{block.name}]({block.uri})", (str(block.uri),)
        case mcp_types.EmbeddedResource(resource=mcp_types.TextResourceContents() as resource):
            return resource.text, (str(resource.uri),)
        case mcp_types.EmbeddedResource(resource=mcp_types.BlobResourceContents() as resource):
            return _keep(resource.blob, resource.mime_type or "application/octet-stream", store)
        case _:
            return "[content of a kind that is not understood]", ()


def _keep(data: str, media_type: str, store: ContentStore) -> tuple[str, tuple[str, ...]]:
    try:
        body = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return f"[{media_type}, damaged]", ()
    reference = store.put("output", body)
    return f"[{media_type}, {len(body)} bytes: {reference}]", (reference,)
