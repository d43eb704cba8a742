/**
 * A Host Bridge v1 client, small enough to read in one go and to copy.
 *
 * The page asks, the host answers, always by postMessage and always in the same envelope. Nothing
 * here knows what this app does.
 */

const PROTOCOL = "lime.agentApp.bridge";
const VERSION = 1;
const PATIENCE_MS = 15_000;

/** What the host refused or could not do. `code` is stable; `message` is for a person. */
export class HostError extends Error {
  constructor({ stableCode, code, message, retryable = false, traceId, details }) {
    super(message ?? "The host refused.");
    this.name = "HostError";
    this.code = stableCode ?? code ?? "upstream_failed";
    this.isRetryable = retryable;
    this.traceId = traceId;
    this.userAction = details?.userAction;
  }
}

export class HostBridge {
  #appId;
  #host;
  #listeners = new Map();
  #waiting = new Map();
  #lastRequest = 0;

  /** Connect to the window around this one. Throws where there is none. */
  constructor(appId, { host = window.parent } = {}) {
    if (host === window) {
      throw new HostError({ stableCode: "not_in_host", message: "This page is not inside a host." });
    }
    this.#appId = appId;
    this.#host = host;
    window.addEventListener("message", (event) => this.#receive(event));
  }

  /** Call `listener` with the payload of every message of this type: `host:snapshot`, `theme:update`, … */
  on(type, listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  /** Say that the page is ready, and wait for the host to introduce itself. */
  async connect() {
    const snapshot = this.#request("host:getSnapshot");
    this.#send("app:ready");
    return snapshot;
  }

  /** Call a capability: `await bridge.invoke("lime.storage", "get", { key: "greeting" })`. */
  async invoke(capability, method, input) {
    return this.#request("capability:invoke", { capability, method, input });
  }

  #request(type, payload) {
    const requestId = `${this.#appId}-${++this.#lastRequest}`;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(requestId);
        const message = "The host did not answer.";
        reject(new HostError({ stableCode: "timeout", message, retryable: true }));
      };
      const timer = setTimeout(giveUp, PATIENCE_MS);
      this.#waiting.set(requestId, { resolve, reject, timer });
      this.#send(type, payload, requestId);
    });
  }

  #send(type, payload, requestId) {
    const message = { protocol: PROTOCOL, version: VERSION, type, appId: this.#appId };
    if (requestId !== undefined) message.requestId = requestId;
    if (payload !== undefined) message.payload = payload;
    this.#host.postMessage(message, hostOrigin());
  }

  #receive({ source, data }) {
    const isOurs = source === this.#host && data?.protocol === PROTOCOL && data.version === VERSION;
    if (!isOurs || data.appId !== this.#appId) return;
    this.#settle(data);
    for (const listener of this.#listeners.get(data.type) ?? []) listener(data.payload);
  }

  #settle({ type, requestId, payload }) {
    const request = this.#waiting.get(requestId);
    if (request === undefined) return;
    clearTimeout(request.timer);
    this.#waiting.delete(requestId);
    if (type === "host:error" || payload?.ok === false) {
      request.reject(new HostError(payload?.error ?? payload ?? {}));
    } else {
      request.resolve(type === "host:response" ? (payload?.value ?? payload?.result ?? null) : payload);
    }
  }
}

/** Address the host and nobody else, where the browser tells who it is. */
function hostOrigin() {
  const origin = window.location.ancestorOrigins?.[0];
  return origin === undefined || origin === "null" ? "*" : origin;
}
