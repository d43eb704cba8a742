"""A question to a person, and their answer: the same shape whoever asks, a call of an app or its agent at work."""

from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from lime_desktop.policy.vocabulary import RememberScope, RiskLevel
from lime_desktop.protocol.approvals import ApprovalKind
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.threads import FieldTitle


@dataclass(frozen=True, slots=True)
class Reason:
    """Why somebody has to be asked."""

    rule_id: str
    text: str
    layer: str = ""
    """Who wrote the rule, as policy knows them; empty where that is not told."""


@dataclass(frozen=True, slots=True)
class ReviewedContent:
    """What a person is to judge: approve, approve with changes, or reject."""

    subject: str
    """What the app or its agent calls it."""
    content: JsonValue
    answer_goes_to_app: bool
    """Whether the app itself asked, and gets everything that is answered."""
    titles: tuple[FieldTitle, ...] = ()
    """What the app calls the fields of the content, where its schema says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything a person needs to decide on facts."""

    question_id: str
    app_id: str
    origin: Literal["call", "agent"]
    """Whether the app's own page asks, or an agent that works for it."""
    kind: ApprovalKind
    action: str
    """What would be done: the name of a call or of a tool."""
    workflow: str | None = None
    """The title of the workflow whose run asks, if one does."""
    operation: str | None = None
    """The key of the operation of the app's that it carries out, where it names one."""
    targets: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    """What it would do to the world, as policy knows it."""
    risk: RiskLevel = "medium"
    reasons: tuple[Reason, ...] = ()
    leaves_machine: tuple[str, ...] = ()
    arguments: JsonValue = None
    """Exactly what it would be done with."""
    program: tuple[str, ...] = ()
    """The program that would run and all of its words: its own name, not what the app calls it. Empty: none would."""
    can_edit: bool = False
    """Whether the arguments may be changed before the yes."""
    prompt: str = ""
    """The question in words, where it is not just a confirmation."""
    review: ReviewedContent | None = None
    """The content, where a person is to judge one: then a button decides, and words are a note."""
    answer_schema: JsonObject | None = None
    """What a form of answers must hold."""
    options: tuple[str, ...] = ()
    """Answers to choose from."""
    suggestions: tuple[str, ...] = ()
    """Safer ways, to be had by a no that names them."""
    if_refused: tuple[str, ...] = ()
    remember_scopes: tuple[RememberScope, ...] = ()
    """How long a yes may be kept, shortest first."""
    can_wait: bool = True
    """Whether the answer may be put off."""
    can_be_never: bool = False
    """Whether a no may be kept for good."""
    asked_at_ms: int = 0
    expires_at_ms: int | None = None
    draft: "Answer | None" = None
    """What the person answered before, where that was not taken: nobody types it twice."""
    refused_as: str = ""
    """The code under which it was not taken."""

    @property
    def program_input(self) -> str:
        """What the program would be given to read: to a shell that is a command like its own words."""
        given = self.arguments.get("stdin") if isinstance(self.arguments, dict) else None
        return given if self.program and isinstance(given, str) else ""

    @property
    def wants_words(self) -> bool:
        """Whether it is answered in words or by a form, not by a yes."""
        is_asked_for = self.kind in {"ask_user", "elicitation"} or self.answer_schema is not None
        return is_asked_for and self.origin == "agent" and self.review is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A decision. Closing the question is none."""

    is_yes: bool
    remember: RememberScope | None = None
    is_never: bool = False
    """Whether a no holds for good, until it is taken back in the settings."""
    is_for_all: bool = False
    """Whether it decides every identical call that waits behind the question, not the first alone."""
    updated_arguments: JsonValue = None
    """What is to be done instead, or what a reviewed content was changed into."""
    message: str | None = None
    """What to tell whoever asked, above all with a no."""
    text: str | None = None
    """The answer to a question in words."""
    values: JsonObject | None = None
    """The filled form."""


NEVER = Answer(is_yes=False, is_never=True)
YES = Answer(is_yes=True)
NO = Answer(is_yes=False)
