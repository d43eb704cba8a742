"""What the states of several kinds have in common: words, time-outs, retries, one state that follows, one tool."""

from typing import TypedDict

from lime_desktop.workflow_model.expressions.templates import Fixed
from lime_desktop.workflow_model.fields import Fields
from lime_desktop.workflow_model.flaws import FlawKind
from lime_desktop.workflow_model.recovery import ON_DEADLINE, ON_ERROR, Reaction, Retry
from lime_desktop.workflow_model.states import Compensation, Schema


class _Words(TypedDict):
    key: str
    title: str | None
    description: str | None


class _Work(_Words):
    next: str | None
    output: Schema | None
    timeout_s: float | None
    retry: Retry | None
    on_error: Reaction | None
    compensate: Compensation | None


class StateFields:
    """The fields of one state, with what several kinds have in common."""

    def __init__(self, fields: Fields, keys: frozenset[str]) -> None:
        self.of = fields
        self._keys = keys

    def words(self) -> _Words:
        """What every state may say of itself."""
        of = self.of
        return {
            "key": of.state_key or "",
            "title": of.text("title"),
            "description": of.text("description"),
        }

    def work(self, schema: str = "output") -> _Work:
        """What a state has that does something."""
        of = self.of
        return {
            **self.words(),
            "next": self.next(),
            "output": of.schema(schema),
            "timeout_s": of.duration("timeout"),
            "retry": read_retry(of, "retry"),
            "on_error": of.reaction("onError", ON_ERROR, self._keys),
            "compensate": self._compensation(),
        }

    def next(self) -> str | None:
        """The one state that follows."""
        written = self.of.written.get("next")
        if isinstance(written, dict):
            self.of.unfit("next", "the key of a state; only a human-review has several")
            return None
        found = self.of.texts("next")
        if len(set(found)) > 1:
            message = f"`{self.of.state_key}` leads to {len(found)} states and does not say when to which."
            self.of.flaw(FlawKind.TRANSITION_AMBIGUOUS, message, "next")
        return found[0] if found else None

    def deadline(self) -> tuple[float | None, Reaction | None]:
        """Until when a person is waited for, and what happens then."""
        of = self.of
        reaction = of.reaction("onDeadline", ON_DEADLINE, self._keys)
        if reaction is not None and not of.has("deadline"):
            of.missing("`deadline`, as it has `onDeadline`")
        return of.duration("deadline"), reaction

    def tool(self) -> str:
        """The one tool in `uses`."""
        found = self.of.texts("uses")
        if not found and not self.of.has("uses"):
            self.of.missing("`uses` with one tool")
        elif len(found) != 1:
            self.of.unfit("uses", "a list of one tool")
        self.of.uses("tool", found[0] if found else "", "uses")
        return found[0] if found else ""

    def _compensation(self) -> Compensation | None:
        written = self.of.mapping("compensate")
        if written is None:
            return None
        inner = StateFields(self.of.inner(written, "compensate"), self._keys)
        return Compensation(tool=inner.tool(), input=inner.of.template("input") or Fixed(None))


def read_retry(of: Fields, name: str) -> Retry | None:
    """How often something is tried again."""
    written = of.mapping(name)
    if written is None:
        return None
    inner = of.inner(written, name)
    usual = Retry()
    return Retry(
        most=inner.count("max") or 0,
        wait_s=inner.duration("wait") or usual.wait_s,
        factor=inner.number("factor", least=1) or usual.factor,
        longest_s=inner.duration("longest") or usual.longest_s,
    )
