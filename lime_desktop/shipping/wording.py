"""Which text says how it stands with an update: its key and what goes into it. Whoever has the texts puts them in words. Pure."""

from collections.abc import Callable, Mapping
from typing import assert_never

from lime_desktop.shipping.refusals import UpdateCode
from lime_desktop.shipping.states import (
    Available,
    CheckResult,
    NotYet,
    Paused,
    Ready,
    Refused,
    UpToDate,
)

Told = tuple[str, Mapping[str, object]]


def told(result: CheckResult, size: Callable[[int], str]) -> Told:
    """An answer as one sentence; `size` puts a number of bytes in words."""
    match result:
        case UpToDate():
            return "self-update.up-to-date", {"version": result.version}
        case Available():
            found = {"version": result.release.version, "size": size(result.download_bytes)}
            return "self-update.available", found
        case Paused():
            return "self-update.paused", {"version": result.version}
        case NotYet():
            return "self-update.not-yet", {"version": result.version, "rollout": result.rollout}
        case Ready():
            return "self-update.ready", {"version": result.version}
        case Refused():
            return refusal_key(result.code), {}
        case _:
            assert_never(result)


def refusal_key(code: UpdateCode) -> str:
    """The key of the text that a code has."""
    return f"self-update.refused.{code.removeprefix('UPDATE_').lower().replace('_', '-')}"
