"""What is known of each schedule: a ledger of starts whose occasions are moments."""

from typing import TypeAlias

from lime_desktop.app_server.runtime_core.core import RuntimeCore
from lime_desktop.app_server.workflows.schedules.consent import Terms
from lime_desktop.app_server.workflows.start_ledger import Family, Kept, StartFacts, StartLedger


class KeptSchedule(Kept, frozen=True, omit_defaults=True, rename="camel"):
    """What is known of a schedule."""

    agreed: Terms | None = None
    anchor_ms: int = 0

    @property
    def is_agreed(self) -> bool:
        """Whether a person agreed to anything."""
        return self.agreed is not None


ScheduleLedger: TypeAlias = StartLedger[KeptSchedule]
SCHEDULES = Family("schedule", KeptSchedule)


def schedule_ledger(core: RuntimeCore) -> ScheduleLedger:
    """The ledger of every schedule."""
    return StartLedger(core, SCHEDULES)


def facts_of_schedule(app_id: str, key: str) -> StartFacts:
    """Says things of one schedule."""
    return StartFacts(SCHEDULES.name(app_id, key))
