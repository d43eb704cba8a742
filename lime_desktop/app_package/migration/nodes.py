"""YAML as a tree that knows where in the text each value stands. JSON is read by the same rules."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from lime_desktop.app_package.text.plain_text import ReadingBudget
from lime_desktop.app_package.text.yaml_events import yaml_events

NodePath = tuple[str | int, ...]


@dataclass(slots=True)
class Scalar:
    """A single value; `start` and `end` are positions in the text, quotes included."""

    value: str
    start: int
    end: int
    quote: str = ""
    is_plain_line: bool = True
    """On one line, and with neither anchor nor tag: the only kind that is ever changed."""


@dataclass(slots=True)
class Sequence:
    """A list."""

    start: int
    end: int
    is_flow: bool
    is_marked: bool
    """It has an anchor or a tag: what refers to it would change with it."""
    items: list["Node"] = field(default_factory=list["Node"])


@dataclass(slots=True)
class Pair:
    """A key with its value."""

    key: Scalar
    value: "Node"


@dataclass(slots=True)
class Mapping:
    """An object."""

    start: int
    end: int
    is_flow: bool
    is_marked: bool
    pairs: list[Pair] = field(default_factory=list[Pair])

    def get(self, key: str) -> "Node | None":
        """Give the value of a key."""
        pair = self.pair(key)
        return None if pair is None else pair.value

    def pair(self, key: str) -> Pair | None:
        """Give a key with its value."""
        return next((pair for pair in self.pairs if pair.key.value == key), None)

    def text(self, key: str) -> str | None:
        """Give the value of a key if it is a single one."""
        value = self.get(key)
        return value.value if isinstance(value, Scalar) else None


@dataclass(slots=True)
class Alias:
    """A repetition of another value; never changed, since that would change both."""

    start: int
    end: int


Node = Scalar | Sequence | Mapping | Alias


def parse_nodes(text: str, budget: ReadingBudget) -> Node | None:
    """Read one document; ReadingStopped if it can't be read, None if it is empty."""
    builder = _Builder(text)
    for event in yaml_events(text, budget):
        builder.take(event)
    return builder.root


@dataclass(slots=True)
class _Builder:
    text: str
    root: Node | None = None
    open: list[Sequence | Mapping] = field(default_factory=list[Sequence | Mapping])
    keys: list[Scalar | None] = field(default_factory=list[Scalar | None])
    """For each open mapping the key that waits for its value."""

    def take(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        form = bool(getattr(event, "flow_style", False)), self._is_marked(event)
        match event:
            case ScalarEvent():
                self._add(self._scalar(event, start, end))
            case AliasEvent():
                self._add(Alias(start, end))
            case MappingStartEvent():
                self._enter(Mapping(start, end, *form))
            case SequenceStartEvent():
                self._enter(Sequence(start, end, *form))
            case MappingEndEvent() | SequenceEndEvent():
                self._leave(end)
            case _:
                pass

    @staticmethod
    def _is_marked(event: Any) -> bool:
        marks = (getattr(event, name, None) for name in ("anchor", "tag"))
        return any(mark is not None for mark in marks)

    def _scalar(self, event: Any, start: int, end: int) -> Scalar:
        quote = event.style if event.style in {"'", '"'} else ""
        is_simple = not self._is_marked(event) and event.style not in {"|", ">"}
        return Scalar(
            event.value, start, end, quote, is_simple and "\n" not in self.text[start:end]
        )

    def _enter(self, node: Sequence | Mapping) -> None:
        self._add(node)
        self.open.append(node)
        self.keys.append(None)

    def _leave(self, end: int) -> None:
        node = self.open.pop()
        self.keys.pop()
        # The parser ends a block where the next token begins; its last value says where it really ends.
        node.end = end if node.is_flow else _last_end(node)

    def _add(self, node: Node) -> None:
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif (key := self.keys[-1]) is not None:
            parent.pairs.append(Pair(key, node))
            self.keys[-1] = None
        else:
            # A key that is no single value can't be named by a rule, so nothing will touch it.
            self.keys[-1] = node if isinstance(node, Scalar) else Scalar("", node.start, node.end)


def _last_end(node: Sequence | Mapping) -> int:
    if isinstance(node, Sequence):
        return node.items[-1].end if node.items else node.end
    return node.pairs[-1].value.end if node.pairs else node.end


def walk(node: Node, path: NodePath = ()) -> Iterator[tuple[NodePath, Node]]:
    """Give every value below a node, with the way to it."""
    yield path, node
    if isinstance(node, Mapping):
        for pair in node.pairs:
            yield from walk(pair.value, (*path, pair.key.value))
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from walk(item, (*path, index))
