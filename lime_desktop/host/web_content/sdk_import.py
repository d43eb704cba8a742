"""Lets a page import the SDK by its name: `import … from "@lime/app-sdk"`, without an import map of the app's own.

A page that has a map of its own is left as it is: what it says there is what its author means.
"""

from lime_desktop.app_package.text.html_text import StartTag, read_html

_MAP = (
    b'<script type="importmap">{"imports": {"@lime/app-sdk": "/__lime__/sdk/index.js",'
    b' "@lime/app-sdk/": "/__lime__/sdk/"}}</script>'
)


def with_sdk_map(html: bytes) -> bytes:
    """The page with a map before its first script: one that came later would be too late."""
    first: int | None = None
    # Latin-1 keeps one character a byte, so positions in the text are positions in the bytes.
    for token in read_html(html.decode("latin-1")):
        if not isinstance(token, StartTag):
            continue
        if token.attributes.get("type", "").strip().lower() == "importmap":
            return html
        if first is None and _loads_script(token):
            first = token.at
    return html if first is None else html[:first] + _MAP + html[first:]


def _loads_script(tag: StartTag) -> bool:
    relation = tag.attributes.get("rel", "").lower().split()
    return tag.name == "script" or (tag.name == "link" and "modulepreload" in relation)
