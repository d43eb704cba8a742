"""Structures that make parsers quadratic when repeated: before, repeated, after. Some are known from elsewhere."""

import json

Bomb = tuple[str, str, str]


def _repeated(*pieces: str) -> tuple[Bomb, ...]:
    return tuple(("", piece, "") for piece in pieces)


_DIFF = json.dumps(
    {
        "sessionId": "s",
        "update": {
            "sessionUpdate": "tool_call",
            "toolCallId": "1",
            "title": "t",
            "content": [{"type": "diff", "path": "/a", "oldText": "<OLD>", "newText": "b"}],
        },
    }
).partition("<OLD>")

BOMBS: dict[str, tuple[Bomb, ...]] = {
    "html": _repeated(
        "<a ",
        "<![",
        "<!--",
        "</",
        "<a b='",
        "<script>",
        "<script><!--",
        "<title>",
        "<h1>a",
        "<td>",
        "<svg>a",
        "<table><tr>",
        "&#1",
        "&a",
        "</h1>",
        "<p>a</p>",
        "\n",
        "<h1>",
        "</table>",
    ),
    "markdown": _repeated(
        "[",
        "![",
        "[a](",
        "`",
        "*a ",
        "_a*",
        "<a",
        "&#",
        "[a]: b\n",
        "> ",
        "- a\n",
        "| a ",
        "|-|\n",
        "# a\n",
        "```\n",
        "~~~\n",
        "    a\n",
        "[[a]",
        "a**b",
        "1. a\n",
        "[`",
        "[x]\n: ",
        "* a\n\n",
        ">a\n",
        "---\n",
        "a\n=\n",
    ),
    "csv": _repeated('"', "a,", '"a"', "'\"", "\n", ";|", '"a";"b"\n'),
    "yaml": _repeated(
        "- ",
        "a: ",
        "{",
        "[",
        "? ",
        "&a ",
        "*a ",
        "|\n",
        "'",
        '"',
        "#\n",
        "a\n",
        "!x ",
        "a: b\n",
        "%a\n",
    ),
    "json": (
        *_repeated('{"a":', "[", '"\\u', "1", "\\", " ", "-", '"a"'),
        ("[", "1,", "1]"),
        ('{"a":"', "\\n", '"}'),
        ("[", '{"a":1},', "1]"),
    ),
    "sse": _repeated("data: {", "data", ":", "\n", "\r", "data: {}\n\n", "event: a\n", "x"),
    "mcp": _repeated("{", "[", '{"jsonrpc":"2.0"}\n', '"', "1"),
    "acp": (
        *_repeated("{", '{"a":1}\n'),
        (_DIFF[0], "a\\nb\\n", _DIFF[2]),
        (_DIFF[0], "\\n", _DIFF[2]),
    ),
    "pdf": _repeated(
        "obj ",
        "<<",
        "[",
        "(",
        "/a ",
        "1 0 obj\n",
        "xref\n",
        "trailer<<",
        "startxref\n",
        "%PDF-1.4\n",
    ),
    "zip": _repeated("PK\x05\x06", "PK\x01\x02", "PK\x03\x04", "PK\x06\x06"),
    "expression": _repeated("$", "${1}", "a ${ '", "$$", "(", "a or ", "$.input["),
}
