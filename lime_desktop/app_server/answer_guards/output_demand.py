"""Was the asked output delivered? Finds it in what an engine ended with, and holds it against the demand. Pure."""

import re
from dataclasses import dataclass
from typing import NoReturn, cast

import jsonschema_rs
import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.answer_guards.content import EmptyContent, hollow_output
from lime_desktop.protocol.agent_tasks import Materializer
from lime_desktop.protocol.calls.turns import StructuredOutput
from lime_desktop.protocol.errors import AppError, InvalidInput, StructuredOutputInvalid, TaskFailed
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.runtime.events import ProposedEvent

MAX_SCHEMA_CHARACTERS = 200_000
MAX_COMPLAINTS = 20
# A pattern of a stranger's runs on a stranger's text: it may cost so much and no more.
_PATTERNS = jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000)

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n\s*```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that does not fit."""

    path: str
    """Where in the value, such as `/items/0/title`; empty for the value itself."""
    text: str
    """For whoever is to do it better. It may repeat parts of the value, so it goes into no fact."""


_NO_JSON = Complaint("", "The answer holds no JSON value.")


class OutputSchema:
    """A schema that was understood."""

    def __init__(self, schema: JsonObject) -> None:
        """Understand a schema.

        Raises:
            InvalidInput: it is no schema, is too long, or refers to something outside itself.
        """
        if len(msgspec.json.encode(schema)) > MAX_SCHEMA_CHARACTERS:
            raise _unusable("too_long")
        try:
            self._validator = jsonschema_rs.validator_for(
                schema, retriever=_refuse, pattern_options=_PATTERNS
            )
        except (ValueError, jsonschema_rs.ReferencingError):
            raise _unusable("not_a_schema") from None

    def complaints(self, value: JsonValue) -> tuple[Complaint, ...]:
        """What does not fit, the first few."""
        found: list[Complaint] = []
        for error in self._validator.iter_errors(value):
            path = "".join(f"/{part}" for part in error.instance_path)
            found.append(Complaint(path, error.message[:300]))
            if len(found) == MAX_COMPLAINTS:
                break
        return tuple(found)


def _refuse(uri: str) -> NoReturn:
    message = f"a schema of a task stands alone; {uri} is not part of it"
    raise ValueError(message)


def _unusable(reason: str) -> InvalidInput:
    return InvalidInput.at_fields([("expectedOutput.outputFormat.schema", reason)])


@dataclass(frozen=True, slots=True)
class Fits:
    """The output has the form."""

    value: JsonValue
    key: str | None = None
    """Which of the accepted keys carries the patch."""

    @property
    def patch(self) -> JsonValue:
        """What is to be written back."""
        if self.key is None:
            return self.value
        return cast("JsonObject", self.value)[self.key]


@dataclass(frozen=True, slots=True)
class Unfit:
    """It has not."""

    complaints: tuple[Complaint, ...]


@dataclass(frozen=True, slots=True)
class OutputDemand:
    """The form, what becomes of it, and how often it may be tried."""

    schema: OutputSchema | None
    """None where the words of the answer are the output, in whatever form."""
    schema_object: JsonObject
    materializer: Materializer | None
    max_retries: int
    failure_subtype: str | None
    asked: str = ""
    """What was asked, so that its echo is known."""

    @classmethod
    def of(cls, output: StructuredOutput | None, asked: str = "") -> "OutputDemand | None":
        """What a turn's options demand.

        Raises:
            InvalidInput: the schema cannot be used.
        """
        if output is None or output.schema_ is None:
            return None
        written = output.materializer
        return cls(
            schema=OutputSchema(output.schema_),
            schema_object=output.schema_,
            materializer=Materializer.model_validate(written) if written else None,
            max_retries=output.max_validation_retries,
            failure_subtype=output.failure_subtype,
            asked=asked,
        )

    def check(self, ending: JsonObject, said: str) -> Fits | Unfit:
        """Judge how a turn ended: it has the form, and says something in it."""
        verdict = self.check_form(ending, said)
        if isinstance(verdict, Unfit) or self.schema is None:
            return verdict
        hollow = hollow_output(verdict.value, self.schema_object, self.asked)
        return verdict if hollow is None else Unfit((_hollow(hollow),))

    def check_form(self, ending: JsonObject, said: str) -> Fits | Unfit:
        """Judge its form alone: its stated output, or else the JSON that its last words are."""
        if self.schema is None:
            return Fits(ending.get("structuredOutput", said))
        value = _delivered(ending, said)
        if isinstance(value, Unfit):
            return value
        if complaints := self.schema.complaints(value):
            return Unfit(complaints)
        return self._materialised(value)

    def _materialised(self, value: JsonValue) -> Fits | Unfit:
        accepted = self.materializer.accepted_keys if self.materializer else ()
        if not accepted:
            return Fits(value)
        keys = value.keys() if isinstance(value, dict) else ()
        carrying = next((key for key in accepted if key in keys), None)
        if carrying is None:
            return Unfit((Complaint("", f"One of these keys is needed: {', '.join(accepted)}."),))
        return Fits(value, carrying)


IN_WORDS = OutputDemand(
    schema=None, schema_object={}, materializer=None, max_retries=0, failure_subtype=None
)
"""An answer that is kept or shown to a person as it was said."""


def _hollow(found: EmptyContent) -> Complaint:
    return Complaint(found.path, _HOLLOW[found.reason])


_HOLLOW = {
    "empty": "It has the form and says nothing: every text is empty.",
    "placeholder": "This is a placeholder, not an answer.",
    "echo": "This only repeats the task.",
    "repeats": "This repeats itself.",
}


def _delivered(ending: JsonObject, said: str) -> JsonValue | Unfit:
    if "structuredOutput" in ending:
        return ending["structuredOutput"]
    # An engine that knows no forms answers in words; the whole of them, or one block, must be JSON.
    blocks = _FENCED.findall(said)
    text = blocks[0] if len(blocks) == 1 else said
    try:
        return cast("JsonValue", msgspec.json.decode(text))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return Unfit((_NO_JSON,))


@dataclass(frozen=True, slots=True)
class OutputAttempts:
    """The attempts that one turn has made."""

    demand: OutputDemand
    made: int = 0

    def after(self, more: int = 1) -> "OutputAttempts":
        """The same after some more."""
        return OutputAttempts(self.demand, self.made + more)

    @property
    def are_spent(self) -> bool:
        """Whether the output was tried as often as it may be."""
        return self.made > self.demand.max_retries

    @property
    def failure(self) -> AppError:
        """How a turn ends whose attempts are spent: as the task wants it told."""
        message = f"The output did not fit its schema in {self.made} attempts."
        return TaskFailed(message) if self.fails_plainly else StructuredOutputInvalid(message)

    @property
    def fails_plainly(self) -> bool:
        """Whether the task wants a failure like any other."""
        return self.demand.failure_subtype == "error_during_execution"

    def retrying(self, unfit: Unfit) -> ProposedEvent:
        """That the output does not fit yet."""
        detail = "The output does not fit its schema; the agent tries again."
        payload: JsonObject = {"phase": "verifying", "detail": detail, **self.facts(unfit)}
        return ProposedEvent(type="run.status", phase="verifying", payload=payload)

    def facts(self, unfit: Unfit) -> JsonObject:
        """What is told of an attempt that does not fit: names places, and repeats nothing of it."""
        return {
            "outputAttempts": self.made,
            "unfitPaths": [complaint.path for complaint in unfit.complaints],
        }


def complaints_in(unfit: Unfit) -> str:
    """What was wrong, one line each, for whoever is to do it better."""
    return "\n".join(f"- {each.path or '/'}: {each.text}" for each in unfit.complaints)
