"""Something that happened in an app, wherever it waits: what it is called, which triggers mean it, and what a workflow is told."""

from dataclasses import dataclass
from typing import cast

from lime_desktop.app_server.runtime_core.identities import moment
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.workflow_model.triggers.trigger import Change, Trigger, TriggerKind


@dataclass(frozen=True, slots=True)
class AppEvent:
    """One event."""

    id: str
    """The same in every process: what was started by it is found by it."""
    kind: TriggerKind
    at_ms: int
    fields: JsonObject
    cause: str | None = None
    """The run that made it happen, or the task of an agent, where one did."""
    lost: int = 0
    """How many events it stands for that there was no room for."""

    def is_meant_by(self, trigger: Trigger) -> bool:
        """Whether a trigger waits for such an event."""
        if trigger.kind != self.kind or self.lost:
            return trigger.kind == self.kind
        match self.kind:
            case "storage":
                return self._is_change_for(trigger)
            case "folder":
                return trigger.means_file(str(self.fields["name"]))
            case "topic":
                return trigger.names == self.fields["topic"]
            case "artifact":
                return trigger.names == self.fields["kind"]
            case "webhook":
                return trigger.names == self.fields["integration"]

    def input_for(self, key: str) -> JsonObject:
        """What the workflow is given that a trigger starts by it."""
        name = key.rpartition("/")[2]
        return {"trigger": name, "event": self.kind, "at": moment(self.at_ms), **self.fields}

    def _is_change_for(self, trigger: Trigger) -> bool:
        change = cast("Change", self.fields["change"])
        if "table" in self.fields:
            return trigger.means_row(str(self.fields["table"]), change)
        return trigger.means_key(str(self.fields["key"]), change)
