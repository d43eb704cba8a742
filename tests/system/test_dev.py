"""From nothing to an own app that is shown as it is saved: `new`, `dev`, edit, Ctrl+C (ours)."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from lime_desktop.developer.new_app import new_app
from lime_desktop.developer.template import Template
from lime_desktop.resources import resources_folder
from tests.system.small_dev_server import SmallDevServer

pytest.importorskip("PySide6.QtWebEngineCore")
pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(300),
    pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C is a signal of Unix"),
]

ROOT = Path(__file__).parents[2]
WAIT_S = 120
Event = dict[str, Any]
TALKING = """import { getLimeRuntime } from "/__lime__/sdk/index.js";
const lime = await getLimeRuntime();
// The page may be open before the App Server is.
const keep = (key, value) =>
  lime.storage.set({ key, value }).catch(() => new Promise((go) => setTimeout(go, 100)).then(() => keep(key, value)));
const request = new XMLHttpRequest();
request.open("GET", "/data.json");
request.responseType = "json";
request.onload = async () => {
  await keep("asked", request.response.word);
  const socket = new WebSocket("SOCKET", "hmr");
  socket.onopen = () => socket.send(`asked ${request.response.word}`);
  socket.onmessage = async ({ data }) => {
    new Worker("/worker.js");
    await keep("heard", data);
    socket.send(`kept ${data}`);
  };
};
request.send();
"""


class DevProcess:
    """`lime-desktop dev` without a screen, and what it prints."""

    def __init__(self, home: Path, *arguments: str) -> None:
        own = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
        # Where Chromium's sandbox cannot be on, a person is asked first, and here is none.
        environment = {
            **own,
            "PYTHONPATH": str(ROOT),
            "HOME": str(home),
            "QTWEBENGINE_DISABLE_SANDBOX": "1",
        }
        command = [sys.executable, "-m", "lime_desktop", "dev", *arguments]
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [*command, "--headless", "--fresh", "--json"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._told: Queue[Event] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, kind: str, is_it: Callable[[Event], bool] = lambda _: True) -> Event:
        """The next event of a kind that fits; what comes before it is passed over."""
        while True:
            event = self._told.get(timeout=WAIT_S)
            if event["event"] == kind and is_it(event):
                return event

    def interrupt(self) -> int:
        """Press Ctrl+C, and give the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(WAIT_S)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._told.put(json.loads(line))


@pytest.fixture
def app(tmp_path: Path) -> Path:
    new_app(tmp_path / "my-notes", Template.PLAIN, resources_folder())
    return tmp_path / "my-notes"


@pytest.fixture
def dev(app: Path, tmp_path: Path) -> Iterator[Callable[..., DevProcess]]:
    started: list[DevProcess] = []

    def start(*arguments: str) -> DevProcess:
        started.append(DevProcess(tmp_path, str(app), *arguments))
        return started[-1]

    yield start
    for each in started:
        each.end()


def test_a_new_app_is_open_and_what_is_saved_is_on_screen(
    app: Path, dev: Callable[..., DevProcess]
) -> None:
    process = dev()
    opened = process.wait_for("opened")
    assert (opened["appId"], opened["granted"]) == ("my-notes", ["keep-items"])
    script = app / "dist/ui/app.js"
    whole = script.read_text()
    script.write_text(whole + "\nundefined.broken;\n")
    broken = process.wait_for("problems", lambda event: bool(event["problems"]))
    line = whole.count("\n") + 2
    [problem] = broken["problems"]
    assert (problem["file"], problem["line"]) == ("dist/ui/app.js", line)
    script.write_text(whole)
    process.wait_for("problems", lambda event: not event["problems"])
    reloaded = process.wait_for("reloaded")
    assert (reloaded["files"], reloaded["how"]) == (["dist/ui/app.js"], "page")
    assert process.interrupt() == 0


@pytest.mark.parametrize(
    ("written", "reloader"), [("localhost", "127.0.0.1"), ("127.0.0.1", "localhost")]
)
def test_a_dev_server_stands_behind_the_apps_own_origin(
    dev: Callable[..., DevProcess], written: str, reloader: str
) -> None:
    server = SmallDevServer()
    port = server.authority.rpartition(":")[2]
    socket = f"ws://{reloader}:{port}"
    server.files = {
        "/": ("text/html", '<!doctype html><script type="module">import "/src/main.js";</script>'),
        "/src/word.js": ("text/javascript", "export const word = 'hot';"),
        "/src/main.js": (
            "text/javascript",
            f"""
            const socket = new WebSocket("{socket}/?token=1", "hmr");
            socket.onmessage = async ({{ data }}) => {{
              const {{ word }} = await import(`/src/word.js?t=${{data}}`);
              socket.send(`${{word}} at ${{location.origin}}`);
              new WebSocket("ws://localhost:1/");
            }};
            """,
        ),
    }
    process = dev("--url", f"http://{written}:{port}")
    assert process.wait_for("opened")["devServer"] == f"http://{written}:{port}"
    assert server.heard.get(timeout=WAIT_S) == "open from lime-app://my-notes"
    server.push("7")
    assert server.heard.get(timeout=WAIT_S) == "hot at lime-app://my-notes"
    assert [path for path, _ in server.asked] == ["/", "/src/main.js", "/src/word.js?t=7"]
    assert server.asked[0][1].startswith("text/html")
    # Exactly that one socket: any other of this machine is refused, and said so.
    told = process.wait_for("problems", lambda event: bool(event["problems"]))
    assert [each["code"] for each in told["problems"]] == ["POLICY_BLOCKED"]
    assert "ws://localhost:1/" in told["problems"][0]["message"]
    assert process.interrupt() == 0
    server.close()


def test_requests_and_sockets_of_a_recorded_session_are_played_again(
    app: Path, dev: Callable[..., DevProcess], tmp_path: Path
) -> None:
    server, recording = SmallDevServer(), tmp_path / "session.jsonl"
    bundle = {
        "index.html": '<!doctype html><script type="module" src="/main.js"></script>',
        "data.json": '{"word": "limes"}',
        "worker.js": "postMessage(1);",
        "main.js": TALKING.replace("SOCKET", f"ws://{server.authority}/"),
    }
    kinds = {"html": "text/html", "json": "application/json", "js": "text/javascript"}
    for name, text in bundle.items():
        (app / "dist/ui" / name).write_text(text)
        path = "/" if name == "index.html" else f"/{name}"
        server.files[path] = (kinds[name.rpartition(".")[2]], text)
    process = dev("--url", f"http://{server.authority}", "--record", str(recording))
    said = [server.heard.get(timeout=WAIT_S) for _ in range(2)]
    server.push("fresh")
    said.append(server.heard.get(timeout=WAIT_S))
    assert said == ["open from lime-app://my-notes", "asked limes", "kept fresh"]
    assert process.interrupt() == 0
    server.close()
    replayed = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "lime_desktop", "replay", recording, app, "--json"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=WAIT_S,
    )
    assert replayed.stdout, replayed.stderr
    outcome = json.loads(replayed.stdout)
    assert outcome["difference"] is None, outcome
    assert [each["code"] for each in outcome["notCovered"]] == ["WORKER_NOT_RECORDED"]
    kept = '"method":"set","input":{"key":"heard","value":"fresh"}'
    assert kept in recording.read_text("utf-8")
