"""What a gate is given, and what it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from lime_desktop.app_server.runtime_core.state import SessionState
from lime_desktop.protocol.runtime.events import ProposedEvent
from lime_desktop.protocol.wire import WireModel


class Origin(StrEnum):
    """Who says that something happened. RuntimeCore may say more than the others."""

    CORE = "core"
    ENGINE = "engine"
    CLIENT = "client"


Lookup: TypeAlias = Callable[[str, str], WireModel | None]
"""Finds a record by kind and key: what a gate must know about finished things."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why an event may not be stored. Names rules and fields, never values."""

    code: str
    fields: tuple[str, ...] = ()


Gate: TypeAlias = Callable[[SessionState, ProposedEvent, Origin, Lookup], Rejection | None]
"""Pure. ``None`` lets the event pass."""
