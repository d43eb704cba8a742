"""The calls that a run makes in its app's name: judged as a page's are, at the moment they happen, and carried out by the same handlers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, JsonValue

from lime_desktop.app_server.apps.own_calls import CALLS_BY_NAME, carry_out, policy_call_of
from lime_desktop.app_server.apps.registered import RegisteredApps
from lime_desktop.app_server.routes import AppCalls
from lime_desktop.policy.decide import decide
from lime_desktop.policy.decision import Decision
from lime_desktop.protocol.app_call import AppCaller
from lime_desktop.protocol.capability_calls.call import Call
from lime_desktop.protocol.ids import JsonObject


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
        return cls(CALLS_BY_NAME[kept["call"]], kept["params"], kept["stepId"], kept["runId"])


class RunCalls:
    """Judges and makes the calls of runs."""

    def __init__(self, apps: RegisteredApps, calls: AppCalls, now_ms: Callable[[], int]) -> None:
        self._apps = apps
        self._calls = calls
        self._now_ms = now_ms

    def judge(self, app_id: str, wanted: WantedCall, session_id: str) -> Decision:
        """May this call be made, by what holds for the app now?"""
        asked = replace(
            policy_call_of(app_id, wanted.call, wanted.params),
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
        return await carry_out(self._calls, wanted.name, wanted.params, caller)


def params_of(params: BaseModel) -> JsonObject:
    """Params as JSON."""
    return params.model_dump(mode="json", by_alias=True, exclude_unset=True)
