"""What a page says, without its markup. Keeps words, links and line breaks; runs nothing."""

import re

from lime_desktop.app_package.text.html_text import EndTag, StartTag, Text, read_html

_UNSEEN = frozenset({"script", "style", "noscript", "template", "svg", "head"})
_BREAKS = frozenset({"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "section", "article"})


def text_of_page(html: str) -> str:
    """The readable text of an HTML page."""
    parts: list[str] = []
    unseen = 0
    for token in read_html(html):
        match token:
            case StartTag(name):
                unseen += name in _UNSEEN
            case EndTag(name):
                unseen = max(unseen - (name in _UNSEEN), 0)
            case Text(text):
                name = ""
                if not unseen:
                    parts.append(text)
        if name in _BREAKS:
            parts.append("\n")
    lines = (" ".join(line.split()) for line in "".join(parts).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
