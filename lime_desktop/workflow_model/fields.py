"""Reads the fields of one JSON object, whatever stands in them: what is wrong becomes a flaw, never an exception."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple, TypeAlias, cast

from lime_desktop.durations import parse_duration
from lime_desktop.spelling import did_you_mean
from lime_desktop.workflow_model.expressions.parser import parse_expression
from lime_desktop.workflow_model.expressions.syntax import (
    Expression,
    ExpressionError,
    Read,
    reads_of,
)
from lime_desktop.workflow_model.expressions.templates import (
    Fixed,
    Template,
    parse_template,
    template_reads,
)
from lime_desktop.workflow_model.flaws import Flaw, FlawKind, FlawPath
from lime_desktop.workflow_model.recovery import Do, GoTo, Reaction

IsSchema: TypeAlias = Callable[[Mapping[str, object]], bool]
Declared: TypeAlias = Mapping[str, Collection[str]]
"""What an app declares that a state may name: of each `tool`, `entry`, `eval`, `knowledge` and `workflow`, the keys."""
_LONGEST_DURATION_S = 366 * 86_400
_MOST_FLAWS, _MOST_MEANT, _MOST_COMPARED = 500, 20, 200


class PlacedRead(NamedTuple):
    """A read of an expression, and where it stands."""

    read: Read
    path: FlawPath
    state_key: str | None


@dataclass(slots=True)
class Findings:
    """What is found on the way through a whole definition."""

    is_schema: IsSchema
    declared: Declared
    flaws: list[Flaw] = field(default_factory=list[Flaw])
    reads: list[PlacedRead] = field(default_factory=list[PlacedRead])


class Fields:
    """One object of a definition."""

    def __init__(
        self,
        findings: Findings,
        written: Mapping[str, object],
        path: FlawPath,
        state_key: str | None = None,
    ) -> None:
        self.findings = findings
        self.written = written
        self.path = path
        self.state_key = state_key

    def has(self, name: str) -> bool:
        """Whether the field is there and not null."""
        return self.written.get(name) is not None

    def inner(self, written: Mapping[str, object], *path: str | int) -> "Fields":
        """The fields of an object inside this one."""
        return Fields(self.findings, written, (*self.path, *path), self.state_key)

    def flaw(self, kind: FlawKind, message: str, *path: str | int) -> None:
        """Say what is wrong."""
        if len(self.findings.flaws) < _MOST_FLAWS:
            self.findings.flaws.append(Flaw(kind, (*self.path, *path), message, self.state_key))

    def missing(self, what: str) -> None:
        """Say what is not there."""
        about = f"`{self.state_key}` needs {what}." if self.state_key else f"It needs {what}."
        self.flaw(FlawKind.FIELD_MISSING, about)

    def unfit(self, name: str, wanted: str) -> None:
        """Say what a field should have been."""
        self.flaw(FlawKind.FIELD_UNFIT, f"`{name}` must be {wanted}.", name)

    def text(self, name: str) -> str | None:
        """A text that is not empty."""
        value = self.written.get(name)
        if value is None or (isinstance(value, str) and value):
            return value
        self.unfit(name, "text")
        return None

    def needed_text(self, name: str) -> str:
        """A text that must be there; empty where it is not."""
        if not self.has(name):
            self.missing(f"`{name}`")
        return self.text(name) or ""

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; one alone is a list of one."""
        value = self.written.get(name)
        if isinstance(value, str):
            return (value,)
        items = cast("Sequence[object]", value) if isinstance(value, list) else None
        if value is None or (items is not None and all(isinstance(e, str) and e for e in items)):
            return cast("tuple[str, ...]", tuple(items or ()))
        self.unfit(name, "a list of texts")
        return ()

    def one_of(self, name: str, words: Sequence[str]) -> str | None:
        """One of some words."""
        value = self.written.get(name)
        if value is None or value in words:
            return cast("str | None", value)
        self.unfit(name, f"one of {_listed(words)}")
        return None

    def count(self, name: str, *, least: int = 0) -> int | None:
        """A whole number."""
        value = self.written.get(name)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        self.unfit(name, f"a whole number of at least {least}")
        return None

    def number(self, name: str, *, least: float = 0) -> float | None:
        """A number."""
        value = self.written.get(name)
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= least:
            return float(value)
        self.unfit(name, f"a number of at least {least:g}")
        return None

    def duration(self, name: str) -> float | None:
        """A time such as `60s`."""
        value = self.written.get(name)
        if value is None:
            return None
        seconds = parse_duration(value) if isinstance(value, str) else None
        if seconds is None or not 0 < seconds <= _LONGEST_DURATION_S:
            self.unfit(name, "a time such as 60s, 5m, 2h or 3d, of a year at most")
            return None
        return float(seconds)

    def mapping(self, name: str) -> Mapping[str, object] | None:
        """An object."""
        value = self.written.get(name)
        if value is None or isinstance(value, dict):
            return cast("Mapping[str, object] | None", value)
        self.unfit(name, "an object")
        return None

    def objects(self, name: str) -> Iterator["Fields"]:
        """The objects of a list."""
        value = self.written.get(name)
        if value is not None and not isinstance(value, list):
            self.unfit(name, "a list of objects")
            return
        for at, each in enumerate(cast("Sequence[object]", value or ())):
            if isinstance(each, dict):
                yield self.inner(cast("Mapping[str, object]", each), name, at)
            else:
                self.flaw(FlawKind.FIELD_UNFIT, f"`{name}` must be a list of objects.", name, at)

    def schema(self, name: str) -> Mapping[str, object] | None:
        """A JSON Schema."""
        found = self.mapping(name)
        if found is not None and not self.findings.is_schema(found):
            self.flaw(FlawKind.SCHEMA_INVALID, f"`{name}` is no JSON Schema.", name)
            return None
        return found

    def expression(self, name: str) -> Expression | None:
        """An expression; written with or without `${ }`."""
        written = self.text(name)
        if written is None:
            return None
        inner = written.strip()
        bare = inner[2:-1] if inner.startswith("${") and inner.endswith("}") else written
        found = parse_expression(bare)
        if isinstance(found, ExpressionError):
            self._expression_flaw(name, (name,), found)
            return None
        self._keep(reads_of(found), name)
        return found

    def template(self, name: str) -> Template | None:
        """Any JSON with expressions in it."""
        if not self.has(name):
            return None
        found = parse_template(self.written[name])
        if isinstance(found, list):
            for each in found:
                self._expression_flaw(name, (name, *each.path), each.error)
            return None
        self._keep(template_reads(found), name)
        return found

    def needed_template(self, name: str) -> Template:
        """The same where it must be there; an empty text where it is not."""
        if not self.has(name):
            self.missing(f"`{name}`")
        return self.template(name) or Fixed("")

    def reaction(self, name: str, words: Sequence[str], states: Iterable[str]) -> Reaction | None:
        """A word of recovery, or the state to go on with."""
        written = self.text(name)
        if written is None:
            return None
        if written in words:
            return Do(written)
        known = tuple(states)
        if written in known:
            return GoTo(written)
        meant = self._meant(written, (*words, *known))
        message = (
            f"`{name}` knows {_listed(words)} and the keys of states, not {written[:40]!r}.{meant}"
        )
        self.flaw(FlawKind.RECOVERY_UNKNOWN, message, name)
        return None

    def uses(self, what: str, name: str, *path: str | int) -> None:
        """Name something that the app must declare."""
        declared = self.findings.declared[what]
        if name and name not in declared:
            meant = self._meant(name, declared)
            message = f"The app declares no {what} of the key `{name[:64]}`.{meant}"
            self.flaw(FlawKind.NAME_UNDECLARED, message, *path)

    def _meant(self, name: str, known: Collection[str]) -> str:
        """Which name was meant, for the first that are wrong: comparing takes time, and a stranger could write many."""
        is_early = len(self.findings.flaws) < _MOST_MEANT
        return did_you_mean(name, islice(known, _MOST_COMPARED)) if is_early else ""

    def _keep(self, reads: Iterator[Read], name: str) -> None:
        path = (*self.path, name)
        self.findings.reads += [PlacedRead(each, path, self.state_key) for each in reads]

    def _expression_flaw(self, name: str, path: FlawPath, error: ExpressionError) -> None:
        self.flaw(FlawKind.EXPRESSION_INVALID, f"`{name}`: {error.words}.", *path)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"`{each}`" for each in words)
