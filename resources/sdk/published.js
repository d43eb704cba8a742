/** The names under which earlier SDKs offered the same: an invoker whose calls never reject, and adapters over it. */

import { LimeError, notConnected } from "./errors.js";
import { HostLink } from "./host_link.js";
import { facades } from "./runtime.js";

/** @typedef {import("./lime-app-sdk.d.ts").InvokerOptions} InvokerOptions */
/** @typedef {import("./host_link.js").Link} Link */

/**
 * A bridge client by hand: `invoke` resolves to `{ok: true, value}` or `{ok: false, error}`.
 * @param {InvokerOptions} options
 */
export function createLimeHostBridgeCapabilityInvoker({ appId, entryKey, transport, ...listeners }) {
  const link = openLink({ appId, entryKey, transport }) ?? linkToNobody(appId);
  const calls = /** @type {{type: string, at: string}[]} */ ([]);
  const request = async (/** @type {string} */ type, /** @type {unknown} */ payload) => {
    calls.push({ type, at: new Date().toISOString() });
    return settled(link.request(type, payload));
  };
  listen(link, listeners);
  return {
    link,
    request,
    send: (/** @type {string} */ type, /** @type {unknown} */ payload) => link.send(type, payload),
    ready: () => link.send("app:ready"),
    getSnapshot: () => request("host:getSnapshot", undefined),
    invoke: (/** @type {any} */ what, /** @type {string} */ method, /** @type {unknown} */ input) =>
      request("capability:invoke", typeof what === "string" ? { capability: what, method, input } : what),
    subscribe: (/** @type {object} */ wish) => request("capability:subscribe", wish),
    unsubscribe: (/** @type {object} */ wish) => request("capability:unsubscribe", wish),
    download: (/** @type {object} */ file) => request("host:download", file),
    getCallLog: () => [...calls],
    dispose: () => link.close(),
  };
}

/**
 * Every capability over one invoker; its calls reject with a LimeError.
 * @param {{invoker: {link: Link}}} options
 */
export const createLimeCoreCapabilityAdapters = ({ invoker }) => facades(invoker.link);

/** @param {{appId: string, entryKey?: string, transport?: any}} options */
function openLink(options) {
  try {
    return new HostLink(options);
  } catch (error) {
    if (error instanceof LimeError) return undefined;
    throw error;
  }
}

/**
 * Outside a host every request is refused at once, and nothing is ever heard.
 * @param {string} appId
 * @returns {Link}
 */
const linkToNobody = (appId) => ({
  appId,
  on: () => () => {},
  send() {},
  request: () => Promise.reject(notConnected()),
  fetch: undefined,
  close() {},
});

/** @param {Link} link @param {Partial<InvokerOptions>} listeners */
function listen(link, { onSnapshot, onTheme, onVisibility, onCapabilityEvent }) {
  if (onSnapshot) link.on("host:snapshot", onSnapshot);
  if (onTheme) link.on("theme:update", onTheme);
  if (onVisibility) link.on("host:visibility", onVisibility);
  if (onCapabilityEvent) link.on("capability:event", onCapabilityEvent);
}

/** @param {Promise<any>} answer */
async function settled(answer) {
  try {
    const payload = await answer;
    const { traceId, evidenceId } = payload ?? {};
    return { ok: true, value: payload?.value ?? payload?.result ?? payload, traceId, evidenceId };
  } catch (error) {
    if (!(error instanceof LimeError)) throw error;
    const { code, causeCode, message, retryable, traceId, details } = error;
    return { ok: false, error: { code, causeCode, message, retryable, traceId, details } };
  }
}
