"""What a bundle may be made of, in a real engine (the standard: a UI bundle is a web app on an origin of its own)."""

import base64
from pathlib import Path

import pytest

from tests.shell.conftest import ShowApp

PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/app.js"></script>'
TELL = 'parent.postMessage(said, "*");'
# (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
WASM = base64.b64decode("AGFzbQEAAAABBwFgAn9/AX8DAgEABwcBA2FkZAAACgkBBwAgACABags=")


def app(script: str, **others: str | bytes) -> dict[str, str | bytes]:
    return {"index.html": PAGE, "app.js": script, **others}


@pytest.mark.parametrize(
    ("byte_range", "expected"),
    [
        ("bytes=0-3", [206, "0123"]),
        ("bytes=5-9", [206, "56789"]),
        ("bytes=-3", [206, "hij"]),
        ("bytes=15-", [206, "fghij"]),
        ("bytes=0-999", [206, "0123456789abcdefghij"]),
    ],
)
def test_a_range_of_a_file_is_cut_out(
    show_app: ShowApp, byte_range: str, expected: list[object]
) -> None:
    script = (
        f'const a = await fetch("/data.txt", {{headers: {{Range: "{byte_range}"}}}});'
        f"const said = [a.status, await a.text()]; {TELL}"
    )
    assert show_app(app(script, **{"data.txt": "0123456789abcdefghij"})).say() == expected


def test_ranges_that_cannot_be_met_leave_the_program_alive(show_app: ShowApp) -> None:
    """A bug: the engine crashes where such a range meets a body, and takes every app along."""
    script = (
        "const said = [];"
        'for (const path of ["/data.txt", "/", "/missing.txt", "/__lime__/frame.html"])'
        '  for (const range of ["bytes=5000-", "bytes=9-5", "bytes=-0", "bytes=0-1,3-4", "junk"]) {'
        '    for (const name of ["Range", "range", "rANGE"]) {'
        "      const asked = fetch(path, {headers: {[name]: range}});"
        '      said.push(await asked.then(a => a.text()).catch(() => ""));'
        '      const x = new XMLHttpRequest(); x.open("GET", path, false);'
        "      x.setRequestHeader(name, range);"
        '      try { x.send(); said.push(x.responseText); } catch { said.push(""); } }'
        "  }"
        f"{TELL}"
    )
    assert show_app(app(script, **{"data.txt": "0123456789"})).say() == [""] * 120


def test_wasm_workers_and_fonts_run(show_app: ShowApp) -> None:
    script = (
        'const {instance} = await WebAssembly.instantiateStreaming(fetch("/add.wasm"));'
        'const worker = new Worker("/worker.js", {type: "module"});'
        "const told = await new Promise(done => { worker.onmessage = e => done(e.data); });"
        'const font = new FontFace("own", "url(/none.woff2)");'
        'const met = await fetch("/own.woff2").then(a => a.headers.get("content-type"));'
        "await font.load().catch(() => 0);"
        f"const said = [instance.exports.add(2, 3), told, met, document.fonts.status]; {TELL}"
    )
    files: dict[str, str | bytes] = {
        "add.wasm": WASM,
        "worker.js": 'import {word} from "/lib.js"; postMessage(word);',
        "lib.js": 'export const word = "from the worker";',
        "own.woff2": b"wOF2",
    }
    assert show_app(app(script, **files)).say() == [5, "from the worker", "font/woff2", "loaded"]


def test_local_storage_and_databases_stay_when_everything_is_closed(show_app: ShowApp) -> None:
    script = (
        'const open = () => new Promise(done => { const r = indexedDB.open("d", 1);'
        'r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = () => done(r.result); });'
        "const db = await open();"
        'const get = () => new Promise(done => { const r = db.transaction("s").objectStore("s").get("k"); r.onsuccess = () => done(r.result ?? null); });'
        'const said = [localStorage.getItem("k"), await get()];'
        'localStorage.setItem("k", "kept");'
        'await new Promise(done => { const t = db.transaction("s", "readwrite", {durability: "strict"});'
        't.objectStore("s").put("kept too", "k"); t.oncomplete = done; });'
        f"{TELL}"
    )
    first = show_app(app(script))
    assert first.say() == [None, None]
    first.close()
    assert show_app(app(script)).say() == ["kept", "kept too"]


def test_two_views_of_one_app_share_what_it_stored(show_app: ShowApp) -> None:
    script = f'const said = localStorage.getItem("k"); localStorage.setItem("k", "here"); {TELL}'
    assert show_app(app(script)).say() is None
    assert show_app(app(script), route="/other").say() == "here"


def test_the_sdk_is_at_its_fixed_path(show_app: ShowApp, repository: Path) -> None:
    script = f'const said = (await (await fetch("/__lime__/sdk/lime-app-sdk.d.ts")).text()).length; {TELL}'
    types = (repository / "resources/sdk/lime-app-sdk.d.ts").read_text("utf-8")
    assert show_app(app(script)).say() == len(types)


def test_a_missing_file_is_named_to_the_host(show_app: ShowApp) -> None:
    shown = show_app(app('import "/gone.js";'))
    shown.wait(lambda: "/gone.js" in shown.missed)
