"""From what a client sent to what a handler takes: no keys, right shape, or a refusal by field."""

from typing import TypeVar, cast

import msgspec
from pydantic import JsonValue, ValidationError

from lime_desktop.jsonrpc.messages import RpcError, read_value
from lime_desktop.protocol.app_call import AppCallParams
from lime_desktop.protocol.errors import InvalidInput, InvalidMessage
from lime_desktop.protocol.runtime.payload_rules import key_like_paths
from lime_desktop.protocol.wire import WireModel

ParamsT = TypeVar("ParamsT", bound=WireModel)


def parse_params(model: type[ParamsT], written: msgspec.Raw) -> ParamsT:
    """Check and read a call's parameters.

    Raises:
        InvalidInput: with the paths of the fields, never their values.
        InvalidMessage: they are not UTF-8.
    """
    if issubclass(model, AppCallParams):
        # What an app says is judged by the service that takes it: each has a place of its own for secrets.
        return model.read(bytes(written))
    try:
        raw = read_value(written)
    except RpcError as error:
        raise InvalidMessage(error.message) from None
    # Keys go to the provider store by its own way; here not even their names are accepted.
    if raw and (key_like := list(key_like_paths(cast("JsonValue", raw)))):
        raise InvalidInput.at_fields((path, "key_like_field") for path in key_like)
    try:
        return model.model_validate({} if raw is None else raw)
    except ValidationError as error:
        raise InvalidInput.from_validation(error) from None
