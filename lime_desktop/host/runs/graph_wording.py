"""A piece of work of a run in a person's words: its sentence in the story, or what kind of thing it is."""

from lime_desktop.host.wording.texts import Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.runtime_views.story.fold import Story
from lime_desktop.runtime_views.story.values import first_line
from lime_desktop.runtime_views.story.words import sentence_of
from lime_desktop.runtime_views.views import GraphNode

_STEPS = {"tool": "tool", "action": "question", "subagent": "agent", "job": "job"}


def node_words(node: GraphNode, story: Story, texts: Texts) -> str:
    """What a node of the graph is called."""
    turn = story.turns.get(node.node_id)
    if turn is not None and turn.text:
        return plain_line(first_line(turn.text))
    name = f"{_STEPS.get(node.node_type, '')}:{node.node_id}"
    step = next((each for each in story.steps if each.step_id == name), None)
    if step is not None:
        return plain_line(sentence_of(step, texts))
    kind = texts(f"drawer.node.{node.node_type}")
    # An event without a name of its own is called by its type, which is no word for a person.
    is_type = "." in node.title and " " not in node.title
    return kind if is_type else plain_line(f"{kind}: {node.title}")
