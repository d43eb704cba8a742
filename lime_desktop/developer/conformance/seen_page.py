"""What was seen of an app while it was open: what it said over the bridge, what went wrong, how its own tests ended."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from lime_desktop.app_package.problems import Problem
from lime_desktop.developer.recording.lines import FromAppLine, Line, ToAppLine
from lime_desktop.protocol.ids import JsonObject

READY = "app:ready"
_ERROR = "host:error"


@dataclass(frozen=True, slots=True)
class SeenCall:
    """One thing that the page asked of the host."""

    name: str
    """The capability's method, or the message's type."""
    refusal: str | None = None
    """The stable code that it was refused by."""


@dataclass(frozen=True, slots=True)
class SeenTest:
    """One of the app's own tests."""

    name: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SeenPage:
    """One run, from the first page to the end."""

    calls: tuple[SeenCall, ...] = ()
    problems: tuple[Problem, ...] = ()
    tests: tuple[SeenTest, ...] = field(default=())

    @property
    def is_ready(self) -> bool:
        """Whether it greeted the host."""
        return any(each.name == READY and each.refusal is None for each in self.calls)


def read_calls(lines: Iterable[Line]) -> tuple[SeenCall, ...]:
    """What a recorded page asked, each with the refusal it met, in the order it asked."""
    asked: list[SeenCall] = []
    latest: dict[str, int] = {}
    """The call of each id; a page that is loaded anew begins to count again."""
    for line in lines:
        match line:
            case FromAppLine(message=dict(message)):
                latest[_id(message)] = len(asked)
                asked.append(SeenCall(_name(message)))
            case ToAppLine(message=dict(message)) if message.get("type") == _ERROR:
                at = latest.get(_id(message))
                if at is not None:
                    asked[at] = SeenCall(asked[at].name, _code(message))
            case _:
                pass
    return tuple(asked)


def _id(message: JsonObject) -> str:
    return str(message.get("requestId") or "")


def _payload(message: JsonObject) -> JsonObject:
    payload: JsonValue = message.get("payload")
    return cast("JsonObject", payload) if isinstance(payload, dict) else {}


def _name(message: JsonObject) -> str:
    payload = _payload(message)
    if "capability" in payload and "method" in payload:
        return f"{payload['capability']}.{payload['method']}"
    return str(message.get("type", ""))


def _code(message: JsonObject) -> str:
    payload = _payload(message)
    nested = payload.get("error")
    error = cast("JsonObject", nested) if isinstance(nested, dict) else payload
    return str(error.get("code", "refused"))
