"""What of a story needs a person first: what failed, then what waits."""

from lime_desktop.runtime_views.story.fold import Story
from lime_desktop.runtime_views.story.steps import Step


def problems_of(story: Story) -> tuple[Step, ...]:
    """What went wrong and was not made good.

    A turn that failed is told by its end. In one that went on, a model that was asked in vain is no problem once another
    round answered; a tool that failed is one, whatever the model made of it.
    """
    return tuple(step for step in story.loud() if step.state == "failed" and _counts(step, story))


def waiting_of(story: Story) -> tuple[Step, ...]:
    """What waits for the person."""
    return tuple(step for step in story.loud() if step.state == "waiting")


def _counts(step: Step, story: Story) -> bool:
    turn = story.turns.get(step.turn_id or "")
    if turn is None:
        return True
    if turn.replaced_by is not None:
        return False
    if turn.outcome == "turn.failed":
        return step.kind == "end"
    return step.kind != "model" or turn.ended_at is None
