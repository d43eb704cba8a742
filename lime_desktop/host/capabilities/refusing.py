"""Capabilities that are refused whole. Their arguments are checked all the same, so that a mistake in them is found."""

from collections.abc import Callable

from pydantic import BaseModel

from lime_desktop.host.capabilities.handler import Handlers, HandlerServices, InstantHandler
from lime_desktop.host.view.refused_capabilities import REFUSED, Refused
from lime_desktop.protocol.capabilities import capability_named


def refuse(name: str) -> Callable[[HandlerServices], Handlers]:
    """The handlers of a capability that says no."""
    refused, capability = REFUSED[name], capability_named(name)
    methods = capability.methods if capability else ()
    refusing = {f"{name}.{method}": _refusal(refused) for method in methods}
    return lambda _: refusing


def _refusal(refused: Refused) -> InstantHandler:
    def answer(_: object) -> BaseModel:
        raise refused.error(refused.reason)

    return answer
