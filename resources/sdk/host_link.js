/**
 * Host Bridge v1: one envelope, requests with their answers, and what the host says by itself.
 *
 * Knows messages; knows no capability. How they travel is the transport's business: a window in a page, a queue in a test.
 */

import { LimeError, cancelled, notConnected, timedOut } from "./errors.js";

const PROTOCOL = "lime.agentApp.bridge";
const VERSION = 1;
const PATIENCE_MS = 15_000;
const PAUSE_MS = 250;

/**
 * @typedef {import("./lime-app-sdk.d.ts").Transport} Transport
 * @typedef {Pick<HostLink, "appId" | "on" | "send" | "request" | "fetch" | "close">} Link what the rest of the SDK needs of it
 * @typedef {{resolve: (payload: any) => void, reject: (error: LimeError) => void, release: () => void}} Waiting
 */

export class HostLink {
  #appId;
  #entryKey;
  #transport;
  #prefix;
  /** @type {Map<string, Set<(payload: any) => void>>} */
  #listeners = new Map();
  /** @type {Map<string, Waiting>} */
  #waiting = new Map();
  #lastRequest = 0;
  #stopListening;
  #isClosed = false;

  /** @param {{appId: string, entryKey?: string, transport?: Transport, requestPrefix?: string}} options */
  constructor({ appId, entryKey, transport = parentWindow(), requestPrefix = freshPrefix() }) {
    this.#appId = appId;
    this.#entryKey = entryKey;
    this.#transport = transport;
    this.#prefix = requestPrefix;
    this.#stopListening = transport.listen((message) => this.#receive(message));
  }

  get appId() {
    return this.#appId;
  }

  /**
   * Call `listener` with the payload of every message of this type; returns what ends it.
   * @param {string} type @param {(payload: any) => void} listener
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /**
   * Say something that wants no answer.
   * @param {string} type @param {unknown} [payload] @param {string} [requestId]
   */
  send(type, payload, requestId) {
    /** @type {Record<string, unknown>} */
    const message = { protocol: PROTOCOL, version: VERSION, type, appId: this.#appId };
    if (this.#entryKey !== undefined) message.entryKey = this.#entryKey;
    if (requestId !== undefined) message.requestId = requestId;
    if (payload !== undefined) message.payload = payload;
    this.#transport.send(message);
  }

  /**
   * Ask, and wait for the payload of the answer; a refusal rejects with a LimeError.
   *
   * What the host can answer in a moment, and may be asked twice, is asked until then: unless the caller said how long.
   * @param {string} type @param {unknown} [payload]
   * @param {{signal?: AbortSignal, timeoutMs?: number}} [options]
   * @returns {Promise<any>}
   */
  async request(type, payload, options = {}) {
    for (;;) {
      try {
        return await this.#ask(type, payload, options);
      } catch (error) {
        const isToBeAskedAgain = error instanceof LimeError && error.details.canRepeat === true;
        if (!isToBeAskedAgain || options.timeoutMs !== undefined || this.#isClosed) throw error;
        // The host has held the call for as long as it could: no wait between two is needed, but none is to be a flood.
        await new Promise((goOn) => setTimeout(goOn, PAUSE_MS));
      }
    }
  }

  /**
   * @param {string} type @param {unknown} payload
   * @param {{signal?: AbortSignal, timeoutMs?: number}} options
   * @returns {Promise<any>}
   */
  #ask(type, payload, { signal, timeoutMs = PATIENCE_MS }) {
    const requestId = `${this.#prefix}-${++this.#lastRequest}`;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled());
      const giveUp = (/** @type {() => LimeError} */ why) => () => {
        this.#forget(requestId);
        this.send("capability:cancel", { requestId });
        reject(why());
      };
      const timer = setTimeout(giveUp(timedOut), timeoutMs);
      const abort = giveUp(cancelled);
      signal?.addEventListener("abort", abort, { once: true });
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      this.#waiting.set(requestId, { resolve, reject, release });
      this.send(type, payload, requestId);
    });
  }

  /** How to fetch a path of the app's own origin; undefined where nothing serves one, as in a test. */
  get fetch() {
    return this.#transport.fetch;
  }

  /** Give up every open request and hear nothing more. */
  close() {
    this.#isClosed = true;
    this.#stopListening();
    for (const [requestId, { reject }] of [...this.#waiting]) {
      this.#forget(requestId);
      reject(cancelled());
    }
    this.#listeners.clear();
  }

  /** @param {string} requestId */
  #forget(requestId) {
    this.#waiting.get(requestId)?.release();
    this.#waiting.delete(requestId);
  }

  /** @param {any} message */
  #receive(message) {
    const isOurs = message?.protocol === PROTOCOL && message.version === VERSION;
    if (!isOurs || message.appId !== this.#appId) return;
    this.#settle(message);
    for (const listener of this.#listeners.get(message.type) ?? []) listener(message.payload);
  }

  /** @param {{type: string, requestId?: string, payload?: any}} message */
  #settle({ type, requestId = "", payload }) {
    const waiting = this.#waiting.get(requestId);
    if (waiting === undefined) return;
    this.#forget(requestId);
    if (type === "host:error" || payload?.ok === false) {
      waiting.reject(new LimeError(payload?.error ?? payload));
    } else {
      waiting.resolve(payload);
    }
  }
}

/**
 * The window around this one, and nobody else.
 * @returns {Transport}
 */
function parentWindow() {
  const page = globalThis.window;
  if (page === undefined || page.parent === page) throw notConnected();
  const host = page.parent;
  const ancestor = page.location.ancestorOrigins?.[0];
  const target = ancestor === undefined || ancestor === "null" ? "*" : ancestor;
  return {
    send: (message) => host.postMessage(message, target),
    fetch: (path, options) => page.fetch(path, options),
    listen(hear) {
      const onMessage = (/** @type {MessageEvent} */ event) => {
        if (event.source === host) hear(event.data);
      };
      page.addEventListener("message", onMessage);
      return () => page.removeEventListener("message", onMessage);
    },
  };
}

/** Two links in one page must not take each other's answers. */
const freshPrefix = () => `lime-${Math.random().toString(36).slice(2, 10)}`;
