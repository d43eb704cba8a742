"""A question in words: who wants to do what to which thing, what it is about, what leaves, and what cannot be undone.

The one place where questions are worded, for whatever shows them. Pure over texts; knows no window.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lime_desktop.host.approvals.gist import gist_of
from lime_desktop.host.approvals.question import Question
from lime_desktop.host.approvals.reasons import changed_system, leaving_words, reason_words
from lime_desktop.host.approvals.shown_values import FieldTitles, Shown, shown_values
from lime_desktop.host.apps.registry import RegisteredApp
from lime_desktop.host.wording.actions import deed_of, effect_verb, listed_words
from lime_desktop.host.wording.texts import Texts
from lime_desktop.policy.vocabulary import ALWAYS_A_PERSON
from lime_desktop.protocol.plain_text import plain_line, plain_name
from lime_desktop.protocol.runtime.payload_rules import is_key_like

_FINAL_EFFECTS = frozenset({"external_write", *ALWAYS_A_PERSON})
_FINAL_CALLS = frozenset({"lime.storage.delete", "lime.storage.tableDelete", "storage_delete"})
_TOLD_IN_SENTENCE = frozenset({"title", "subject", "query", "topic", "table", "fileName", "path"})
_BESIDE_CONTENT = frozenset(
    {"key", "kind", "artifactId", "idempotencyKey", "ifVersion", "id", "reason", "persist", "ref"}
)
"""What stands beside the content for machines alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Everything that is said of a question, the first view first."""

    who: str
    sentence: str
    line: str
    """The same where nothing of the content is shown beside it, with a few words of that."""
    deed: str = ""
    """What the host knows would be done, where the sentence says what the app's author calls it."""
    yes: str
    """What the button that allows it says: the verb."""
    prompt: str = ""
    """The words of whoever asks, where it is not just a confirmation."""
    content: tuple[Shown, ...] = ()
    leaves: str = ""
    changes: str = ""
    """Which system outside the app it changes: on this computer or elsewhere, its author alone knows."""
    final: str = ""
    """That it cannot be undone, if so."""
    rules: tuple[str, ...] = ()
    """Rules that somebody set against it: which, whose, and who can change them."""
    reasons: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    """What the app does without it."""
    is_loud: bool = False
    """Whether it goes out, costs, or cannot be undone: then its button waits longer."""


def word_question(question: Question, app: RegisteredApp | None, texts: Texts) -> Wording:
    """Say a question."""
    title = app_title(question, app, texts)
    deed = deed_of(
        question.action,
        question.arguments,
        texts,
        targets=question.targets,
        effects=question.effects,
        program=question.program,
    )
    listed = listed_words(question.action, question.arguments, texts) or deed.words
    operation = app.operation_title(question.operation, texts.locale) if app else ""
    verb = effect_verb(question.effects, texts) if operation else deed.verb
    return Wording(
        who=_who(question, title, texts),
        sentence=_sentence(question, title, deed.words, operation, texts),
        line=_line(_sentence(question, title, listed, operation, texts), question),
        deed=texts("asking.deed", doing=deed.words) if operation else "",
        yes=texts("approval.send") if question.wants_words else verb,
        prompt=question.prompt,
        content=word_content(question, texts),
        leaves=_leaves(question, app, texts),
        changes=_changes(question, app, texts),
        final=texts("asking.final") if _is_final(question) else "",
        rules=tuple(_rules(question, app, texts)),
        reasons=tuple(_reasons(question, app, texts)),
        without=question.if_refused,
        is_loud=_is_loud(question),
    )


def _who(question: Question, title: str, texts: Texts) -> str:
    """A run asks by itself, whoever began it: no agent has a part in that."""
    if question.workflow:
        return texts("asking.who.workflow", app=title, workflow=plain_name(question.workflow))
    return texts(f"asking.who.{question.origin}", app=title)


