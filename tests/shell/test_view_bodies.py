"""Values and streams as a page fetches them from its own origin, in a real engine (ours)."""

import json

from tests.shell.conftest import ShowApp, ShownApp

PAGE = '<!doctype html><script type="module" src="/app.js"></script>'
HEAR_PATH = (
    'const heard = new Promise(done => addEventListener("message", e => done(e.data), {once: true}));'
    'parent.postMessage("ready", "*"); const path = await heard;'
)
READ_LINES = (
    "const reader = (await fetch(path)).body.pipeThrough(new TextDecoderStream()).getReader();"
    'parent.postMessage("open", "*"); let text = "";'
    "for (;;) { const {value, done} = await reader.read(); if (done) break; text += value;"
    '  if (text.endsWith("pause\\n")) parent.postMessage("paused", "*"); }'
    'parent.postMessage(text.split("\\n").length, "*");'
)


def show(show_app: ShowApp, script: str) -> ShownApp:
    shown = show_app({"index.html": PAGE, "app.js": HEAR_PATH + script})
    shown.hear()
    return shown


def test_a_value_is_fetched_once_by_its_path(show_app: ShowApp) -> None:
    shown = show(
        show_app,
        "const value = await (await fetch(path)).json();"
        "const said = [value.big.length, await fetch(path).then(() => 'there', () => 'gone')];"
        'parent.postMessage(said, "*");',
    )
    path = shown.view.bodies.offer(json.dumps({"big": "x" * 2_000_000}).encode())
    shown.view.post(json.dumps(path))
    assert shown.say(2) == [2_000_000, "gone"]


def test_a_stream_is_read_while_it_is_written_until_its_end(show_app: ShowApp) -> None:
    shown = show(show_app, READ_LINES)
    stream = shown.view.bodies.open_stream()
    shown.view.post(json.dumps(stream.path))
    assert shown.say(2) == "open"
    assert stream.write(b"pause\n")
    assert shown.say(3) == "paused"
    for _ in range(10_000):
        assert stream.write(b'{"type":"event"}\n')
    stream.finish()
    assert shown.say(4) == 10_002


def test_a_page_that_stops_reading_ends_the_stream(show_app: ShowApp) -> None:
    shown = show(
        show_app,
        "const control = new AbortController(); await fetch(path, {signal: control.signal});"
        'parent.postMessage("open", "*"); control.abort();',
    )
    stream = shown.view.bodies.open_stream()
    shown.view.post(json.dumps(stream.path))
    shown.hear(2)
    shown.wait(lambda: not stream.is_open)


def test_a_range_of_a_stream_does_no_harm(show_app: ShowApp) -> None:
    shown = show(
        show_app,
        'fetch(path, {headers: {Range: "bytes=5000-"}}).then(a => a.text()).catch(() => "refused")'
        '.then(text => parent.postMessage(text, "*"));',
    )
    stream = shown.view.bodies.open_stream()
    shown.view.post(json.dumps(stream.path))
    shown.wait(lambda: not stream.is_open or stream.unread == 0)
    stream.write(b"line\n")
    stream.finish()
    assert shown.say(2) in {"line\n", "refused", ""}


def test_loading_again_ends_what_was_being_read(show_app: ShowApp) -> None:
    shown = show(show_app, READ_LINES)
    stream = shown.view.bodies.open_stream()
    shown.view.post(json.dumps(stream.path))
    shown.hear(2)
    shown.view.load()
    assert not stream.is_open
    assert shown.say(3) == "ready"
