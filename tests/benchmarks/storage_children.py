"""The two ways to a value in a file that the data benchmark compares: each a page in a process of its own.

`bridge`: lime.storage from the page through the bridge, policy and the App Server to its file. `floor`: the same
statements by sqlite3 in a slot of a raw web channel, with nothing asked and nothing checked.
"""

import asyncio
import json
import sqlite3
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Slot

from lime_desktop.host.app_server_client.registration import AppRegistration
from lime_desktop.host.app_server_client.sidecar import Sidecar, app_server_command
from lime_desktop.host.app_server_client.supervisor import AppServerSupervisor, Running
from tests.benchmarks.bridge_children import (
    BRIDGE_APP,
    Measure,
    open_channel,
    open_tab,
    run_in_window,
    surroundings,
    write_app,
)

DECLARED = """requires:
  capabilities: {lime.storage: '>=0.3.0'}
storage: {namespace: bench}
"""
MEASURE = """
const middle = a => a.sort((x, y) => x - y)[a.length >> 1];
async function usual(work) {
  for (let n = 0; n < 50; n++) await work(n);
  const times = [];
  for (let n = 0; n < 500; n++) { const from = performance.now(); await work(n); times.push(performance.now() - from); }
  return middle(times);
}
async function measure() {
  const last = await get("missing");
  if (last.ok === false) throw new Error(JSON.stringify(last));
  return {set: await usual(n => set("k", n)), get: await usual(() => get("k"))};
}
"""
BRIDGE_CALLS = """
const set = (key, value) => invoke("lime.storage", "set", {key, value});
const get = key => invoke("lime.storage", "get", {key});
"""
FLOOR_CALLS = """
const set = (key, value) => ask(slot.set, {key, value});
const get = key => ask(slot.get, {key});
"""


class Statements(QObject):
    """What a person would write who wants a value kept, and nothing else."""

    def __init__(self, file: Path) -> None:
        super().__init__()
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


async def measure_floor(folder: Path) -> Any:
    heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    script = FLOOR_CALLS + MEASURE.replace("last.ok", "last?.ok")
    shown = open_channel(heard, Statements(folder / "bare.db"), script)
    result = await heard
    del shown
    return result


async def measure_bridge(folder: Path) -> Any:
    """The page, the host and the App Server as a process of its own."""
    heard: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    around = surroundings(folder)
    around.shelf.add([write_app(folder / "bench", BRIDGE_APP % (BRIDGE_CALLS + MEASURE), DECLARED)])
    command = app_server_command(folder / "app-server")
    registration = AppRegistration(around.shelf)
    server = AppServerSupervisor(lambda: Sidecar.start(command), prepare=registration.introduce)
    started = asyncio.Event()
    server.watch(lambda state: started.set() if isinstance(state, Running) else None)
    server.start()
    await started.wait()
    shown = open_tab(heard, folder, around, server.call)
    result = await heard
    del shown
    await server.stop()
    return result


MEASURES: Mapping[str, Measure] = {"floor": measure_floor, "bridge": measure_bridge}

if __name__ == "__main__":
    run_in_window(MEASURES[sys.argv[1]])