def _line(sentence: str, question: Question) -> str:
    """With what tells it from others that are asked in the same words."""
    gist = gist_of(question, sentence)
    return f"{sentence} · {gist}" if gist else sentence


def app_title(question: Question, app: RegisteredApp | None, texts: Texts) -> str:
    """Who asks, by the name that the person knows."""
    return app.title(texts.locale) if app else plain_name(question.app_id)


def _sentence(question: Question, title: str, doing: str, operation: str, texts: Texts) -> str:
    if question.review is not None:
        return texts("reviewing.head", subject=plain_name(question.review.subject))
    if question.wants_words:
        return texts(f"asking.sentence.{question.kind}", app=title)
    if operation:
        return texts("asking.sentence.operation", app=title, operation=operation)
    return texts("asking.sentence", app=title, doing=doing)


def _is_final(question: Question) -> bool:
    return bool(_FINAL_EFFECTS & set(question.effects)) or question.action in _FINAL_CALLS


def is_same_request(one: Question, other: Question) -> bool:
    """Whether one answer may decide both: who saw the one saw everything of the other."""
    is_another = one.question_id != other.question_id
    return is_another and may_share_answer(one) and _asked(one) == _asked(other)


def may_share_answer(question: Question) -> bool:
    """Whether one answer may decide several requests that are the same.

    What goes out or cannot be undone is answered one by one, and so is what must be typed.
    """
    is_yes_or_no = question.review is None and not question.wants_words
    return is_yes_or_no and not _is_loud(question)


def _asked(question: Question) -> Question:
    """A question without what tells two of the same apart."""
    return replace(question, question_id="", asked_at_ms=0, expires_at_ms=None)


def _is_loud(question: Question) -> bool:
    """Whether it goes out, costs, or cannot be undone."""
    return question.risk == "high" or _is_final(question) or bool(question.leaves_machine)


def word_content(question: Question, texts: Texts) -> tuple[Shown, ...]:
    """What it would be done with. A program is shown by its words, and those are with the program."""
    given = question.arguments
    if question.program or question.review is not None:
        return ()
    is_call = question.action.startswith("lime.")
    told = _TOLD_IN_SENTENCE | _BESIDE_CONTENT if is_call else frozenset[str]()
    if is_call and isinstance(given, dict) and isinstance(given.get("input"), dict):
        # What a tool is given stands beside the tool's name where a page calls it.
        given, told = given["input"], frozenset[str]()
    elif is_call and isinstance(given, dict):
        # What is off is as it always is.
        told |= {name for name, value in given.items() if value is False}
    hidden = filter(is_key_like, given) if isinstance(given, dict) else ()
    return shown_values(given, FieldTitles(texts), told.union(hidden))


def _leaves(question: Question, app: RegisteredApp | None, texts: Texts) -> str:
    lines = (each for each in question.leaves_machine if not changed_system(each, app, texts))
    return _listed("asking.leaves", (leaving_words(each, texts) for each in lines), texts)


def _changes(question: Question, app: RegisteredApp | None, texts: Texts) -> str:
    systems = (changed_system(each, app, texts) for each in question.leaves_machine)
    return _listed("asking.changes", filter(None, systems), texts)


def _listed(key: str, said: Iterable[str], texts: Texts) -> str:
    what = texts("list.semicolon").join(plain_line(each) for each in said)
    return texts(key, what=what) if what else ""


def _rules(question: Question, app: RegisteredApp | None, texts: Texts) -> Iterator[str]:
    """Only of an exception: elsewhere the rules are the reasons, and those are folded away."""
    if question.kind != "policy_exception":
        return
    for reason in question.reasons:
        words = plain_line(reason_words(reason, app, texts))
        if reason.layer and words:
            yield texts(f"asking.rule.{reason.layer}", rule=words)


def _reasons(question: Question, app: RegisteredApp | None, texts: Texts) -> Iterator[str]:
    said = [plain_line(reason_words(each, app, texts)) for each in question.reasons]
    yield from dict.fromkeys(filter(None, said))
