"""What those who call the App Server need of it: one function. Whether a server runs is not their business."""

from typing import Protocol

from pydantic_core import PydanticSerializationError

from lime_desktop.protocol.app_call import APP_CALL, AppCaller, AppCallParams
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.call import ParamsT as CallParamsT
from lime_desktop.protocol.capability_calls.call import ResultT as CallResultT
from lime_desktop.protocol.errors import InvalidInput
from lime_desktop.protocol.wire import Method, ParamsT, ResultT


class CallServer(Protocol):
    """Asks the App Server, or fails with the reason why there is none."""

    async def __call__(
        self, method: Method[ParamsT, ResultT], params: ParamsT, *, timeout_s: float = ...
    ) -> ResultT:
        """Ask and wait for the typed answer."""
        ...


async def call_for_app(
    server: CallServer,
    caller: AppCaller,
    call: Call[CallParamsT, CallResultT],
    params: CallParamsT,
) -> CallResultT:
    """Make a call in an app's name and read its result: for the host's own pages and handlers.

    Raises:
        InvalidInput: the params hold what cannot be written as text.
        AppError: the server's own, or the reason why there is none.
    """
    try:
        written = params.model_dump_json(by_alias=True, exclude_unset=True).encode()
    except PydanticSerializationError:
        # Half a surrogate pair: JSON's escapes can say it, and no text that travels can hold it.
        raise InvalidInput.at_fields([("params", "string_unicode")]) from None
    asked = AppCallParams(caller=caller, call=call.name, params=written)
    answer = await server(APP_CALL, asked, timeout_s=call.timeout_s)
    return call.result.model_validate_json(answer.value)
