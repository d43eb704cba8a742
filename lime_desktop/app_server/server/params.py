"""From what a client sent to what a handler takes: no keys, right shape, or a refusal by field."""

from typing import TypeVar, cast

from pydantic import JsonValue, ValidationError

from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.protocol.wire import WireModel

ParamsT = TypeVar("ParamsT", bound=WireModel)


def parse_params(model: type[ParamsT], raw: object) -> ParamsT:
    """Check and read a call's parameters.

    Raises:
        InvalidInput: with the paths of the fields, never their values.
    """
    # Keys go to the provider store by its own way; here not even their names are accepted.
    if raw and (key_like := list(key_like_paths(cast("JsonValue", raw)))):
        raise InvalidInput.at_fields((path, "key_like_field") for path in key_like)
    try:
        return model.model_validate({} if raw is None else raw)
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None
