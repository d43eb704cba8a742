"""What the guide says that a page has and has not, tried in a real engine: its table must not go stale (ours)."""

from tests.shell.conftest import ShowApp

PAGE = (
    '<!doctype html><body><button id="b" onclick="globalThis.clicked = 1"></button>'
    '<script>globalThis.inline = 1</script><script type="module" src="/app.js"></script>'
)
SCRIPT = """
const out = {};
const limit = work => Promise.race([work, new Promise(done => setTimeout(() => done("hangs"), 20000))]);
const probe = async (name, work) => { try { out[name] = await limit(work()); } catch { out[name] = false; } };
const works = make => new Promise((done, fail) => { const worker = make(); worker.onmessage = () => done(true); worker.onerror = fail; });
const blob = () => URL.createObjectURL(new Blob(["postMessage(1)"], {type: "text/javascript"}));
await probe("service worker", async () => !!await navigator.serviceWorker.register("/worker.js"));
await probe("OPFS", async () => !!await navigator.storage.getDirectory());
await probe("eval", async () => eval("1") === 1);
await probe("new Function", async () => new Function("return 1")() === 1);
await probe("inline handler", async () => { document.getElementById("b").click(); return !!globalThis.clicked; });
await probe("data: worker", () => works(() => new Worker("data:text/javascript,postMessage(1)")));
await probe("cookie", async () => { document.cookie = "a=b"; return !!document.cookie; });
await probe("window.open", async () => !!window.open("https://example.org"));
await probe("SharedArrayBuffer", async () => typeof SharedArrayBuffer !== "undefined");
await probe("inline script", async () => !!globalThis.inline);
await probe("worker", () => works(() => new Worker("/worker.js")));
await probe("blob: worker", () => works(() => new Worker(blob())));
await probe("localStorage", async () => { localStorage.setItem("a", "b"); return localStorage.getItem("a") === "b"; });
await probe("IndexedDB", () => new Promise((done, fail) => { const open = indexedDB.open("x"); open.onsuccess = () => done(true); open.onerror = fail; }));
await probe("WebAssembly", async () => !!await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])));
await probe("BroadcastChannel", async () => !!new BroadcastChannel("x"));
parent.postMessage(out, "*");
"""
HAS_NOT = {
    "service worker",
    "OPFS",
    "eval",
    "new Function",
    "inline handler",
    "data: worker",
    "cookie",
    "window.open",
    "SharedArrayBuffer",
}


def test_a_page_has_what_the_guide_says(show_app: ShowApp) -> None:
    files = {"index.html": PAGE, "app.js": SCRIPT, "worker.js": "postMessage(1)"}
    found = show_app(files).say()
    assert {name for name, is_there in found.items() if is_there is not True} == HAS_NOT
