"""A run in a person's words, where the host's own texts are needed: why something failed, who answered, what is going on."""

from collections.abc import Mapping
from datetime import UTC, datetime

from lime_desktop.host.apps.registered_app import RegisteredApp
from lime_desktop.host.wording.joining import sentences
from lime_desktop.host.wording.models import answered_words, settings_section
from lime_desktop.host.wording.texts import DEFAULT_LOCALE, Texts
from lime_desktop.protocol.plain_text import plain_line
from lime_desktop.runtime_views.story.activity import WAITING, Activity
from lime_desktop.runtime_views.story.fold import Story
from lime_desktop.runtime_views.story.steps import Step, Trouble
from lime_desktop.runtime_views.story.times import seconds_between
from lime_desktop.runtime_views.story.turns import TurnFacts
from lime_desktop.runtime_views.story.values import first_line
from lime_desktop.runtime_views.story.words import duration_words, sentence_of, turn_figures
from lime_desktop.runtime_views.views import GraphNode

SLOW_S = 3
"""So long nobody wonders; after it, it is said that no answer came."""
_SETUP = frozenset({"APP_E130", "APP_E131"})
"""Failures that are mended in the settings: no provider is ready, no engine is there."""
_OF_PROVIDER = frozenset(
    {"connection_refused", "address_unknown", "proxy_failed", "tls_failed", "certificate_untrusted"}
    | {"private_address", "key_refused", "model_unknown", "quota_exhausted", "malformed_output"}
)

NODE_STEPS = {"tool": "tool", "action": "question", "subagent": "agent", "job": "job"}
"""Nodes of the graph that a step of the story tells of: the step's id begins with this word."""


def trouble_words(trouble: Trouble, texts: Texts) -> str:
    """Why something failed, in the closest words there are."""
    for key in (f"reason.{trouble.reason_code}", f"model.obstacle.{trouble.reason_code}"):
        if trouble.reason_code and texts(key) != key:
            return texts(key)
    return failure_words(trouble.category, trouble.message, texts)


def advice_words(trouble: Trouble, app: RegisteredApp | None, locale: str) -> str:
    """What to do about it, as the app's own catalogue says in the person's language; empty where it says nothing."""
    if app is None or trouble.declared_code is None:
        return ""
    declared = app.package.errors.find(trouble.declared_code, locale)
    return plain_line(declared.user_action) if declared and declared.user_action else ""


def way_out(trouble: Trouble) -> str | None:
    """The part of the settings in which the cause can be mended, if there is one."""
    reason = trouble.reason_code or trouble.category or ""
    if trouble.code in _SETUP or reason in _OF_PROVIDER:
        return settings_section(reason)
    return None


def problem_words(step: Step, texts: Texts) -> str:
    """What failed, and why."""
    words = sentence_of(step, texts)
    # Why a model did not answer is told where the turn ends, or by the model that answers instead.
    is_told = step.trouble is not None and step.kind != "model"
    reason = trouble_words(step.trouble, texts) if step.trouble and is_told else ""
    return texts("story.because", what=words, why=reason) if reason else words


def answer_words(turn: TurnFacts, texts: Texts) -> str:
    """Who answered, how long it took and what it cost, in a line."""
    found = list(turn_figures(turn, texts))
    if turn.model:
        answered = answered_words(texts, turn.model, turn.provider or "", turn.provider_title)
        found.insert(0, answered)
    return " · ".join(found)


def doing_words(doing: Activity, texts: Texts, now: str) -> str:
    """What is going on, and for how long once it takes long."""
    passed = int(seconds_between(doing.since, now))
    if doing.is_slow_to_answer and passed >= SLOW_S:
        return texts("story.doing.asking.slow", **{**doing.values, "seconds": passed})
    words = sentence_of(doing, texts)
    if doing.trouble is not None:
        return sentences(texts, trouble_words(doing.trouble, texts), words)
    is_counted = passed >= SLOW_S and doing.key != WAITING
    return f"{words} {duration_words(passed, texts)}" if is_counted else words


def now_text() -> str:
    """The time, as the log writes it."""
    return datetime.now(UTC).isoformat()


def failure_words(category: str | None, message: str | None, texts: Texts) -> str:
    """The words to show; messages are written in English, and say more where the person reads it."""
    key = f"failure.{category}"
    words = texts(key)
    is_known = words != key
    if is_known and (texts.locale != DEFAULT_LOCALE or not message):
        return words
    return message or ""


def node_words(node: GraphNode, story: Story, steps: Mapping[str, Step], texts: Texts) -> str:
    """What a node of the graph is called; `steps` are those of the story, by their ids."""
    turn = story.turns.get(node.node_id)
    if turn is not None and turn.text:
        return plain_line(first_line(turn.text))
    name = f"{NODE_STEPS.get(node.node_type, '')}:{node.node_id}"
    step = steps.get(name)
    if step is not None:
        return plain_line(sentence_of(step, texts))
    kind = texts(f"drawer.node.{node.node_type}")
    # An event without a name of its own is called by its type, which is no word for a person.
    is_type = "." in node.title and " " not in node.title
    return kind if is_type else plain_line(f"{kind}: {node.title}")
