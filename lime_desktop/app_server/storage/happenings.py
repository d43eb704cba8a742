"""What happened to an app's data, or was told on a topic of it, and is to start a workflow: kept in the app's own file.

A change is written down with the change itself, so that neither is there without the other. Only what some trigger of the
app means is written, and whoever starts workflows takes it away again. What is brought back (an import, a restored
snapshot, an undone change) happened before, and is no event.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import msgspec

from lime_desktop.app_server.runtime_core.identities import new_id
from lime_desktop.app_server.storage.files import AppFiles
from lime_desktop.background.observers import Observers
from lime_desktop.database.connection import Connection
from lime_desktop.protocol.ids import AppId, JsonObject
from lime_desktop.protocol.provenance import Provenance
from lime_desktop.workflow_model.triggers.trigger import Trigger

MOST_WAITING = 5_000
"""Of one app. What happens then is counted, and told as missed."""
_LOST = "lost"


class Happening(NamedTuple):
    """One event that waits."""

    id: str
    kind: str
    at_ms: int
    cause: str | None
    fields: JsonObject
    """What its workflow is told of it; of those that were lost, how many."""

    @property
    def lost(self) -> int:
        """How many events this stands for that there was no room for."""
        count = self.fields.get("count", 0) if self.kind == _LOST else 0
        return count if isinstance(count, int) else 0


class Happenings:
    """Knows which events each app wants, and keeps them."""

    def __init__(self, files: AppFiles, changed: Observers[str]) -> None:
        """Keep events in the files of apps; `changed` tells of every app whose data changed."""
        self._files = files
        self._changed = changed
        self._unsubscribe: Callable[[], None] | None = None
        self.wanted: dict[str, tuple[Trigger, ...]] = {}
        """What each app means, of those that mean anything."""
        self.now_ms: Callable[[], int] = lambda: 0
        """By the clock of whoever starts workflows."""
        self.heard = Observers[str]()
        """Hear of every app of which something may wait."""

    def want(self, app_id: str, triggers: tuple[Trigger, ...]) -> None:
        """Keep what these mean from now on; nothing, where there are none."""
        if not triggers:
            self.wanted.pop(app_id, None)
            return
        self.wanted[app_id] = triggers
        if self._unsubscribe is None:
            self._unsubscribe = self._changed.subscribe(self._look_at)

    def _look_at(self, app_id: str) -> None:
        if app_id in self.wanted:
            self.heard.notify(app_id)

    def note(
        self, connection: Connection, app_id: str, fields: JsonObject, cause: str | None
    ) -> None:
        """Write down what a change of data was, if anybody means it. Within the write that made the change."""
        if any(_means(each, fields) for each in self.wanted.get(app_id, ())):
            _add(connection, "storage", self.now_ms(), fields, cause)

    async def tell_topic(self, app_id: AppId, event_id: str, fields: JsonObject) -> bool:
        """Write down what was told on a topic, and say whether anybody means it."""
        topic = fields["topic"]
        wanted = self.wanted.get(app_id, ())
        if not any(each.kind == "topic" and each.names == topic for each in wanted):
            return False
        at_ms = self.now_ms()
        async with self._files.use(app_id) as database:
            await database.write(
                lambda connection: _add(connection, "topic", at_ms, fields, None, event_id)
            )
        self.heard.notify(app_id)
        return True

    async def waiting(self, app_id: AppId, limit: int) -> tuple[Happening, ...]:
        """The oldest that wait."""
        async with self._files.use(app_id) as database:
            rows = await database.read(
                lambda connection: connection.execute(
                    "SELECT id, kind, at_ms, cause, body_json FROM lime_happening"
                    " ORDER BY number LIMIT ?",
                    (limit,),
                ).fetchall()
            )
        return tuple(
            Happening(name, kind, at_ms, cause, msgspec.json.decode(body))
            for name, kind, at_ms, cause, body in rows
        )

    async def forget(self, app_id: AppId, event_id: str) -> None:
        """It was dealt with."""
        async with self._files.use(app_id) as database:
            await database.write(
                lambda connection: connection.execute(
                    "DELETE FROM lime_happening WHERE id = ?", (event_id,)
                )
            )


def cause_in(provenance: Provenance) -> str | None:
    """What made something happen, where the app's page did not: a run of a workflow, or the task of an agent."""
    return provenance.workflow_run_id or provenance.task_id


def _means(trigger: Trigger, fields: Mapping[str, object]) -> bool:
    change = fields["change"]
    if "table" in fields:
        return trigger.means_row(str(fields["table"]), change)  # pyright: ignore[reportArgumentType] - one of its words
    return trigger.means_key(str(fields["key"]), change)  # pyright: ignore[reportArgumentType] - one of its words


def _add(
    connection: Connection,
    kind: str,
    at_ms: int,
    fields: JsonObject,
    cause: str | None,
    event_id: str | None = None,
) -> None:
    [held] = connection.execute("SELECT count(*) FROM lime_happening").fetchone()
    if held >= MOST_WAITING:
        _count_lost(connection, at_ms)
        return
    body = msgspec.json.encode(fields).decode()
    connection.execute(
        "INSERT INTO lime_happening (id, kind, at_ms, cause, body_json) VALUES (?, ?, ?, ?, ?)",
        (event_id or new_id("event"), kind, at_ms, cause, body),
    )


def _count_lost(connection: Connection, at_ms: int) -> None:
    counted = connection.execute(
        "UPDATE lime_happening SET body_json = json_set(body_json, '$.count', body_json ->> '$.count' + 1)"
        " WHERE kind = ?",
        (_LOST,),
    )
    if counted.rowcount == 0:
        connection.execute(
            "INSERT INTO lime_happening (id, kind, at_ms, body_json) VALUES (?, ?, ?, ?)",
            (new_id("event"), _LOST, at_ms, '{"count":1}'),
        )
