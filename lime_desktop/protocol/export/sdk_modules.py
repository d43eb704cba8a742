"""The SDK's generated modules: which calls there are, and which codes a refusal may carry."""

import inspect
import json
from collections.abc import Mapping

from lime_desktop.protocol.capabilities import CAPABILITIES
from lime_desktop.protocol.capability_calls.call import Effect
from lime_desktop.protocol.capability_calls.table import CALLS, AnyCall
from lime_desktop.protocol.errors import ALL_ERRORS, AppError
from lime_desktop.protocol.wire import Empty


def calls_module() -> str:
    """Every call by capability and method, with what the facade must know of it."""
    rows = {
        each.name: {call.method: _call(call) for call in CALLS if call.capability == each.name}
        for each in CAPABILITIES
        if each.methods
    }
    about = "Every call: whether it takes input, and whether a person is asked."
    shape = "Record<string, Record<string, {takesInput: boolean, asks: boolean}>>"
    return _constant("CALLS", about, shape, rows)


def codes_module() -> str:
    """What every code of the catalogue means."""
    about = "Every code that a refusal may carry."
    shape = "Record<string, {stableCode: string, causeCode: string, retryable: boolean, meaning: string, userAction: string, recovery: string}>"
    return _constant("CODES", about, shape, {error.code: _code(error) for error in ALL_ERRORS})


def _call(call: AnyCall) -> Mapping[str, bool]:
    return {"takesInput": call.params is not Empty, "asks": call.effect is Effect.ASK}


def _code(error: type[AppError]) -> Mapping[str, object]:
    return {
        "stableCode": error.stable_code,
        "causeCode": error.sdk_code,
        "retryable": error.retryable,
        "meaning": inspect.cleandoc(error.__doc__ or "").partition("\n")[0],
        "userAction": error.user_action,
        "recovery": error.recovery,
    }


def _constant(name: str, about: str, shape: str, value: object) -> str:
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return f"/**\n * {about}\n * @type {{{shape}}}\n */\nexport const {name} = {text};\n"
