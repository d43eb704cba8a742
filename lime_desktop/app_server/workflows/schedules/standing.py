"""How a schedule of an app stands: what is declared, what is known of it, and whether it may start anything. Pure but for the zone."""

import logging
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, tzinfo

from lime_desktop.app_package.schedules import DeclaredSchedule
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.workflows.schedules.consent import Terms, covers, terms_of
from lime_desktop.app_server.workflows.schedules.ledger import SCHEDULES, KeptSchedule
from lime_desktop.app_server.workflows.schedules.moments import Calendar
from lime_desktop.app_server.workflows.start_ledger import Start
from lime_desktop.protocol.errors import WorkflowNotFound
from lime_desktop.protocol.schedules import (
    ScheduledStart,
    ScheduleState,
    WorkflowSchedule,
)
from lime_desktop.workflow_model.schedules.schedule import Quiet, Schedule
from lime_desktop.workflow_model.schedules.timing import Cron, find_zone

_log = logging.getLogger(__name__)
_UPCOMING = 3
_READY = frozenset({"ready", "ready-degraded"})


@dataclass(frozen=True, slots=True)
class AppSchedule:
    """A sound schedule of an app that the host told of."""

    app: RegisteredApp
    declared: DeclaredSchedule
    schedule: Schedule

    @property
    def key(self) -> str:
        """Its name in the app."""
        return self.declared.key

    @property
    def follows_computer(self) -> bool:
        """Whether its moments are others where the computer is in another zone."""
        return self.schedule.time_zone is None and isinstance(self.schedule.timing, Cron)

    @property
    def terms(self) -> Terms:
        """What a person would agree to."""
        return terms_of(self.declared, self.schedule)

    def state(self, kept: KeptSchedule) -> ScheduleState:
        """Whether a person agreed, and to what is declared now. To an earlier installation means to none."""
        installed = self.app.registration.installed_at_ms
        if kept.agreed is None or kept.installed_at_ms != installed:
            return "off"
        if not covers(kept.agreed, self.terms):
            return "changed"
        return "paused" if kept.is_paused else "on"

    def may_start(self, kept: KeptSchedule) -> bool:
        """Whether it starts anything now. An app that is not ready yet misses nothing: it is looked at when it is."""
        told = self.app.registration
        is_kept = told.keeps_schedules and told.readiness_state in _READY
        return is_kept and self.state(kept) == "on"

    def calendar(self, kept: KeptSchedule) -> Calendar:
        """Its moments, here."""
        seed = SCHEDULES.name(self.app.app_id, self.key)
        return Calendar(self.schedule, zone_of(self.schedule), kept.anchor_ms, seed)

    def told(self, kept: KeptSchedule, tellable: frozenset[Quiet], now_ms: int) -> WorkflowSchedule:
        """The same for whoever asks."""
        schedule, state = self.schedule, self.state(kept)
        anchored = (
            kept if state == "on" else KeptSchedule(self.key, anchor_ms=now_ms, reached_ms=now_ms)
        )
        reached_ms = min(anchored.reached_ms, now_ms)
        upcoming = self.calendar(anchored).next_starts_ms(reached_ms, _UPCOMING)
        workflow = next(
            each for each in self.app.package.workflows if each.key == self.declared.workflow_key
        )
        definition = workflow.described.definition
        return WorkflowSchedule(
            app_id=self.app.app_id,
            key=self.key,
            title=self.declared.title,
            entry_key=self.declared.entry_key,
            workflow_key=workflow.key,
            workflow_title=(definition and definition.title) or workflow.key,
            schedule=schedule.written,
            time_zone=str(zone_of(schedule)),
            is_local_time=schedule.time_zone is None,
            jitter_s=schedule.jitter_ms / 1_000,
            missed=schedule.missed,
            overlap=schedule.overlap,
            quiet_on=tuple(sorted(schedule.quiet)),
            untold=tuple(sorted(schedule.quiet - tellable)),
            state=state,
            terms=self.terms.name,
            allowed_at=moment(kept.agreed_at_ms) if state != "off" else None,
            next_at=moment(upcoming[0]) if state == "on" and upcoming else None,
            upcoming=tuple(map(moment, upcoming)),
            last=told_start(kept.last) if kept.last else None,
        )


def schedules_in(app: RegisteredApp) -> Iterator[AppSchedule]:
    """Every schedule of an app that can be kept."""
    for declared in app.package.schedules:
        if declared.schedule is not None:
            yield AppSchedule(app, declared, declared.schedule)


def schedule_in(app: RegisteredApp, key: str) -> AppSchedule:
    """The schedule of this key.

    Raises:
        WorkflowNotFound: there is none, or nobody could keep it.
    """
    for found in schedules_in(app):
        if found.key == key:
            return found
    raise WorkflowNotFound("The app declares no schedule of this key that can be kept")


def zone_of(schedule: Schedule) -> tzinfo:
    """Where the schedule's clock hangs."""
    found = find_zone(schedule.time_zone) if schedule.time_zone else None
    if found is not None:
        return found
    import tzlocal  # noqa: PLC0415 - asked by schedules without a zone alone

    if sys.platform != "win32":
        time.tzset()
    try:
        # As it is now: who asks once gets that of the process's start, and a computer travels.
        return tzlocal.reload_localzone()
    except (LookupError, ValueError, OSError):
        _log.warning("nobody says in which time zone this computer is; UTC is taken")
        return UTC


def told_start(start: Start) -> ScheduledStart:
    """What became of a moment, for whoever asks."""
    return ScheduledStart(
        due_at=moment(start.due_ms),
        trigger=start.trigger,
        outcome=start.outcome,
        workflow_run_id=start.run_id,
        missed=start.missed,
        has_more_missed=start.has_more,
        missed_since=None if start.since_ms is None else moment(start.since_ms),
        code=start.code,
        message=start.message,
    )
