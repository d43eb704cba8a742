"""A story in a person's language. Pure over texts that are given: knows no table, no widget."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from lime_desktop.protocol.task_events import Cost
from lime_desktop.runtime_views.story.steps import Step, Value
from lime_desktop.runtime_views.story.times import seconds_between
from lime_desktop.runtime_views.story.turns import TurnFacts

_MINUTE_S = 60
_HOUR_S = 3_600
_LEAST_SHOWN = 0.0001


class TextsOf(Protocol):
    """The texts of a language: a key and its values in, words out; a key without a text comes back as it is."""

    def __call__(self, key: str, **values: object) -> str:
        """The words of a key."""
        ...


class _Filled(dict[str, Value]):
    """Values of a sentence. What an event left out is called "a tool", "a model", "something"."""

    def __init__(self, values: Mapping[str, Value], texts: TextsOf) -> None:
        super().__init__(values)
        for name in _NAMES - self.keys():
            self[name] = texts(f"story.some.{name}")


_NAMES = frozenset(
    [
        "text",
        "model",
        "provider",
        "failed",
        "tool",
        "title",
        "path",
        "role",
        "command",
        "reason",
        "decision",
        "phase",
        "thing",
    ]
)


class Sayable(Protocol):
    """Whatever is said in one sentence."""

    @property
    def key(self) -> str:
        """The text."""
        ...

    @property
    def values(self) -> Mapping[str, Value]:
        """What fills it in."""
        ...


def sentence_of(said: Sayable, texts: TextsOf) -> str:
    """What happened, or goes on, in one line."""
    key, filled = said.key, _Filled(said.values, texts)
    filled.setdefault("seconds", 1)
    count = filled.setdefault("count", 0)
    if isinstance(count, int) and count > 1 and texts(f"{key}.many") != f"{key}.many":
        return texts(f"{key}.many", **filled)
    return texts(key, **filled)


def duration_words(seconds: float, texts: TextsOf) -> str:
    """How long something took."""
    if seconds < 10:
        return texts("story.seconds", seconds=f"{max(seconds, 0.1):.1f}")
    if seconds < _MINUTE_S:
        return texts("story.seconds", seconds=round(seconds))
    minutes, rest = divmod(round(seconds), _MINUTE_S)
    if seconds < _HOUR_S:
        return texts("story.minutes", minutes=minutes, seconds=rest)
    hours, minutes = divmod(minutes, 60)
    return texts("story.hours", hours=hours, minutes=minutes)


def cost_words(cost: Cost, texts: TextsOf) -> str:
    """What something cost; a very small amount is not called nothing."""
    amount = cost.amount
    if amount == 0:
        return texts("story.cost.free")
    shown = (
        f"{amount:.{2 if amount >= 1 else 4}f}" if amount >= _LEAST_SHOWN else f"<{_LEAST_SHOWN}"
    )
    return texts("story.cost", amount=shown, currency=cost.currency)


def token_words(turn: TurnFacts, texts: TextsOf) -> str:
    """How much was read and written."""
    return texts("story.tokens", read=turn.input_tokens, written=turn.output_tokens)


def step_figures(step: Step, texts: TextsOf) -> Iterator[tuple[str, str]]:
    """What a step took, each with its title's key."""
    if step.seconds is not None:
        yield "story.detail.time", duration_words(step.seconds, texts)
    if step.tokens is not None:
        read, written = step.tokens
        yield "story.detail.tokens", texts("story.tokens", read=read, written=written)
    if step.cost is not None:
        yield "story.detail.cost", cost_words(step.cost, texts)


def turn_figures(turn: TurnFacts, texts: TextsOf) -> Iterator[str]:
    """Time, tokens and cost of a turn, as far as they are known."""
    if turn.ended_at is not None:
        yield duration_words(
            seconds_between(turn.started_at or turn.asked_at, turn.ended_at), texts
        )
    if turn.input_tokens or turn.output_tokens:
        yield token_words(turn, texts)
    if turn.cost is not None:
        yield cost_words(turn.cost, texts)


def run_figures(turns: Sequence[TurnFacts], texts: TextsOf, now: str | None = None) -> list[str]:
    """The same for a whole run. A cost that is unknown in part, or in several currencies, is not added up."""
    took = sum(
        seconds_between(turn.started_at or turn.asked_at, turn.ended_at or now or turn.asked_at)
        for turn in turns
    )
    found = [duration_words(took, texts)] if turns else []
    read = sum(turn.input_tokens for turn in turns)
    written = sum(turn.output_tokens for turn in turns)
    if read or written:
        found.append(texts("story.tokens", read=read, written=written))
    costs = [turn.cost for turn in turns if turn.cost is not None]
    if costs and len({cost.currency for cost in costs}) == 1:
        total = costs[0].model_copy(update={"amount": sum(cost.amount for cost in costs)})
        found.append(cost_words(total, texts))
    return found
