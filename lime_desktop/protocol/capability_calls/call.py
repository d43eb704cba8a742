"""A row of a capability's table of calls, and how arguments of any published form are read.

Knows no particular call.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Generic, Literal, TypeAlias, TypeVar, cast

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    JsonValue,
    RootModel,
    ValidationError,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, from_json

from lime_desktop.protocol.errors import AppError, InvalidInput
from lime_desktop.protocol.errors.of_calls import EVERY_CALL, Errors
from lime_desktop.protocol.wire import Maybe, WireModel

ParamsT = TypeVar("ParamsT", bound=WireModel)
ResultT = TypeVar("ResultT", bound=BaseModel)
ValueT = TypeVar("ValueT")

Limit = Annotated[int, Field(ge=1, le=1_000)]
"""How many records one answer may hold."""


class Effect(StrEnum):
    """What a call can change; policy starts from it."""

    READ = "read"
    """Nothing changes."""
    WRITE = "write"
    """The app's own data changes."""
    ASK = "ask"
    """A person is shown or asked something; the answer never waits for them."""
    EXECUTE = "execute"
    """An agent, a tool, a workflow or a command runs."""
    EXTERNAL = "external"
    """Something leaves the machine or changes outside it."""


class CallParams(WireModel):
    """Arguments of a call. A field with several published names is documented under each."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Show the other names that are accepted, and that one of them is enough."""
        schema = super().__get_pydantic_json_schema__(core_schema, handler)
        body = handler.resolve_ref_schema(schema)
        for each in cls.model_fields.values():
            if isinstance(each.validation_alias, AliasChoices):
                _document_names(body, [str(name) for name in each.validation_alias.choices])
        return schema


def _document_names(schema: JsonSchemaValue, names: list[str]) -> None:
    first, *others = names
    properties, required = schema["properties"], schema.get("required", [])
    for other in others:
        properties[other] = {**properties[first], "description": f"The same as `{first}`."}
    if first in required:
        required.remove(first)
        one_of_them = {"anyOf": [{"required": [name]} for name in names]}
        schema.setdefault("allOf", []).append(one_of_them)


class ResultValue(RootModel[ValueT], Generic[ValueT]):
    """An answer that is not an object: a list, a truth, a value or null."""

    model_config = ConfigDict(frozen=True, defer_build=True)


class NoResult(WireModel):
    """Never sent: this host refuses the call."""


class Acknowledged(WireModel):
    """The host did it; there is nothing more to say."""

    accepted: bool = True


class DryRunResult(WireModel):
    """What a call would do. Nothing was done."""

    dry_run: Literal[True] = True
    call: str
    operation: Maybe[str] = None
    side_effect: str
    reaches: tuple[str, ...] = ()
    """The tools, sites, secrets and so on that it would use."""


Carrier: TypeAlias = Literal["host", "server"]
"""Who carries a call out: the desktop, or the App Server."""


@dataclass(frozen=True, slots=True, eq=False)
class Call(Generic[ParamsT, ResultT]):
    """A method of a capability: one row, typing both ends. There is one of each, so it equals itself alone."""

    capability: str
    method: str
    params: type[ParamsT]
    result: type[ResultT]
    effect: Effect
    summary: str
    errors: Errors = field(default=(), kw_only=True)
    """The codes that it may answer, beyond those of every call (`protocol/errors/of_calls.py`)."""
    by: Carrier = "host"
    """Who carries it out. What the server does crosses as `app/call`, with the params as they came."""
    timeout_s: float = 30.0
    """How long the App Server may take."""
    is_done_once: bool = False
    """Whether a server that went away is not asked again, though the call changes nothing of the app's: it makes a file."""
    is_idempotent: bool = False
    """Whether the same call made again finds what the first one began, though it changes something."""
    can_be_undone: bool = False
    """Whether the host can take it back: then the person's own press in the app's page may be the yes to it."""
    session_of: Callable[[ResultT], str | None] | None = None
    """The session that the result leads to, if any: what is asked there, the host puts to a person."""
    name: str = field(init=False)
    """The call as people write it: `lime.storage.set`."""

    def __post_init__(self) -> None:
        """Put the name together once: every call that is made is looked up by it."""
        object.__setattr__(self, "name", f"{self.capability}.{self.method}")

    @property
    def acts(self) -> bool:
        """Whether something runs, or leaves the machine."""
        return self.effect is Effect.EXECUTE or self.effect is Effect.EXTERNAL

    @property
    def is_repeatable(self) -> bool:
        """Whether asking the App Server again does no more than asking once."""
        return self.is_idempotent or (self.effect is Effect.READ and not self.is_done_once)

    def may_answer(self, error: AppError) -> bool:
        """Whether a failure is one of those that are declared for it."""
        return isinstance(error, (*self.errors, *EVERY_CALL))

    def read_params(self, written: bytes) -> ParamsT:
        """Check arguments that came as one object, as a list in order, alone, or not at all.

        The host and the App Server read the same bytes by this one function, so that policy never judges other
        arguments than those that are carried out: of two fields of one name, say, both see the last.

        Raises:
            InvalidInput: they do not fit.
        """
        try:
            arguments = cast("JsonValue", from_json(written, allow_inf_nan=False))
        except (ValueError, TypeError):
            raise InvalidInput.at_fields([("", "json_invalid")]) from None
        return self.check_params(arguments)

    def check_params(self, arguments: JsonValue) -> ParamsT:
        """The same for arguments that somebody has read."""
        try:
            return self.params.model_validate(self._by_name(arguments))
        except ValidationError as error:
            raise InvalidInput.from_validation(error) from None

    def _by_name(self, arguments: JsonValue) -> dict[str, JsonValue]:
        match arguments:
            case None:
                return {}
            case dict():
                return arguments
            case [dict() as only]:
                return only
            case list():
                return self._in_order(arguments)
            case _:
                return self._in_order([arguments])

    def _in_order(self, values: list[JsonValue]) -> dict[str, JsonValue]:
        names = list(self.params.model_fields)
        if len(values) > len(names):
            raise InvalidInput.at_fields([("args", "too_long")])
        return dict(zip(names, values, strict=False))
