"""YAML 1.2 to values that know their lines, for any bytes whatever, in bounded time.

Values are built from the parser's events: that is faster than ruamel.yaml's round trip, cannot
recurse, and lets an author's own spelling stand, so that a date stays text.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from lime_desktop.app_package.problem_kinds.text import (
    ALIASES_TOO_LARGE,
    KEY_NOT_TEXT,
    KEY_TWICE,
    NUMBER_OUT_OF_RANGE,
    SEVERAL_DOCUMENTS,
    SYNTAX_INVALID,
    TAG_REFUSED,
    TEXT_TOO_LARGE,
)
from lime_desktop.app_package.problems import NOWHERE, Place, Problem, ProblemKind
from lime_desktop.app_package.text.located import LocatedList, LocatedMap, Origin
from lime_desktop.app_package.text.plain_text import (
    LARGEST_INTEGER,
    MAX_DEPTH,
    MAX_FILE_PROBLEMS,
    Parsed,
    ReadingBudget,
    decode,
    number,
    whole_characters,
)
from lime_desktop.app_package.text.yaml_events import ReadingStopped, yaml_events

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_STARTS_A_NUMBER = frozenset("+-.0123456789")
_MERGE_KEY = "<<"


def parse_yaml(
    data: bytes | str, file: str, budget: ReadingBudget, *, first_line: int = 1
) -> Parsed:
    """Read one YAML document. Never raises: what cannot be read is a problem with its line."""
    parsed = Parsed(file)
    text = decode(data, file, parsed.problems) if isinstance(data, bytes) else data
    if text is None:
        return parsed
    budget.characters -= len(text)
    if budget.characters < 0:
        parsed.problems.append(TEXT_TOO_LARGE.found("Too much text to read.", Place(file)))
        return parsed
    builder = _Builder(file, first_line, budget, parsed.problems)
    try:
        for event in yaml_events(text, budget):
            builder.take(event)
    except ReadingStopped as stopped:
        builder.report(stopped.kind, stopped.message, stopped.line)
    parsed.value = builder.root
    return parsed


@dataclass
class _Frame:
    """A collection that is being read."""

    container: LocatedMap | LocatedList
    anchor: str | None
    weight: int = 1
    """How many values it holds once its aliases are followed."""
    height: int = 1
    """How deep it is once its aliases are followed."""
    is_key: bool = False
    has_key: bool = False
    key: str | None = None
    """None while there is none, and for a key that cannot be kept."""
    key_origin: Origin | None = None
    merges: list[object] = field(default_factory=list[object])

    @property
    def awaits_key(self) -> bool:
        return isinstance(self.container, LocatedMap) and not self.has_key


@dataclass
class _Anchored:
    value: object
    origin: Origin
    height: int
    weight: int
    """0 while the value is still being read: an alias to it would be inside itself."""


@dataclass
class _Builder:
    """Turns parser events into located values, without recursion."""

    file: str
    first_line: int
    budget: ReadingBudget
    problems: list[Problem]
    root: object = None
    line: int = 0
    documents: int = 0
    frames: list[_Frame] = field(default_factory=list[_Frame])
    anchors: dict[str, _Anchored] = field(default_factory=dict[str, _Anchored])

    def report(self, kind: ProblemKind, message: str, line: int) -> None:
        self.problems.append(kind.found(message, Place(self.file, line + self.first_line)))

    @property
    def _origin(self) -> Origin:
        return Origin(self.file, self.line + self.first_line)

    @property
    def _awaits_key(self) -> bool:
        return bool(self.frames) and self.frames[-1].awaits_key

    def take(self, event: Any) -> None:
        self.line = event.start_mark.line
        if len(self.problems) >= MAX_FILE_PROBLEMS:
            raise ReadingStopped(SYNTAX_INVALID, "Too much is wrong; not read further.", self.line)
        match event:
            case ScalarEvent():
                self._scalar(event)
            case MappingStartEvent() | SequenceStartEvent():
                self._open(event)
            case MappingEndEvent() | SequenceEndEvent():
                self._close()
            case AliasEvent():
                self._alias(event)
            case DocumentStartEvent():
                self._document()
            case _:
                pass

    def _document(self) -> None:
        self.documents += 1
        if self.documents > 1:
            raise ReadingStopped(SEVERAL_DOCUMENTS, "A second document begins here.", self.line)

    def _scalar(self, event: Any) -> None:
        self._refuse_tag(event)
        place = Place(*self._origin)
        is_plain = not event.style
        text = whole_characters(event.value, place, self.problems)
        if self._awaits_key:
            self._key(self.frames[-1], text, is_plain=is_plain)
            return
        value = _plain_value(text, place, self.problems) if is_plain else text
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(value, self._origin, 0, 1)
        self._attach(value, 1, self._origin)

    def _key(self, frame: _Frame, text: str, *, is_plain: bool) -> None:
        frame.has_key, frame.key, frame.key_origin = True, text, self._origin
        if is_plain and not isinstance(_plain_value(text, NOWHERE, []), str):
            self.report(KEY_NOT_TEXT, f"The key {text[:40]!r} is not text.", self.line)
        if text in frame.container:
            self.report(KEY_TWICE, f"The key {text[:40]!r} is written twice.", self.line)

    def _open(self, event: Any) -> None:
        self._refuse_tag(event)
        origin = self._origin
        is_map = isinstance(event, MappingStartEvent)
        container = LocatedMap(origin) if is_map else LocatedList(origin)
        frame = _Frame(container, event.anchor, is_key=self._awaits_key)
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(container, origin, 1, 0)
        if not frame.is_key:
            # Put in its place at once: what was read stays, even if the rest of the file is broken.
            self._attach(container, 1, origin)
        self.frames.append(frame)

    def _close(self) -> None:
        frame = self.frames.pop()
        _merge_all(frame)
        anchored = self.anchors.get(frame.anchor) if frame.anchor else None
        if anchored is not None and anchored.value is frame.container:
            anchored.weight, anchored.height = frame.weight, frame.height
        if frame.is_key:
            self._drop_key("A key is a list or an object.")
        elif self.frames:
            self.frames[-1].weight += frame.weight - 1
            self.frames[-1].height = max(self.frames[-1].height, frame.height + 1)

    def _drop_key(self, message: str) -> None:
        self.frames[-1].has_key, self.frames[-1].key = True, None
        self.report(KEY_NOT_TEXT, message, self.line)

    def _alias(self, event: Any) -> None:
        if self._awaits_key:
            self._drop_key("A key is an alias.")
            return
        anchored = self.anchors.get(event.anchor)
        if anchored is None:
            self.report(SYNTAX_INVALID, "The alias names no anchor.", self.line)
            self._attach(None, 1, self._origin)
            return
        self.budget.nodes -= anchored.weight
        is_too_deep = len(self.frames) + anchored.height > MAX_DEPTH
        if anchored.weight == 0 or is_too_deep or self.budget.nodes < 0:
            self.report(ALIASES_TOO_LARGE, "The alias would repeat too much.", self.line)
            self._attach(None, 1, self._origin)
            return
        if self.frames:
            self.frames[-1].height = max(self.frames[-1].height, anchored.height + 1)
        self._attach(anchored.value, anchored.weight, anchored.origin)

    def _attach(self, value: object, weight: int, origin: Origin) -> None:
        if not self.frames:
            self.root = value
            return
        frame = self.frames[-1]
        frame.weight += weight
        if isinstance(frame.container, LocatedList):
            frame.container.put(value, origin)
            return
        if frame.key == _MERGE_KEY:
            frame.merges.append(value)
        elif frame.key is not None:
            frame.container.put(frame.key, value, frame.key_origin or origin)
        frame.has_key, frame.key = False, None

    def _refuse_tag(self, event: Any) -> None:
        if event.tag is not None:
            self.report(TAG_REFUSED, "YAML tags are not allowed.", self.line)


def _merge_all(frame: _Frame) -> None:
    """Fill in from `<<`: the map's own keys win, then the first source that has the key."""
    target = frame.container
    if not frame.merges or isinstance(target, LocatedList):
        return
    for merged in frame.merges:
        for source in merged if isinstance(merged, LocatedList) else [merged]:
            if isinstance(source, LocatedMap):
                missing = [key for key in source if key not in target]
                for key in missing:
                    target.put(key, source[key], source.origins[key])


def _plain_value(text: str, place: Place, problems: list[Problem]) -> object:
    """What an unquoted scalar means in YAML 1.2's core schema, dates left as they are."""
    if text in _NULL:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if text[0] not in _STARTS_A_NUMBER:
        return text
    if _NUMBER.fullmatch(text):
        return number(text, place, problems)
    if _OTHER_BASE.fullmatch(text) and len(text) <= 15:
        value = int(text, 0)
        return value if value <= LARGEST_INTEGER else text
    if _NOT_FINITE.fullmatch(text):
        problems.append(NUMBER_OUT_OF_RANGE.found("The number is not finite.", place))
    return text
