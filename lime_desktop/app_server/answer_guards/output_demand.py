"""Was the asked output delivered? Finds it in what an engine ended with, and holds it against the demand. Pure."""

import re
from dataclasses import dataclass
from typing import cast

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.answer_guards.content import Hollow, hollow_output
from lime_desktop.app_server.answer_guards.output_schema import Complaint, OutputSchema
from lime_desktop.protocol.agent_tasks import Materializer
from lime_desktop.protocol.calls.turns import StructuredOutput
from lime_desktop.protocol.ids import JsonObject

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n\s*```", re.DOTALL)
_NO_JSON = Complaint("", "The answer holds no JSON value.")


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


def _hollow(found: Hollow) -> Complaint:
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
