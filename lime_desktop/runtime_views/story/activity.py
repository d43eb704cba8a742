"""What is going on now? The newest thing of the turn at work that has begun and not ended, as a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lime_desktop.runtime_views.story.fold import Story
from lime_desktop.runtime_views.story.steps import Step, Trouble, Value

_RETRYING = "story.run.status.retrying"
_BEGINNINGS = frozenset({"story.task.started", "story.task.attempt.started"})
"""How a run is kept in the books before anything of it is done; to a person it gets ready."""
WAITING = "story.doing.waiting"
"""A person takes as long as they take: nobody counts."""


@dataclass(frozen=True, slots=True)
class Activity:
    """One line that says what is being done, and since when."""

    key: str
    since: str
    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    is_slow_to_answer: bool = False
    """Whether somebody else is waited for, so that it may never come."""
    trouble: Trouble | None = None
    """What went wrong just now, where it is tried again."""


def doing_now(story: Story, turn_id: str) -> Activity | None:
    """What the turn does; None once it is over, or before it is known."""
    turn = story.turns.get(turn_id)
    if turn is None or turn.ended_at is not None:
        return None
    steps = [step for step in story.steps if step.turn_id == turn_id]
    waiting = next((step for step in steps if step.state == "waiting"), None)
    if waiting is not None:
        return Activity(WAITING, waiting.at)
    last = max(filter(_tells, steps), key=lambda step: step.sequence, default=None)
    if last is None:
        key = "story.doing.queued" if turn.started_at is None else "story.doing.preparing"
        return Activity(key, turn.started_at or turn.asked_at)
    if last.key == _RETRYING:
        return Activity(_RETRYING, last.at, last.values, trouble=_last_trouble(steps))
    return _of_step(last)


def _last_trouble(steps: Sequence[Step]) -> Trouble | None:
    return next((step.trouble for step in reversed(steps) if step.trouble), None)


def _tells(step: Step) -> bool:
    return step.key == _RETRYING or (
        step.state == "running" and step.kind in {"model", "tool", "work", "looked"}
    )


def _of_step(step: Step) -> Activity:
    values = dict(step.values)
    if step.key in _BEGINNINGS:
        return Activity("story.doing.preparing", step.at)
    if step.kind != "model":
        return Activity(step.key, step.at, values)
    if step.key == "story.model.delta":
        return Activity("story.doing.writing", step.at, values)
    if step.key.startswith("story.plan."):
        return Activity("story.doing.thinking", step.at, values)
    if any(each.name == "thoughts" for each in step.details):
        return Activity("story.doing.thinking", step.at, values)
    return Activity("story.doing.asking", step.at, values, is_slow_to_answer=True)
