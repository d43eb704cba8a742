/** The host as an app sees it: a typed facade over the calls that the protocol declares. */

import { CALLS } from "./calls.js";
import { LimeError } from "./errors.js";
import { agentHandles, eventHandles, fileHandles, storageHandles, workflowHandles } from "./handles.js";
import { HostLink } from "./host_link.js";

/**
 * @typedef {import("./host_link.js").Link} Link
 * @typedef {import("./lime-app-sdk.d.ts").LimeRuntime} LimeRuntime
 * @typedef {import("./lime-app-sdk.d.ts").LimeRuntimeOptions} LimeRuntimeOptions
 * @typedef {import("./lime-app-sdk.d.ts").HostSnapshot} HostSnapshot
 * @typedef {import("./lime-app-sdk.d.ts").CallOptions} CallOptions
 */

const ASK_AGAIN_MS = 400;
const WAITING = Symbol("waiting for a person");
const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

const HANDLES = {
  "lime.storage": storageHandles,
  "lime.files": fileHandles,
  "lime.agent": agentHandles,
  "lime.workflow": workflowHandles,
  "lime.events": eventHandles,
};

/**
 * Connect to the host that shows this page.
 * @param {LimeRuntimeOptions} [options]
 * @returns {Promise<LimeRuntime>}
 */
export async function getLimeRuntime({ appId, entryKey, timeoutMs, transport } = {}) {
  const link = new HostLink({ appId: appId ?? appIdOfPage(), entryKey, transport });
  const asked = link.request("host:getSnapshot", undefined, { timeoutMs });
  link.send("app:ready");
  try {
    return runtimeOver(link, await asked);
  } catch (error) {
    link.close();
    throw error;
  }
}

/** @param {Link} link @param {HostSnapshot} first @returns {LimeRuntime} */
function runtimeOver(link, first) {
  let snapshot = first;
  link.on("host:snapshot", (newest) => (snapshot = newest));
  link.on("theme:update", (theme) => (snapshot = { ...snapshot, theme }));
  const runtime = {
    appId: link.appId,
    get snapshot() {
      return snapshot;
    },
    onSnapshot: (/** @type {(snapshot: HostSnapshot) => void} */ listener) =>
      link.on("host:snapshot", listener),
    onTheme: (/** @type {any} */ listener) => themeListener(link, listener),
    onVisibility: (/** @type {any} */ listener) => link.on("host:visibility", listener),
    invoke: invokerOver(link),
    close: () => link.close(),
  };
  return /** @type {any} */ (Object.assign(runtime, facades(link)));
}

/** A snapshot carries the theme too: whoever asked for themes hears of it either way. */
function themeListener(/** @type {Link} */ link, /** @type {any} */ listener) {
  const ends = [link.on("theme:update", listener), link.on("host:snapshot", ({ theme }) => listener(theme))];
  return () => ends.forEach((end) => end());
}

/** One object per capability, under its short name. */
export function facades(/** @type {Link} */ link) {
  return Object.fromEntries(
    Object.entries(CALLS).map(([capability, calls]) => [
      capability.slice("lime.".length),
      facade(link, capability, calls),
    ]),
  );
}

/** @param {Link} link @param {string} capability @param {Record<string, {takesInput: boolean, asks: boolean}>} calls */
function facade(link, capability, calls) {
  const invoke = invokerOver(link);
  const methods = Object.fromEntries(
    Object.entries(calls).map(([method, { takesInput, asks }]) => {
      const call = (/** @type {unknown} */ input, /** @type {CallOptions} */ options) =>
        untilDecided((wait) => invoke(capability, method, input, { ...options, ...wait }), asks, options);
      return [method, takesInput ? call : (/** @type {CallOptions} */ options) => call(undefined, options)];
    }),
  );
  const extend = HANDLES[/** @type {keyof typeof HANDLES} */ (capability)];
  return extend === undefined ? methods : Object.assign(methods, extend(methods, link));
}

/** @param {Link} link */
function invokerOver(link) {
  return async (
    /** @type {string} */ capability,
    /** @type {string} */ method,
    /** @type {unknown} */ input,
    /** @type {CallOptions} */ { signal, timeoutMs, onPending: _, ...options } = {},
  ) => {
    const acceptsValueRef = link.fetch !== undefined;
    const payload = { capability, method, input, timeoutMs, acceptsValueRef, ...options };
    const answer = await link.request("capability:invoke", payload, { signal, timeoutMs });
    if (answer?.valueRef && link.fetch) return (await link.fetch(answer.valueRef.url, { signal })).json();
    return answer?.value ?? answer?.result ?? null;
  };
}

/**
 * A person takes their time, and an answer waits only so long for them: the call is repeated until they have decided.
 * Whoever wants to be told that a person is asked is told at once, and waits then.
 * Any call may need a yes first; only one that asks a person by itself says `pending` in its value.
 * @param {(wait: {waitsForPerson?: boolean}) => Promise<any>} call @param {boolean} asks @param {CallOptions} [options]
 */
async function untilDecided(call, asks, { onPending } = {}) {
  let isTold = false;
  while (true) {
    const wait = onPending && !isTold ? { waitsForPerson: false } : {};
    const outcome = await call(wait).catch((error) => {
      if (error instanceof LimeError && error.details.pending === true) return WAITING;
      throw error;
    });
    const isPending = outcome === WAITING || (asks && outcome?.status === "pending");
    if (!isPending) return outcome;
    if (!isTold) onPending?.();
    isTold = true;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** The host serves each app at an origin that spells its id. */
function appIdOfPage() {
  const { protocol, hostname } = globalThis.location ?? {};
  if (protocol !== "lime-app:") {
    throw new LimeError({
      stableCode: "schema_invalid",
      message: "This page was not served by a Lime host: give getLimeRuntime the app's id.",
    });
  }
  const labels = hostname.split(".");
  const isSpelled = labels.every((label) => label.startsWith("x--"));
  return isSpelled ? readBase32(labels.map((label) => label.slice(3)).join("")) : hostname;
}

/** @param {string} letters */
function readBase32(letters) {
  const bits = [...letters].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  return new TextDecoder().decode(new Uint8Array(bytes));
}
