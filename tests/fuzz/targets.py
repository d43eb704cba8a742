"""Every parser of bytes from strangers, as a function that takes bytes and raises only what it declares."""

import asyncio
import contextlib
import io
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

import httpx2
import mcp_types
from acp.schema import SessionNotification
from openai import AsyncOpenAI
from pydantic import ValidationError

from lime_desktop.app_package.archive.opening import open_package
from lime_desktop.app_package.package import load_package
from lime_desktop.app_package.text.app_md import parse_app_md
from lime_desktop.app_package.text.html_text import read_html
from lime_desktop.app_package.text.json_text import parse_json
from lime_desktop.app_package.text.plain_text import ReadingBudget
from lime_desktop.app_package.text.yaml_text import parse_yaml
from lime_desktop.app_server.content_store import ContentStore
from lime_desktop.app_server.documents.child import parse as parse_document
from lime_desktop.app_server.execution.acp.translation import Translation
from lime_desktop.app_server.execution.embedded.completions import ModelLost, read_event
from lime_desktop.app_server.providers.bounded_answers import bound_answers
from lime_desktop.app_server.tools.host_tools.page_text import text_of_page
from lime_desktop.app_server.tools.mcp.results import read_result
from lime_desktop.app_server.tools.mcp.transport import _parse as parse_mcp_line
from lime_desktop.host.app_center.catalog.catalog_file import parse_catalog
from lime_desktop.host.web_content.content_policy import mark_scripts
from lime_desktop.jsonrpc.messages import parse as parse_rpc_line
from lime_desktop.protocol.bridge.reading import claimed_request_id, parse_app_message
from lime_desktop.protocol.calls.models import ModelDescription
from lime_desktop.protocol.errors import AppError
from lime_desktop.workflow_model.expressions.evaluation import evaluate
from lime_desktop.workflow_model.expressions.parser import parse_expression
from lime_desktop.workflow_model.expressions.syntax import ExpressionError
from lime_desktop.workflow_model.expressions.templates import fill_template, parse_template
from tests.fuzz.drawing import draw_bounded

Parse = Callable[[bytes], object]


@dataclass(frozen=True, slots=True)
class Target:
    """A parser and what it may raise."""

    name: str
    parse: Parse
    declares: tuple[type[BaseException], ...] = ()


def _html(data: bytes) -> None:
    text = data.decode("latin-1")
    for _ in read_html(text):
        pass
    marked, source = mark_scripts(data)
    assert marked.replace(f' nonce="{source[7:-1]}"'.encode(), b"") == data
    text_of_page(text)
    parse_document("html", data)


def _markdown(data: bytes) -> None:
    parse_app_md(data, ReadingBudget())
    parse_document("markdown", data)


def _document(parser: str) -> Parse:
    return lambda data: parse_document(parser, data).to_wire()


def _json(data: bytes) -> None:
    parse_json(data, "a.json", ReadingBudget())
    parse_rpc_line(data)
    text = data.decode("utf-8", "replace")
    claimed_request_id(text)
    with contextlib.suppress(AppError):
        parse_app_message(text)
    parse_catalog(text, "list.json")


def _zip(data: bytes) -> None:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / "a.lapp"
        path.write_bytes(data)
        load_package(open_package(path))


def _sse(data: bytes) -> None:
    for line in data.decode("utf-8", "replace").splitlines():
        if line.startswith("data: {"):
            try:
                read_event(line.removeprefix("data: "))
            except ModelLost:
                break
    asyncio.run(_sse_of_provider(data))


async def _sse_of_provider(data: bytes) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        body = io.BytesIO(data)
        while piece := body.read(4_096):
            yield piece

    def answer(request: httpx2.Request) -> httpx2.Response:
        del request
        headers = {"Content-Type": "text/event-stream"}
        return httpx2.Response(200, headers=headers, content=pieces())

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        bound_answers(http)
        client = AsyncOpenAI(api_key="none", base_url="http://127.0.0.1", http_client=http)
        asked = client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "x"}], stream=True
        )
        async for _ in await asked:
            pass


def _mcp(data: bytes) -> None:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        store = ContentStore(Path(folder))
        for line in data.splitlines():
            message = parse_mcp_line(line)
            if isinstance(message, Exception):
                continue
            result = getattr(message.message, "result", None)
            try:
                said = mcp_types.CallToolResult.model_validate(result)
            except ValidationError:
                continue
            read_result("call", said, store)


def _acp(data: bytes) -> None:
    model = ModelDescription(engine="e", provider_id="p", model_id="m", title="M")
    translation = Translation("turn", model, PurePath("folder"))
    for line in data.splitlines():
        try:
            said = SessionNotification.model_validate_json(line)
        except ValidationError:
            continue
        for _ in translation.facts(said.update):
            pass


def _expression(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    found = parse_expression(text)
    if not isinstance(found, ExpressionError):
        evaluate(found, {"input": text})
    template = parse_template({"text": text})
    if not isinstance(template, list):
        fill_template(template, {"input": [text]})


TARGETS = {
    target.name: target
    for target in (
        Target("html", _html),
        Target("markdown", _markdown),
        Target("svg", draw_bounded),
        Target("pdf", _document("pdf"), (AppError,)),
        Target("docx", _document("docx"), (AppError,)),
        Target("xlsx", _document("xlsx"), (AppError,)),
        Target("csv", _document("csv"), (AppError,)),
        Target("yaml", lambda data: parse_yaml(data, "a.yaml", ReadingBudget())),
        Target("json", _json, (AppError,)),
        Target("zip", _zip, (AppError,)),
        # The engine takes whatever its library raises for an answer that cannot be understood.
        Target("sse", _sse, (Exception,)),
        Target("mcp", _mcp),
        Target("acp", _acp),
        Target("expression", _expression),
    )
}
