"""Which inline scripts does a page of the bundle bring itself? Those may run; injected ones may not.

A bundle's HTML was reviewed with the rest of the package, so its inline scripts (import maps above all) are as
trusted as its files. Each response marks them with a nonce of its own. Scripts that are files need none, and get none:
what a marked script imports passes for marked, wherever it comes from. Hashes in the policy would leave the page
untouched, but the engine turns header values of a custom scheme to lower case, and a hash does not survive that.
"""

import re
import secrets
from html.parser import HTMLParser

_TAG_NAME = re.compile(rb"<script", re.IGNORECASE)


class _ScriptTags(HTMLParser):
    """Finds where the start tags of script elements stand: outside comments, texts and other scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.places: list[tuple[int, int]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script" and not any(name == "src" for name, _ in attrs):
            self.places.append(self.getpos())
        elif tag in {"title", "textarea"}:
            # Older parsers of the standard library look for tags in these; browsers do not.
            self.set_cdata_mode(tag)

    def parse_marked_section(self, i: int, report: bool = True) -> int:  # noqa: FBT001, FBT002 - its signature
        """Read `<![…` as browsers do, as a comment; the library raises on most of what may follow."""
        return self.parse_bogus_comment(i, report)


def mark_scripts(html: bytes) -> tuple[bytes, str]:
    """The page with a fresh nonce on each of its script tags, and the policy's source for it."""
    nonce = secrets.token_hex(16)
    parser = _ScriptTags()
    # Latin-1 keeps one character a byte, so the parser's positions are positions in the bytes.
    parser.feed(html.decode("latin-1"))
    parser.close()
    starts = _line_starts(html)
    marked = bytearray(html)
    for line, column in reversed(parser.places):
        tag = _TAG_NAME.match(html, starts[line - 1] + column)
        if tag is not None:
            marked[tag.end() : tag.end()] = f' nonce="{nonce}"'.encode()
    return bytes(marked), f"'nonce-{nonce}'"


def _line_starts(html: bytes) -> list[int]:
    return [0, *(match.end() for match in re.finditer(rb"\n", html))]
