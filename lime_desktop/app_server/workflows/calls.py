"""The calls that a run makes in its app's name: judged as a page's are, at the moment they happen, and carried out by the same handlers."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from pydantic import BaseModel, JsonValue

from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.call_context import CallContext
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.policy.call import PolicyCall
from lime_desktop.policy.called import ACCESS, side_effect_of, targets_of
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Decision
from lime_desktop.protocol.app_call import AppCaller, AppCallParams
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.capability_calls.table import CALLS
from lime_desktop.protocol.ids import JsonObject, TraceId
from lime_desktop.protocol.runtime.payload_rules import without_keys

_BY_NAME: Mapping[str, Call[Any, Any]] = {call.name: call for call in CALLS}


@dataclass(frozen=True, slots=True)
class WantedCall:
    """A call that a step wants made."""

    call: Call[Any, Any]
    params: JsonObject
    step_id: str
    run_id: str

    @property
    def name(self) -> str:
        """As people write it."""
        return self.call.name

    def to_json(self) -> JsonObject:
        """As it is kept with the turn that asks a person about it."""
        return {
            "call": self.call.name,
            "params": self.params,
            "stepId": self.step_id,
            "runId": self.run_id,
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "WantedCall":
        """The same again."""
        return cls(_BY_NAME[kept["call"]], kept["params"], kept["stepId"], kept["runId"])


class RunCalls:
    """Judges and makes the calls of runs."""

    def __init__(self, apps: RegisteredApps, calls: AppCalls, now_ms: Callable[[], int]) -> None:
        self._apps = apps
        self._calls = calls
        self._now_ms = now_ms

    def judge(self, app_id: str, wanted: WantedCall, session_id: str) -> Decision:
        """May this call be made, by what holds for the app now?"""
        call = wanted.call
        params = call.check_params(wanted.params)
        text = msgspec.json.encode(without_keys(wanted.params), order="deterministic")
        asked = PolicyCall(
            app_id=app_id,
            capability=call.capability,
            method=call.method,
            access=ACCESS[call.effect],
            side_effect=side_effect_of(call),
            targets=targets_of(params),
            arguments_summary=text.decode()[:500],
            arguments_digest=hashlib.sha256(text).hexdigest(),
            has_idempotency_key=True,
            task_id=wanted.step_id,
            session_id=session_id,
        )
        return decide(asked, self._apps.get(app_id).policy_facts(self._now_ms()))

    async def make(self, wanted: WantedCall, caller: AppCaller) -> JsonValue:
        """Carry it out, and give its result as JSON.

        Raises:
            AppError: the service's own.
        """
        asked = AppCallParams(
            caller=caller, call=wanted.name, params=msgspec.json.encode(wanted.params)
        )
        answer = await self._calls.answer(asked, CallContext(trace_id=TraceId("")))
        return msgspec.json.decode(answer.value)


def params_of(params: BaseModel) -> JsonObject:
    """Params as JSON."""
    return params.model_dump(mode="json", by_alias=True, exclude_unset=True)
