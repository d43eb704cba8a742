"""APP.md: frontmatter for the machine, a guide for people. Splits the two, and the guide's sections."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from lime_desktop.app_package.problem_kinds.layers import FRONTMATTER_MISSING, GUIDE_MISSING
from lime_desktop.app_package.problems import Place, Problem
from lime_desktop.app_package.text.markdown import numbered_lines
from lime_desktop.app_package.text.plain_text import Parsed, ReadingBudget, decode
from lime_desktop.app_package.text.yaml_text import parse_yaml

_SECTION_NAMES = {
    "when_to_use": ("何时使用", "when to use"),
    "not_suitable_for": ("不适用场景", "not suitable for", "when not to use"),
    "workflow": ("工作流程", "workflow"),
    "quickstart": ("快速开始", "quickstart", "quick start"),
    "red_flags": ("红旗信号", "red flags"),
    "verification_checklist": ("验证清单", "verification checklist"),
    "troubleshooting": ("故障排查", "troubleshooting"),
}
_KEY_BY_NAME = {name: key for key, names in _SECTION_NAMES.items() for name in names}
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_MAX_TITLE = 200
_CHECK = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\][ \t]+(.*)")


class ChecklistItem(NamedTuple):
    """One box of a checklist."""

    text: str
    is_checked: bool
    line: int


class Section(NamedTuple):
    """A section of the guide that hosts know: onboarding, checklist, help."""

    key: str
    title: str
    line: int
    text: str
    checklist: tuple[ChecklistItem, ...] = ()


@dataclass
class AppDocument:
    """The two halves of a document with frontmatter."""

    frontmatter: Parsed
    body: str = ""
    body_line: int = 1
    sections: dict[str, Section] = field(default_factory=dict[str, Section])

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with either half."""
        return self.frontmatter.problems


def parse_app_md(data: bytes, budget: ReadingBudget, file: str = "APP.md") -> AppDocument:
    """Read APP.md. Never raises; without frontmatter the whole text counts as the guide."""
    document = split_frontmatter(data, file, budget)
    document.sections = parse_sections(document.body, document.body_line)
    if document.frontmatter.value is None and not document.problems:
        message = "The file does not begin with frontmatter between two `---` lines."
        document.problems.append(FRONTMATTER_MISSING.found(message, Place(file, 1)))
    if not document.body.strip():
        message = "There is no guide after the frontmatter."
        document.problems.append(GUIDE_MISSING.found(message, Place(file, document.body_line)))
    return document


def split_frontmatter(data: bytes, file: str, budget: ReadingBudget) -> AppDocument:
    """Part a Markdown file into its frontmatter, read as YAML, and the text below it."""
    parsed = Parsed(file)
    text = decode(data, file, parsed.problems)
    if text is None:
        return AppDocument(parsed)
    lines = text.split("\n")
    end = _frontmatter_end(lines)
    if end is None:
        return AppDocument(parsed, text)
    parsed = parse_yaml("\n".join(lines[1:end]) + "\n", file, budget, first_line=2)
    return AppDocument(parsed, "\n".join(lines[end + 1 :]), end + 2)


def _frontmatter_end(lines: list[str]) -> int | None:
    if lines[0].rstrip() != "---":
        return None
    marks = (n for n, line in enumerate(lines) if n and line.rstrip() in {"---", "..."})
    return next(marks, None)


def parse_sections(body: str, first_line: int) -> dict[str, Section]:
    """The known sections by their key; a heading inside a code block is none."""
    sections: dict[str, Section] = {}
    opened: tuple[str, str, int] | None = None
    content: list[tuple[int, str]] = []

    def finish() -> None:
        if opened is not None and opened[0] not in sections:
            sections[opened[0]] = _section(*opened, content)

    for number, line, is_code in numbered_lines(body, first_line):
        heading = None if is_code else _HEADING.fullmatch(line)
        if heading is None or len(heading[1]) > 2:
            content.append((number, line))
            continue
        finish()
        title = heading[2].rstrip(" \t#")
        key = section_key(title) if len(heading[1]) == 2 else None
        opened = (key, title, number) if key else None
        content = []
    finish()
    return sections


def _section(key: str, title: str, line: int, content: list[tuple[int, str]]) -> Section:
    checks = (
        ChecklistItem(match[2].strip(), match[1] != " ", number)
        for number, text in content
        if (match := _CHECK.fullmatch(text))
    )
    return Section(key, title, line, "\n".join(text for _, text in content).strip(), tuple(checks))


def section_key(title: str) -> str | None:
    """The key of a heading such as `何时使用 / When to Use`, in either language or both."""
    for name in re.split(r"[/|·（(]", title[:_MAX_TITLE]):
        key = _KEY_BY_NAME.get(name.strip(" \t)）:：").casefold())
        if key is not None:
            return key
    return None
