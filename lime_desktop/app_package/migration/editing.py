"""The few edits that rules are made of: replace a value, insert a field, remove one, put a value one level down.

Each gives the edits, or None where the text is written in a way that can't be edited without touching more.
"""

import json
import re

from lime_desktop.app_package.migration.nodes import Mapping, Node, Pair, Scalar, Sequence
from lime_desktop.app_package.migration.source import Edit, Source


def replace_scalar(source: Source, node: Node, value: str) -> list[Edit] | None:
    """Change a single value and keep its quotes."""
    if not isinstance(node, Scalar) or not node.is_plain_line:
        return None
    quote = node.quote or ('"' if source.is_json else "")
    return [Edit(node.start, node.end, f"{quote}{value}{quote}")]


def insert_after(source: Source, mapping: Mapping, pair: Pair, key: str, value: str) -> list[Edit]:
    """Add a field right after another one."""
    quote = pair.key.quote
    is_word = re.fullmatch(r"[A-Za-z0-9_./-]+", value) is not None
    field = f"{quote}{key}{quote}: {value if is_word and not quote else json.dumps(value)}"
    if mapping.is_flow:
        return [Edit(pair.value.end, pair.value.end, f", {field}")]
    at = line_end(source.text, pair.value.end)
    return [Edit(at, at, f"\n{' ' * column(source.text, pair.key.start)}{field}")]


def remove_pair(source: Source, mapping: Mapping, pair: Pair) -> list[Edit] | None:
    """Take a field away. A comment on its line stays, on a line of its own."""
    index = mapping.pairs.index(pair)
    if mapping.is_flow:
        return _cut_from_flow(source, mapping, index)
    if len(mapping.pairs) == 1 or not _ends_plainly(pair.value):
        return None
    line_start = source.text.rfind("\n", 0, pair.key.start) + 1
    indent = source.text[line_start : pair.key.start]
    if indent.strip():
        # After ``- `` the next field moves up beside the dash; anything else is too unusual to touch.
        return _cut_first_of_item(source, mapping) if indent.strip(" -") == "" else None
    end = line_end(source.text, pair.value.end)
    comment = source.text[pair.value.end : end].strip()
    if comment:
        return [Edit(line_start, end, f"{indent}{comment}")]
    return [Edit(line_start, min(end + 1, len(source.text)), "")]


def _ends_plainly(node: Node) -> bool:
    """A block of text ends where its indentation does, which may be lines further on."""
    while isinstance(node, Mapping) and node.pairs:
        node = node.pairs[-1].value
    return isinstance(node, Scalar) and node.is_plain_line


def _cut_from_flow(source: Source, mapping: Mapping, index: int) -> list[Edit] | None:
    pair = mapping.pairs[index]
    start, end = pair.key.start, pair.value.end
    if index + 1 < len(mapping.pairs):
        end = mapping.pairs[index + 1].key.start
    elif index > 0:
        start = mapping.pairs[index - 1].value.end
    return None if "#" in source.text[start:end] else [Edit(start, end, "")]


def _cut_first_of_item(source: Source, mapping: Mapping) -> list[Edit] | None:
    start, end = mapping.pairs[0].key.start, mapping.pairs[1].key.start
    return None if "#" in source.text[start:end] else [Edit(start, end, "")]


def wrap_value(source: Source, pair: Pair, key: str) -> list[Edit] | None:
    """Put a list one level down, under a new key."""
    value, quote = pair.value, pair.key.quote
    if not isinstance(value, Sequence) or value.is_marked:
        return None
    if value.is_flow:
        opening = Edit(value.start, value.start, f"{{ {quote}{key}{quote}: ")
        return [opening, Edit(value.end, value.end, " }")]
    text = source.text
    indent = " " * (column(text, pair.key.start) + 2)
    first = line_end(text, pair.key.end)
    edits = [Edit(first, first, f"\n{indent}{quote}{key}{quote}:")]
    at = first + 1
    while at < value.end:
        end = line_end(text, at)
        if text[at:end].strip():
            edits.append(Edit(at, at, "  "))
        at = end + 1
    return edits


def line_end(text: str, position: int) -> int:
    """Find the end of the line that a position is in."""
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def column(text: str, position: int) -> int:
    """Count the characters before a position on its line."""
    return position - (text.rfind("\n", 0, position) + 1)
