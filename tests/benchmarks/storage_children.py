"""The two ways to values and rows in a file that the data benchmark compares: each a page in a process of its own.

`bridge`: lime.storage from the page through the bridge, policy and the App Server to its file. `floor`: the same
statements by sqlite3 in a slot of a raw web channel, with nothing asked and nothing checked. The second argument is a
file of an app that has the rows; each way works on a link of its own to it.
"""

import asyncio
import json
import sqlite3
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Slot

from lime_desktop.file_names import stored_name
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from lime_desktop.host.apps.registration import AppRegistration
from lime_desktop.protocol.ids import AppId
from tests.benchmarks.bridge_children import (
    BRIDGE_APP,
    CLOCK,
    Measure,
    make_services,
    open_channel,
    open_tab,
    run_in_window,
    write_app,
)

DECLARED = """requires:
  capabilities: {lime.storage: '>=0.3.0'}
storage: {namespace: bench}
"""
SCHEMA = {
    "tables": [{"name": "note"}],
    "indexes": [{"table": "note", "fields": ["status", "rank"]}],
}
ROWS_BY_INDEX = """SELECT id, body, version, updated_at FROM note
    WHERE json_extract(body, '$."status"') = ?
    ORDER BY json_extract(body, '$."rank"'), id LIMIT 101"""
MEASURE = (
    CLOCK
    + """
async function usual(name, work, rounds = 500) {
  await timed(rounds / 10, work);
  await mark(`${name} begins`);
  const {p50} = await timed(rounds, work);
  await mark(`${name} ends`);
  return p50;
}
async function measure() {
  const last = await get("missing");
  if (last.ok === false) throw new Error(JSON.stringify(last));
  const page = await query("s7");
  if ((page.payload?.value ?? page).rows?.length !== 100) throw new Error(JSON.stringify(page).slice(0, 500));
  return {set: await usual("set", n => set("k", n)), get: await usual("get", () => get("k")),
    query: await usual("query", n => query(`s${n}`), 200)};
}
"""
)
BRIDGE_CALLS = """
const set = (key, value) => invoke("lime.storage", "set", {key, value});
const get = key => invoke("lime.storage", "get", {key});
const query = status => invoke("lime.storage", "tableQuery", {table: "note", where: {status}, orderBy: [{field: "rank"}]});
"""
FLOOR_CALLS = """
const set = (key, value) => ask(slot.set, {key, value});
const get = key => ask(slot.get, {key});
const query = status => ask(slot.query, {status});
"""


class Statements(QObject):
    """What a person would write who wants a value kept, and nothing else."""

    def __init__(self, file: Path, rows: Path) -> None:
        super().__init__()
        self._rows = sqlite3.connect(rows, isolation_level=None)
        self._file = sqlite3.connect(file, isolation_level=None)
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=FULL")
        self._file.execute("CREATE TABLE entry (key TEXT PRIMARY KEY, value TEXT)")

    @Slot(str, result=str)
    def set(self, text: str) -> str:
        asked = json.loads(text)
        row = (asked["key"], json.dumps(asked["value"]))
        self._file.execute("INSERT OR REPLACE INTO entry VALUES (?, ?)", row)
        return "true"

    @Slot(str, result=str)
    def get(self, text: str) -> str:
        key = (json.loads(text)["key"],)
        found = self._file.execute("SELECT value FROM entry WHERE key = ?", key).fetchone()
        return found[0] if found else "null"

    @Slot(str, result=str)
    def query(self, text: str) -> str:
        found = self._rows.execute(ROWS_BY_INDEX, (json.loads(text)["status"],)).fetchmany(100)
        return json.dumps({"rows": [{"id": row[0], "row": json.loads(row[1])} for row in found]})


async def measure_floor(folder: Path) -> Any:
    heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    script = FLOOR_CALLS + MEASURE.replace("last.ok", "last?.ok")
    shown = open_channel(heard, Statements(folder / "bare.db", _rows(folder / "rows.db")), script)
    result = await heard
    del shown
    return result


async def measure_bridge(folder: Path) -> Any:
    """The page, the host and the App Server as a process of its own."""
    heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    services = make_services(folder)
    package = write_app(folder / "bench", BRIDGE_APP % (BRIDGE_CALLS + MEASURE), DECLARED)
    (package / "storage").mkdir()
    (package / "storage/schema.json").write_text(json.dumps(SCHEMA), "utf-8")
    services.registry.add([package])
    _rows(folder / "app-server/apps" / stored_name(AppId("bench"), ".db"))
    command = app_server_command(folder / "app-server")
    registration = AppRegistration(services.registry)
    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=registration.introduce)
    started = asyncio.Event()
    server.watch(lambda state: started.set() if isinstance(state, Running) else None)
    server.start()
    await started.wait()
    shown = open_tab(heard, folder, services, server.call)
    result = await heard
    del shown
    await server.stop()
    return result


def _rows(target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.hardlink_to(sys.argv[2])
    return target


MEASURES: Mapping[str, Measure] = {"floor": measure_floor, "bridge": measure_bridge}

if __name__ == "__main__":
    run_in_window(MEASURES[sys.argv[1]])
