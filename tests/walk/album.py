"""The pictures of a walk on one page."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PAGE = """<!doctype html><meta charset="utf-8"><title>{title}</title>
<style>body{{font:14px system-ui;margin:24px}}figure{{margin:0 0 32px}}img{{max-width:100%;border:1px solid #8888}}
.bad{{color:#c00}}</style><h1>{title}</h1>{figures}"""


@dataclass(frozen=True, slots=True)
class Seen:
    """One step's picture and what a program had to say about it."""

    number: int
    sentence: str
    picture: str
    complaint: str | None


def write_album(folder: Path, title: str, seen: Sequence[Seen]) -> Path:
    """Write `index.html` beside the pictures."""
    page = folder / "index.html"
    figures = "".join(_figure(each) for each in seen)
    page.write_text(_PAGE.format(title=html.escape(title), figures=figures), encoding="utf-8")
    return page


def _figure(seen: Seen) -> str:
    said = f'<p class="bad">{html.escape(seen.complaint)}</p>' if seen.complaint else ""
    caption = f"{seen.number}. {html.escape(seen.sentence)}"
    return f'<figure><figcaption>{caption}</figcaption>{said}<img src="{seen.picture}"></figure>'
