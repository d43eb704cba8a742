"""A real page in a real engine: what reaches the host, and what does not (the standard: host-controlled containers)."""

import json
import os
import signal
import socket
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from lime_desktop.host.bridge.limits import BridgeLimits
from tests.shell.conftest import ShowApp

PAGE = '<!doctype html><script type="importmap">{"imports":{"lib":"/lib.js"}}</script><script type="module" src="/app.js"></script>'


def app(script: str, **others: str) -> dict[str, str]:
    return {"index.html": PAGE, "lib.js": "export const answer = 42;", "app.js": script, **others}


def test_the_first_message_of_an_app_arrives(show_app: ShowApp) -> None:
    shown = show_app(app('parent.postMessage({type: "app:ready"}, "*");'))
    assert json.loads(shown.hear()[0]) == {"type": "app:ready"}


@pytest.mark.requirement("APP-28", "APP-30", "APP-52")
def test_a_page_has_a_real_parent_and_sees_nothing_of_the_host(show_app: ShowApp) -> None:
    shown = show_app(
        app(
            'parent.postMessage([parent !== self, typeof qt, typeof QWebChannel, location.origin], "*");'
        )
    )
    assert json.loads(shown.hear()[0]) == [True, "undefined", "undefined", "lime-app://demo"]


@pytest.mark.requirement("APP-24")
def test_an_answer_comes_from_the_parent_and_its_origin(show_app: ShowApp) -> None:
    shown = show_app(
        app(
            'addEventListener("message", e => parent.postMessage([e.source === parent, e.origin, e.data], "*"));'
            'parent.postMessage("hello", "*");'
        )
    )
    shown.hear()
    shown.view.post('{"n": 1}')
    assert json.loads(shown.hear(2)[1]) == [True, "lime-app://demo", {"n": 1}]


def test_modules_import_maps_and_storage_work(show_app: ShowApp) -> None:
    shown = show_app(
        app(
            'import {answer} from "lib"; localStorage.setItem("a", "b");'
            'const r = await fetch("/lib.js", {headers: {Range: "bytes=0-5"}});'
            'parent.postMessage([answer, localStorage.getItem("a"), await r.text()], "*");'
        )
    )
    assert json.loads(shown.hear()[0]) == [42, "b", "export"]


def test_a_route_is_served_by_the_index(show_app: ShowApp) -> None:
    files = app('parent.postMessage(location.pathname, "*"); addEventListener("message", () => 0);')
    shown = show_app(files)
    shown.hear()
    shown.view.open_route("/settings/theme")
    assert json.loads(shown.hear(2)[1]) == "/settings/theme"


@pytest.mark.requirement("APP-24")
def test_a_nested_frame_is_not_heard(show_app: ShowApp) -> None:
    shown = show_app(
        app(
            'const f = document.createElement("iframe"); f.src = "/inner.html"; document.body.append(f);'
            'f.onload = () => parent.postMessage("outer", "*");',
            **{
                "inner.html": "<script src='/inner.js'></script>",
                "inner.js": 'top.postMessage("inner", "*")',
            },
        )
    )
    assert [json.loads(text) for text in shown.hear()] == ["outer"]


def test_a_message_too_large_to_carry_is_named_and_not_carried(show_app: ShowApp) -> None:
    shown = show_app(
        app(
            'parent.postMessage({requestId: "r1", x: "a".repeat(1_100_000)}, "*"); parent.postMessage("after", "*");'
        )
    )
    shown.hear()
    assert [request_id for request_id, _ in shown.oversized] == ["r1"]
    assert json.loads(shown.received[0]) == "after"


@pytest.mark.requirement("APP-30", "APP-60")
def test_other_hosts_windows_and_navigation_are_refused(show_app: ShowApp) -> None:
    shown = show_app(
        app(
            'const tries = [fetch("https://example.com/").then(() => "open", () => "closed")];'
            'tries.push(window.open("https://example.com/") === null ? "closed" : "open");'
            'parent.location = "https://example.com/";'
            'parent.postMessage(await Promise.all(tries), "*");'
        )
    )
    assert json.loads(shown.hear()[0]) == ["closed", "closed"]
    shown.wait(lambda: ("navigation", "https://example.com/") in shown.refused)


@pytest.mark.requirement("APP-54", "APP-60")
def test_files_and_ports_of_this_machine_are_out_of_reach(
    show_app: ShowApp, tmp_path: Path
) -> None:
    """The standard: no direct access to files and network, and no way to a sidecar's transport."""
    secret = tmp_path / "secret.txt"
    secret.write_text("private")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        port = server.getsockname()[1]
        addresses = [secret.as_uri(), f"http://127.0.0.1:{port}/", f"http://localhost:{port}/"]
        shown = show_app(
            app(
                f"const tries = {json.dumps(addresses)}.map("
                'address => fetch(address, {mode: "no-cors"}).then(() => "open", () => "closed"));'
                "tries.push(new Promise(done => {"
                f'const live = new WebSocket("ws://127.0.0.1:{port}/");'
                'live.onopen = () => done("open"); live.onerror = () => done("closed"); }));'
                "tries.push(typeof require, typeof process);"
                'parent.postMessage(await Promise.all(tries), "*");'
            )
        )
        assert json.loads(shown.hear()[0]) == [*["closed"] * 4, "undefined", "undefined"]
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_killed_renderer_is_told_and_comes_back_by_loading_again(show_app: ShowApp) -> None:
    shown = show_app(app('parent.postMessage("up", "*");'))
    shown.hear()
    os.kill(shown.view.page().renderProcessPid(), signal.SIGKILL)
    shown.wait(lambda: bool(shown.ended))
    shown.view.load()
    assert [json.loads(text) for text in shown.hear(2)] == ["up", "up"]


