"""What each parser usually reads: the inputs that are bent and broken, and those that once did harm."""

import json
from pathlib import Path

from tests.app_server.documents.written import docx, packed, pdf, xlsx
from tests.hostile_pictures import GOOD_SVG, endless_gif, huge_png

SAMPLE_APPS = Path(__file__).parents[2] / "sample_apps"
_APP = SAMPLE_APPS / "hello-lime"

_PAGE = (
    b"<!doctype html><title>T &amp; t</title><script type=module src=/a.js></script><script>1<2</script>"
    b"<h1 class='a' id=b>Head</h1><p>Seen &#65; kept<br/><style>p{}</style><table><tr><td>1<td>2</table>"
    b"<!-- c --><![CDATA[x]]><textarea></p></textarea></>"
)
_MARKDOWN = (
    "---\nname: a\n---\n# 标题\n\nFirst *words* `code` [link](/a 'b') ![p](q)\n\n- a\n  - b\n1. c\n\n> d\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n```yaml\na: 1\n```\n\n[x]: /y\n<b>&copy;</b>\n"
).encode()
_YAML = (_APP / "APP.md").read_bytes().split(b"---\n")[1] + (
    b"anchored: &a {b: [1, 2.5, ~], c: 'd'}\nagain: *a\nmerged: {<<: *a, text: |\n  x\n}\nfolded: >-\n  y\n"
)
_BRIDGE = {
    "protocol": "lime.agentApp.bridge",
    "version": 1,
    "type": "capability:invoke",
    "requestId": "r1",
    "payload": {"capability": "lime.storage", "method": "get", "input": {"key": "k"}},
}
_CATALOG = {"apps": [{"appId": "a", "title": "A", "version": "1.0.0", "package": "a.lapp"}]}
_CHUNK = {
    "id": "c",
    "object": "chat.completion.chunk",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "delta": {"content": "Hi"}, "finish_reason": None}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
}
_SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="g"><stop offset="0"/></linearGradient></defs>'
    b'<path d="M0 0L5 5z" fill="url(#g)"/><text x="1">t</text><image href="data:image/png;base64,AA"/></svg>'
)
_EVENT = b"data: " + json.dumps(_CHUNK).encode() + b"\n\n"


def _rpc(result: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode() + b"\n"


def _update(update: object) -> bytes:
    return json.dumps({"sessionId": "s", "update": update}).encode() + b"\n"


_TOOL_CALL = {
    "sessionUpdate": "tool_call",
    "toolCallId": "1",
    "title": "Edit",
    "kind": "edit",
    "status": "completed",
    "content": [
        {"type": "diff", "path": "/a", "oldText": "a\nb\n", "newText": "a\nc\n"},
        {"type": "content", "content": {"type": "text", "text": "done"}},
    ],
}

SEEDS: dict[str, tuple[bytes, ...]] = {
    "html": (_PAGE, b"<![", b"&#" + b"1" * 5_000, b"<a " * 40),
    "markdown": (_MARKDOWN, (_APP / "APP.md").read_bytes()),
    "svg": (
        GOOD_SVG,
        _SVG,
        endless_gif(3),
        huge_png(9)[:2_000],
    ),
    "pdf": (pdf("Page one", "Page two"),),
    "docx": (docx(("Heading1", "H"), ("Normal", "text"), table=[["a", "b"]]),),
    "xlsx": (xlsx("Sheet", [["a", 1], ["b", None]]),),
    "csv": (b"a;b\n1;2\n", b'"a","b"\n"x ""y""",2\n', b'"a","b"\n"x ' + b'"' * 2_400 + b"1e999"),
    "yaml": (_YAML,),
    "json": (
        json.dumps(_BRIDGE).encode(),
        json.dumps(_CATALOG).encode(),
        b'{"a":[1,-2.5e3,"\\u4f60",null]}',
    ),
    "zip": (
        packed(
            {
                path.relative_to(_APP).as_posix(): path.read_bytes()
                for path in sorted(_APP.rglob("*"))
                if path.is_file()
            }
        ),
        packed({"APP.md": (_APP / "APP.md").read_bytes()}),
    ),
    "sse": (_EVENT * 3 + b"data: [DONE]\n\n", b": c\r\nevent: e\r\nid: 1\r\nretry: 2\r\n" + _EVENT),
    "mcp": (
        _rpc(
            {
                "content": [
                    {"type": "text", "text": "x"},
                    {"type": "image", "data": "QUJD", "mimeType": "image/png"},
                ]
            }
        ),
        _rpc(
            {
                "content": [{"type": "resource", "resource": {"uri": "file:///a", "text": "t"}}],
                "isError": True,
            }
        ),
        b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n',
    ),
    "acp": (
        _update(_TOOL_CALL),
        _update(
            {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        ),
        _update(
            {
                "sessionUpdate": "plan",
                "entries": [{"content": "a", "priority": "low", "status": "pending"}],
            }
        ),
    ),
    "expression": (
        b"$.states.read-files.output.rows[0].n >= 10 and not ($.input.kind in ['a', \"b\"])",
        b"length($.item.x ?? [1, {a: null}]) == -2.5e3 or $.run.id != '\xe4\xbd\xa0'",
        b"Dear ${ $.input.name ?? 'you' }, $$5 ${ {a: '}'} } $ ${",
        b"(" * 900,
    ),
}
