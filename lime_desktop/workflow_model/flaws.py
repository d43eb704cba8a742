"""What can be wrong with a definition: a stable kind, the path into its JSON, and a sentence."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

FlawPath: TypeAlias = tuple[str | int, ...]


class FlawKind(StrEnum):
    """Every kind of flaw. Part of what commands print: never renamed."""

    STATES_MISSING = "states-missing"
    STATE_MALFORMED = "state-malformed"
    KEY_TWICE = "key-twice"
    KIND_UNKNOWN = "kind-unknown"
    FIELD_MISSING = "field-missing"
    FIELD_UNFIT = "field-unfit"
    EXPRESSION_INVALID = "expression-invalid"
    SCHEMA_INVALID = "schema-invalid"
    TARGET_MISSING = "target-missing"
    TRANSITION_AMBIGUOUS = "transition-ambiguous"
    STATE_UNREACHABLE = "state-unreachable"
    CYCLE_ENDLESS = "cycle-endless"
    RECOVERY_MISSING = "recovery-missing"
    RECOVERY_UNKNOWN = "recovery-unknown"
    READ_UNANSWERED = "read-unanswered"
    OUTPUT_UNWRITTEN = "output-unwritten"
    NAME_UNDECLARED = "name-undeclared"
    SCHEDULE_UNREADABLE = "schedule-unreadable"
    ZONE_UNKNOWN = "zone-unknown"


_HARMLESS = frozenset({FlawKind.STATE_UNREACHABLE, FlawKind.OUTPUT_UNWRITTEN})


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is wrong."""

    kind: FlawKind
    path: FlawPath
    message: str
    state_key: str | None = None

    @property
    def prevents_running(self) -> bool:
        """Whether a host could not carry the workflow out as long as this is so."""
        return self.kind not in _HARMLESS
