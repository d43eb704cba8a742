/** A page with no SDK: says to the host exactly what a test wants it to, and keeps every word it hears. */

const PROTOCOL = "lime.agentApp.bridge";
const APP_ID = "probe";
const PATIENCE_MS = 15_000;

const heard = [];
const waiting = new Set();
let last = 0;

addEventListener("message", ({ data, source }) => {
  if (source !== parent) return;
  heard.push(data);
  for (const look of waiting) look();
});

function say(message) {
  parent.postMessage(message, location.origin);
}

function envelope(type, payload, more = {}) {
  return { protocol: PROTOCOL, version: 1, type, appId: APP_ID, requestId: `probe-${(last += 1)}`, payload, ...more };
}

/** The first message that fits, heard already or still to come. */
function hear(fits, what) {
  return new Promise((resolve, reject) => {
    const end = setTimeout(() => {
      waiting.delete(look);
      reject(new Error(`The host never said ${what}.`));
    }, PATIENCE_MS);
    const look = () => {
      const found = heard.find(fits);
      if (!found) return;
      waiting.delete(look);
      clearTimeout(end);
      resolve(found);
    };
    waiting.add(look);
    look();
  });
}

/** Send a message, and give the answer to it. */
function send(message) {
  say(message);
  return hear(({ requestId }) => requestId === message.requestId, `anything to ${message.type}`);
}

const ask = (type, payload, more) => send(envelope(type, payload, more));
const call = (name, input = {}, more = {}) => {
  const at = name.lastIndexOf(".");
  return ask("capability:invoke", { capability: name.slice(0, at), method: name.slice(at + 1), input, ...more });
};

/** The host's own SDK, for what would take too many words without. */
const runtime = async () => (await import("/__lime__/sdk/index.js")).getLimeRuntime();

globalThis.probe = { runtime, heard, say, envelope, hear, send, ask, call };
say(envelope("app:ready", {}));
