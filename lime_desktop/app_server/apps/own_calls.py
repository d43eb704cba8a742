"""Calls that are made in an app's name by what runs here, and not by a page: judged as a page's are, carried out by the same handlers."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
from pydantic import JsonValue

from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.called import ACCESS, side_effect_of, targets_of
from lime_desktop.protocol.app_call import AppCaller, AppCallParams
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.protocol.ids import JsonObject, TraceId
from lime_desktop.protocol.runtime.payload_rules import without_keys

CALLS_BY_NAME: Mapping[str, Call[Any, Any]] = {call.name: call for call in CALLS}


def named_call_of(app_id: str, call: Call[Any, Any]) -> PolicyCall:
    """The call by its name alone: what no arguments could make right is refused before they are read."""
    return PolicyCall(
        app_id=app_id,
        capability=call.capability,
        method=call.method,
        access=ACCESS[call.effect],
        side_effect=side_effect_of(call),
    )


def policy_call_of(app_id: str, call: Call[Any, Any], params: JsonObject) -> PolicyCall:
    """The call in policy's words.

    Raises:
        InvalidInput: the params do not fit.
    """
    checked = call.check_params(params)
    text = msgspec.json.encode(without_keys(params), order="deterministic")
    return replace(
        named_call_of(app_id, call),
        targets=targets_of(checked),
        arguments_summary=text.decode()[:500],
        arguments_digest=hashlib.sha256(text).hexdigest(),
    )


async def carry_out(calls: AppCalls, name: str, params: JsonObject, caller: AppCaller) -> JsonValue:
    """Make a call that was let pass, and give its result as JSON.

    Raises:
        AppError: the service's own.
    """
    asked = AppCallParams(caller=caller, call=name, params=msgspec.json.encode(params))
    answer = await calls.answer(asked, CallContext(trace_id=TraceId("")))
    return msgspec.json.decode(answer.value)
