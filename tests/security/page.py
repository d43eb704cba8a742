"""The hostile app's files: its attempts as a module, and what they share."""

import json
from collections.abc import Iterable

from tests.security.attempts import Attempt

APP_ID = "hostile"
PATIENCE_MS = 1_500

_SHARED = """
const PATIENCE = %(patience)d, TCP = %(tcp)d, UDP = %(udp)d;
const to = name => `http://127.0.0.1:${TCP}/${name}`;
const named = name => `http://${name}.leak.test:${TCP}/`;
const later = () => new Promise(done => setTimeout(done, 60));
const within = promise => Promise.race([promise, new Promise(done => setTimeout(() => done("silent"), PATIENCE))]);
const tell = (kind, value) => console.log(kind + " " + JSON.stringify(value));
const violations = [];
let violated = () => {};
for (const target of [document, parent.document])
  target.addEventListener("securitypolicyviolation", event => { violations.push(event.effectiveDirective); violated(); });
const opened = async address => {
  const w = window.open(address);
  for (let tries = 0; w && !w.closed && tries < 50; tries++) await later();
  return w && !w.closed ? "reached" : "closed"; };
const click = () => new Promise(done => {
  addEventListener("pointerdown", () => done(), {once: true});
  setTimeout(done, 4 * PATIENCE); tell("CLICK", null); });
let asked = 0;
const waiting = new Map();
const envelope = type => ({protocol: "lime.agentApp.bridge", version: 1, type, requestId: `r${++asked}`, appId: "%(app)s"});
const toast = message => ({...envelope("host:toast"), payload: {message}});
const call = (capability, method, input) => ({...envelope("capability:invoke"), payload: {capability, method, input}});
addEventListener("message", ({source, data}) => {
  if (source !== parent) return;
  waiting.get(data.requestId)?.(data.type === "host:error" ? "closed" : "reached"); waiting.delete(data.requestId); });
const ask = message => new Promise(done => { waiting.set(message.requestId, done); parent.postMessage(message, "*"); });
const attempts = {
%(attempts)s
};
const expectsViolation = new Set(%(policy)s), slow = new Set(%(slow)s);
async function run(name) {
  const before = violations.length;
  let outcome;
  try { outcome = await within(attempts[name]()); } catch (error) { outcome = `${error?.name}: ${error?.message}`; }
  if (expectsViolation.has(name) && violations.length === before)
    await Promise.race([new Promise(done => { violated = done; }), new Promise(done => setTimeout(done, 4 * PATIENCE))]);
  tell("REPORT", {name, outcome: String(outcome), violations: violations.slice(before)});
}
parent.postMessage(envelope("app:ready"), "*");
tell("STARTED", Object.keys(attempts));
for (const name of Object.keys(attempts)) if (!slow.has(name)) await run(name);
await Promise.all([...slow].map(run));
await new Promise(done => setTimeout(done, PATIENCE));
tell("DONE", violations.length);
"""

_WORKER = """onmessage = e => fetch(e.data, {mode: "no-cors"}).then(() => postMessage("reached"), () => postMessage("closed"));"""
_NESTED = '<!doctype html><script src="/nested.js"></script>'
_NESTED_SCRIPT = (
    'for (const w of [parent, top]) w.postMessage({protocol: "lime.agentApp.bridge", version: 1, type: "host:toast",'
    f' requestId: "nested", appId: "{APP_ID}", payload: {{message: "from a nested frame"}}}}, "*");'
)


def hostile_files(
    attempts: Iterable[Attempt], tcp: int, udp: int, policy_reports: Iterable[str]
) -> dict[str, str]:
    """The files of the bundle, by their path below its root."""
    rows = list(attempts)
    script = _SHARED % {
        "patience": PATIENCE_MS,
        "tcp": tcp,
        "udp": udp,
        "app": APP_ID,
        "attempts": "\n".join(
            f"  {json.dumps(row.name)}: async () => {{ {row.script} }}," for row in rows
        ),
        "policy": json.dumps(sorted(policy_reports)),
        "slow": json.dumps([row.name for row in rows if row.is_slow]),
    }
    return {
        "index.html": '<!doctype html><meta charset="utf-8"><title>x</title><body style="height: 100vh"><script id="own">window.nonce = document.getElementById("own").nonce;</script><script type="module" src="/app.js"></script>',
        "app.js": script,
        "worker.js": _WORKER,
        "nested.html": _NESTED,
        "nested.js": _NESTED_SCRIPT,
    }
