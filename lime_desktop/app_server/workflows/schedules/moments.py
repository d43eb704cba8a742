"""Which moments of a schedule have come, which of them were missed, and which are started. Pure: the time is given."""

from dataclasses import dataclass
from datetime import tzinfo

from lime_desktop.workflow_model.schedules.schedule import Schedule
from lime_desktop.workflow_model.schedules.timing import Due, due_between, next_after

LATE_MS = 5 * 60_000
"""A start that comes later than this was missed: the computer slept, or nobody ran."""
MOST_MADE_UP = 20
"""Missed moments that are started one by one where the schedule wants all; the older ones are told."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """A schedule where it is kept."""

    schedule: Schedule
    zone: tzinfo
    anchor_ms: int
    """From where intervals are counted."""
    seed: str
    """By what one schedule's starts come later than another's."""

    def next_start_ms(self, after_ms: int) -> int | None:
        """When the first moment after this one is started."""
        found = next_after(self.schedule.timing, self.zone, self.anchor_ms, after_ms)
        return None if found is None else self.start_ms(found)

    def next_starts_ms(self, after_ms: int, count: int) -> list[int]:
        """The same of the next few."""
        found: list[int] = []
        moment = next_after(self.schedule.timing, self.zone, self.anchor_ms, after_ms)
        while moment is not None and len(found) < count:
            found.append(self.start_ms(moment))
            moment = next_after(self.schedule.timing, self.zone, self.anchor_ms, moment)
        return found

    def start_ms(self, due_ms: int) -> int:
        """When a moment is started."""
        return self.schedule.start_ms(due_ms, self.seed)

    def since(self, reached_ms: int, now_ms: int) -> "Come":
        """What has come since everything until then was dealt with."""
        due = due_between(self.schedule.timing, self.zone, self.anchor_ms, reached_ms, now_ms)
        come = [each for each in due.moments_ms if self.start_ms(each) <= now_ms]
        if not come:
            return Come(reached_ms, (), Due(()))
        is_late = now_ms - self.start_ms(come[-1]) > LATE_MS
        on_time, missed = ([], come) if is_late else (come[-1:], come[:-1])
        starts = (*self._made_up(missed, has_start=bool(on_time)), *on_time)
        return Come(come[-1], starts, Due(tuple(missed), has_more=due.has_more))

    def _made_up(self, missed: list[int], *, has_start: bool) -> list[int]:
        match self.schedule.missed:
            case "skip":
                return []
            case "once":
                # One start stands for all that were missed; one that is on time does too.
                return [] if has_start else missed[-1:]
            case "all":
                return missed[-MOST_MADE_UP:]


@dataclass(frozen=True, slots=True)
class Come:
    """What has come, and what is to be done."""

    reached_ms: int
    """Until where everything is dealt with then."""
    starts_ms: tuple[int, ...]
    missed: Due
