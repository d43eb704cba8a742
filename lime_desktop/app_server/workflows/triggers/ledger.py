"""What is known of each trigger: a ledger of starts whose occasions are events; and what a person agrees to."""

import hashlib
from typing import TypeAlias

import msgspec

from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.workflows.start_ledger import Family, Kept, StartFacts, StartLedger


class TriggerTerms(msgspec.Struct, frozen=True, rename="camel"):
    """What is agreed to: which workflow, and by what it is started."""

    workflow: str
    by: str

    @property
    def name(self) -> str:
        """A name for exactly these."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:32]


class KeptTrigger(Kept, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of a trigger."""

    agreed: TriggerTerms | None = None
    seen_ms: int = 0
    """When the newest event happened that was dealt with."""

    @property
    def is_agreed(self) -> bool:
        """Whether a person agreed to anything."""
        return self.agreed is not None


TriggerLedger: TypeAlias = StartLedger[KeptTrigger]
TRIGGERS = Family("trigger", KeptTrigger)


def trigger_ledger(core: RuntimeCore) -> TriggerLedger:
    """The ledger of every trigger."""
    return StartLedger(core, TRIGGERS)


def facts_of_trigger(app_id: str, key: str) -> StartFacts:
    """Says things of one trigger."""
    return StartFacts(TRIGGERS.name(app_id, key))
