"""HTML as tags and texts, for any text whatever, in one pass.

Reads as browsers do (the tokenizer of the HTML standard), which decides where a tag ends, what a comment swallows and
what is no markup at all. Every step begins where the last one ended and never looks back, so the work grows with the
length alone: what is left open reaches to the end and is read once. The standard library's parser starts over at every
`<` that is not closed, and raises on some of what browsers take.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

_MARKUP = re.compile(r"<(?=[A-Za-z/!?])")
_TAG_NAME = re.compile(r"[^\t\n\f\r />]++")
_BEFORE_ATTRIBUTE = re.compile(r"[\t\n\f\r /]*+")
_ATTRIBUTE = re.compile(r"=?+[^\t\n\f\r />=]*+")
_EQUALS = re.compile(r"[\t\n\f\r ]*+=[\t\n\f\r ]*+")
_BARE_VALUE = re.compile(r"[^\t\n\f\r >]*+")
_COMMENT_END = re.compile(r"--!?>")
_SCRIPT_MARK = re.compile(r"<!(?=--)|-->|(</?)script(?=[\t\n\f\r />])", re.IGNORECASE)
# What stands for one character; more digits stand for none.
_REFERENCE = re.compile(
    r"&(?:#[0-9]{1,7}(?![0-9]);?|#[xX][0-9a-fA-F]{1,6}(?![0-9a-fA-F]);?|[A-Za-z][A-Za-z0-9]{1,31};?)"
)

_PLAIN_CONTENT = frozenset({"iframe", "noembed", "noframes", "style", "xmp"})
"""Elements whose content is text as it stands."""
_TEXT_CONTENT = frozenset({"textarea", "title"})
"""Elements whose content is text with character references."""
_END_TAGS = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in _PLAIN_CONTENT | _TEXT_CONTENT
}


class StartTag(NamedTuple):
    """A tag that opens an element, or is one."""

    name: str
    attributes: dict[str, str]
    """By their names in lower case; of two with one name the first holds."""
    at: int
    """Where its `<` stands."""


class EndTag(NamedTuple):
    """A tag that closes an element; whether one is open nobody has looked."""

    name: str


class Text(NamedTuple):
    """Characters between tags. One run of text may come in several pieces."""

    text: str
    is_raw: bool = False
    """Whether it is the content of a script or of another element that holds no markup."""


Token = StartTag | EndTag | Text


def read_html(text: str) -> Iterator[Token]:
    """The tags and texts of a page in their order; comments and the document type are left out."""
    at, end = 0, len(text)
    while at < end:
        found = _MARKUP.search(text, at)
        start = end if found is None else found.start()
        if start > at:
            yield Text(_unescape(text[at:start]))
        if found is None:
            return
        tag, at = _markup(text, start)
        if tag is not None:
            yield tag
        if isinstance(tag, StartTag):
            content, at = _content(text, tag.name, at)
            if content is not None:
                yield content


def _markup(text: str, start: int) -> tuple[StartTag | EndTag | None, int]:
    """What the `<` here begins, and where reading goes on."""
    following = text[start + 1]
    if following in "!?":
        return None, _comment_end(text, start)
    return _end_tag(text, start) if following == "/" else _start_tag(text, start)


def _comment_end(text: str, start: int) -> int:
    """Where reading goes on after a comment, a document type, or what browsers take for a comment."""
    if not text.startswith("<!--", start):
        return _after(text, ">", start)
    # `<!-->` and `<!--->` are whole comments: the dashes that open may also close.
    for short in ("<!-->", "<!--->"):
        if text.startswith(short, start):
            return start + len(short)
    found = _COMMENT_END.search(text, start + 4)
    return len(text) if found is None else found.end()


def _end_tag(text: str, start: int) -> tuple[EndTag | None, int]:
    following = text[start + 2 : start + 3]
    if not (following.isascii() and following.isalpha()):
        # `</>` is nothing, and `</` before anything else begins a comment.
        return None, _after(text, ">", start)
    tag, at = _start_tag(text, start + 1)
    return (None if tag is None else EndTag(tag.name)), at


def _start_tag(text: str, start: int) -> tuple[StartTag | None, int]:
    """The tag that begins here, and where it ends; none if the text ends inside it."""
    named = _matched(_TAG_NAME, text, start + 1)
    attributes: dict[str, str] = {}
    at = named.end()
    while True:
        at = _matched(_BEFORE_ATTRIBUTE, text, at).end()
        if at >= len(text):
            return None, at
        if text[at] == ">":
            return StartTag(named[0].lower(), attributes, start), at + 1
        name = _matched(_ATTRIBUTE, text, at)
        value, at = _attribute_value(text, name.end())
        attributes.setdefault(name[0].lower(), value)


def _attribute_value(text: str, at: int) -> tuple[str, int]:
    equals = _EQUALS.match(text, at)
    if equals is None:
        return "", at
    begin = equals.end()
    quote = text[begin : begin + 1]
    if quote and quote in "\"'":
        end = text.find(quote, begin + 1)
        # Left open, it reaches to the end of the text and takes the tag along.
        return ("", len(text)) if end < 0 else (_unescape(text[begin + 1 : end]), end + 1)
    bare = _matched(_BARE_VALUE, text, begin)
    return _unescape(bare[0]), bare.end()


def _content(text: str, name: str, at: int) -> tuple[Text | None, int]:
    """The content of an element that holds no markup, and where it ends."""
    if name == "script":
        end = _script_end(text, at)
        return Text(text[at:end], is_raw=True), end
    if name == "plaintext":
        return Text(text[at:], is_raw=True), len(text)
    if name not in _END_TAGS:
        return None, at
    found = _END_TAGS[name].search(text, at)
    end = len(text) if found is None else found.start()
    if name in _TEXT_CONTENT:
        return Text(_unescape(text[at:end])), end
    return Text(text[at:end], is_raw=True), end


def _script_end(text: str, at: int) -> int:
    """Where a script's end tag stands. Inside `<!--` a second script tag hides the first end tag from browsers."""
    is_escaped = is_hidden = False
    for mark in _SCRIPT_MARK.finditer(text, at):
        match mark[0][:2]:
            case "<!":
                is_escaped = True
            case "--":
                is_escaped = is_hidden = False
            case "</" if not is_hidden:
                return mark.start()
            case "</":
                is_hidden = False
            case _:
                is_hidden = is_escaped
    return len(text)


def _unescape(text: str) -> str:
    return _REFERENCE.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def _after(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start)
    return len(text) if found < 0 else found + len(mark)


def _matched(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    """The match of a pattern that cannot fail here."""
    found = pattern.match(text, at)
    assert found is not None, pattern.pattern  # noqa: S101 - each of these patterns matches nothing too
    return found