@pytest.mark.requirement("APP-44")
def test_two_apps_share_no_storage(show_app: ShowApp) -> None:
    script = 'const had = localStorage.getItem("x"); localStorage.setItem("x", "1"); parent.postMessage(had, "*");'
    first, second = show_app(app(script)), show_app(app(script), "other")
    assert json.loads(first.hear()[0]) is None
    assert json.loads(second.hear()[0]) is None


def test_thousands_of_messages_arrive_in_order(show_app: ShowApp) -> None:
    shown = show_app(
        app(
            'let n = 0; addEventListener("message", e => { if (e.data !== n++) parent.postMessage("lost", "*");'
            'if (n === 5000) parent.postMessage("all", "*"); }); parent.postMessage("ready", "*");'
        )
    )
    shown.hear()
    for number in range(5000):
        shown.view.post(str(number))
    assert json.loads(shown.hear(2)[1]) == "all"


def test_a_flood_is_refused_in_the_page_and_answered(show_app: ShowApp) -> None:
    """Ours: past the rate every message gets the stable error at once, and the window hears only how many there were."""
    script = """
const refused = [];
addEventListener("message", ({data: {type, requestId, entryKey, payload}}) => {
  refused.push([type, requestId, entryKey, payload.details.appErrorCode]);
  if (refused.length === 40) console.log(JSON.stringify(refused));
});
for (let n = 0; n < 50; n++) parent.postMessage({requestId: `r${n}`, entryKey: "home"}, "*");
"""
    shown = show_app(app(script), limits=BridgeLimits(messages_per_second=0, burst_messages=10))
    shown.wait(lambda: sum(shown.flooded) == 40 and bool(shown.console))
    carried = [json.loads(text)["requestId"] for text in shown.hear(10)]
    assert carried == [f"r{n}" for n in range(10)]
    assert [json.loads(line) for line in shown.console] == [
        [["host:error", f"r{n}", "home", "APP_E019"] for n in range(10, 50)]
    ]


@pytest.mark.requirement("APP-30", "APP-60")
@pytest.mark.parametrize("by", ["host", "page"])
def test_a_page_that_tried_to_leave_can_be_loaded_again(show_app: ShowApp, by: str) -> None:
    """A bug demands it: the engine forgot the relay with the navigation that was refused, and the view stayed empty."""
    shown = show_app(
        app(
            'addEventListener("message", e => e.data === "leave" ? (top.location = "https://example.com/")'
            ' : top.location.reload()); parent.postMessage("ready", "*");'
        )
    )
    shown.hear()
    for loads in (2, 3):
        refused = len(shown.refused)
        with shown.waits_for_load():
            shown.view.post('"leave"')
        assert shown.refused[refused:] == [("navigation", "https://example.com/")]
        if by == "host":
            shown.view.load()
        else:
            shown.view.post('"again"')
        assert shown.hear(loads)[loads - 1] == '"ready"'
        assert shown.view.page().url().toString() == "lime-app://demo/__lime__/frame.html"


def test_a_page_can_be_loaded_again_while_it_is_still_being_kept_from_leaving(
    show_app: ShowApp,
) -> None:
    """A bug demands it: loaded between the refusal and its end, the view stayed empty one time in ten."""
    shown = show_app(
        app('parent.postMessage("ready", "*"); top.location = "https://example.com/";')
    )

    def load_again(_guard: str, _address: str) -> None:
        QTimer.singleShot(0, shown.view.load)

    shown.view.refused.connect(load_again)
    shown.hear(12)
    assert set(shown.received) == {'"ready"'}


def test_answers_that_nobody_reads_wait_outside_the_host(show_app: ShowApp) -> None:
    """Ours: a page may ask for a large file again and again, and read none of them."""
    large = "x" * (20 * 1024 * 1024)
    shown = show_app(
        app(
            "const control = new AbortController(); globalThis.kept = []; let opened = 0;"
            'for (let n = 0; n < 60; n++) fetch("/large.txt?" + n, {signal: control.signal}).then('
            '  r => { kept.push(r); parent.postMessage("open", "*"); }, () => 0);'
            'addEventListener("message", async () => { control.abort(); kept = [];'
            '  parent.postMessage((await (await fetch("/large.txt")).text()).length, "*"); });',
            **{"large.txt": large},
        )
    )
    requests = shown.view._profile.requests
    shown.wait(lambda: not requests.has_room)
    assert requests.unread_bytes <= 148 * 1024 * 1024
    assert len(shown.received) < 20
    shown.view.post('"stop"')
    shown.wait(lambda: str(len(large)) in shown.received)
    shown.wait(lambda: requests.unread_bytes == 0 and requests.count == 0)
