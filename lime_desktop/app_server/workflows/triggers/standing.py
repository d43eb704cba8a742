"""How a trigger of an app stands: what is declared, what is known of it, and whether it may start anything. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from lime_desktop.app_package.triggers import DeclaredTrigger
from lime_desktop.app_server.apps.registered import RegisteredApp
from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.app_server.workflows.schedules.standing import told_start
from lime_desktop.app_server.workflows.triggers.ledger import KeptTrigger, TriggerTerms
from lime_desktop.protocol.errors import WorkflowNotFound
from lime_desktop.protocol.schedules import ScheduleState
from lime_desktop.protocol.triggers import EventTrigger, TriggerNeed
from lime_desktop.workflow_model.triggers.trigger import Trigger, TriggerKind

_READY = frozenset({"ready", "ready-degraded"})


@dataclass(frozen=True, slots=True)
class AppTrigger:
    """A sound trigger of an app that the host told of."""

    app: RegisteredApp
    declared: DeclaredTrigger
    trigger: Trigger

    @property
    def key(self) -> str:
        """Its name in the app."""
        return self.declared.key

    @property
    def workflow_key(self) -> str:
        """What it starts."""
        return self.declared.workflow.key

    @property
    def terms(self) -> TriggerTerms:
        """What a person would agree to."""
        return TriggerTerms(self.workflow_key, self.trigger.words)

    def state(self, kept: KeptTrigger) -> ScheduleState:
        """Whether a person agreed, and to what is declared now. To an earlier installation means to none."""
        installed = self.app.registration.installed_at_ms
        if kept.agreed is None or kept.installed_at_ms != installed:
            return "off"
        if kept.agreed != self.terms:
            return "changed"
        return "paused" if kept.is_paused else "on"

    def told(
        self, kept: KeptTrigger, folders: tuple[str, ...], needs: TriggerNeed | None
    ) -> EventTrigger:
        """The same for whoever asks."""
        definition, state = self.declared.workflow.described.definition, self.state(kept)
        return EventTrigger(
            app_id=self.app.app_id,
            key=self.key,
            title=self.declared.title,
            workflow_key=self.workflow_key,
            workflow_title=(definition and definition.title) or self.workflow_key,
            on=self.trigger.kind,
            names=self.trigger.names,
            is_table=self.trigger.is_table,
            changes=tuple(sorted(self.trigger.changes)),
            folders=folders,
            needs=needs,
            state=state,
            terms=self.terms.name,
            allowed_at=moment(kept.agreed_at_ms) if state != "off" else None,
            last=told_start(kept.last) if kept.last else None,
        )


@dataclass(frozen=True, slots=True)
class LiveTrigger:
    """A trigger that may start something now."""

    declared: AppTrigger
    kept: KeptTrigger

    @property
    def trigger(self) -> Trigger:
        """What has to happen."""
        return self.declared.trigger

    @property
    def kind(self) -> TriggerKind:
        """Of what kind that is."""
        return self.declared.trigger.kind


def may_start_anything(app: RegisteredApp) -> bool:
    """Whether anything of the app starts by itself now. An app that is not ready yet misses nothing: it waits."""
    return app.registration.keeps_schedules and app.registration.readiness_state in _READY


def triggers_in(app: RegisteredApp) -> Iterator[AppTrigger]:
    """Every trigger of an app that can be heeded."""
    for declared in app.package.triggers:
        if declared.trigger is not None:
            yield AppTrigger(app, declared, declared.trigger)


def trigger_in(app: RegisteredApp, key: str) -> AppTrigger:
    """The trigger of this key.

    Raises:
        WorkflowNotFound: there is none, or nobody could heed it.
    """
    for found in triggers_in(app):
        if found.key == key:
            return found
    raise WorkflowNotFound("The app declares no trigger of this key that can be heeded")
