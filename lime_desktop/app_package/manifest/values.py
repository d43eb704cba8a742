"""The kinds of value a manifest is made of. Every model of this package is built from these."""

from collections.abc import Hashable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
)
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, core_schema

T = TypeVar("T")
ModelT = TypeVar("ModelT", bound=BaseModel)


class ManifestModel(BaseModel):
    """A part of a manifest: camelCase in the file, snake_case here, immutable, extras kept.

    Values are taken as they are: a number is never read as text, nor text as a number. Fields
    that nobody knows are kept, because an author may be ahead of this host.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        frozen=True,
        strict=True,
        extra="allow",
        # Start-up pays only for the parts that a package really has.
        defer_build=True,
    )


class ClosedManifestModel(ManifestModel):
    """A part of a manifest where the standard allows no further fields."""

    model_config = ConfigDict(extra="forbid")


def _require_unique(items: tuple[T, ...]) -> tuple[T, ...]:
    if all(isinstance(item, Hashable) for item in items) and len(set(items)) < len(items):
        raise PydanticCustomError("not_unique", "the items must differ")
    return items


def _require_time(text: str) -> str:
    try:
        parse_time(text)
    except ValueError:
        raise PydanticCustomError("not_a_time", "not an ISO 8601 time") from None
    return text


def _require_url(text: str) -> str:
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = None
    has_space = any(character.isspace() for character in text)
    if parts is None or has_space or not parts.scheme or not (parts.netloc or parts.path):
        raise PydanticCustomError("not_a_url", "not an absolute URL")
    return text


def _require_email(text: str) -> str:
    local, at, domain = text.rpartition("@")
    is_plain = all(c.isprintable() and not c.isspace() for c in text)
    if not (local and at and domain and is_plain) or domain.startswith(".") or "@" in local:
        raise PydanticCustomError("not_an_email", "not an e-mail address")
    return text


def parse_time(text: str) -> datetime:
    """Read an ISO 8601 time or date; one with no zone is taken as UTC. ValueError if it is neither."""
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def shape_of(value: object) -> str | None:
    """Tell the arms of a union apart by the shape of what was written."""
    match value:
        case str():
            return "text"
        case dict() | BaseModel():
            return "object"
        case Sequence():
            return "list"
        case _:
            return None


by_shape = Discriminator(
    shape_of,
    custom_error_type="wrong_shape",
    custom_error_message="neither of the shapes this field may have",
)

Text = Annotated[str, Field(min_length=1)]
Items = Annotated[tuple[T, ...], Strict(strict=False)]
_must_differ = AfterValidator(_require_unique)
_says_unique = Field(json_schema_extra={"uniqueItems": True})
UniqueItems = Annotated[tuple[T, ...], Strict(strict=False), _must_differ, _says_unique]
# Bounds come before the check for doubles: put around it, they would count as bounds of text.
UpTo8 = Annotated[
    tuple[T, ...], Strict(strict=False), Field(max_length=8), _must_differ, _says_unique
]
UpTo32 = Annotated[
    tuple[T, ...], Strict(strict=False), Field(max_length=32), _must_differ, _says_unique
]
AtLeastOne = Annotated[
    tuple[T, ...], Strict(strict=False), Field(min_length=1), _must_differ, _says_unique
]
Time = Annotated[
    str, AfterValidator(_require_time), Field(json_schema_extra={"format": "date-time"})
]
Url = Annotated[str, AfterValidator(_require_url), Field(json_schema_extra={"format": "uri"})]
Email = Annotated[str, AfterValidator(_require_email), Field(json_schema_extra={"format": "email"})]
CountryCode = Annotated[str, Field(min_length=2, max_length=2)]
Identifier = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9-_.]*$")]
"""The name of an app or of a publisher."""
Sha256 = Annotated[str, Field(pattern=r"^sha256:[a-fA-F0-9]{64}$")]
FreeObject = dict[str, object]
"""An object whose fields the standard leaves to the author."""


class _Later:
    def __get_pydantic_core_schema__(
        self, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        del handler  # asking it would build the rules now
        return core_schema.no_info_plain_validator_function(source.model_validate)

    def __get_pydantic_json_schema__(
        self, schema: Any, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        model: type[BaseModel] = schema["function"]["function"].__self__
        model.model_rebuild()
        return handler(model.__pydantic_core_schema__)


Later = Annotated[ModelT, _Later()]
"""A part of a manifest whose rules are built only when a package has it: `install: Later[InstallContract] | None`.

Building the rules of one part takes up to 3 ms and hardly any package has every part: 15 ms less per start. What a part
allows, what is said of it when it is wrong, and its JSON Schema are as without this.
"""
