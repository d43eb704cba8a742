/** Values that come when they come, taken one by one: the bridge from callbacks to `for await`. */

import { LimeError } from "./errors.js";

/**
 * A queue whose reader waits for its writer. Leaving the loop early runs `onEnd`, as does the end.
 * @template T
 * @implements {AsyncIterableIterator<T>}
 */
export class Stream {
  /** @type {T[]} */
  #values = [];
  /** @type {{resolve: (step: IteratorResult<T>) => void, reject: (error: unknown) => void} | undefined} */
  #reader;
  #isOver = false;
  /** @type {unknown} */
  #failure;
  #onEnd;

  /** @param {() => void} [onEnd] */
  constructor(onEnd = () => {}) {
    this.#onEnd = onEnd;
  }

  /** @param {T} value */
  push(value) {
    if (this.#isOver) return;
    if (this.#reader) this.#take()?.resolve({ value, done: false });
    else this.#values.push(value);
  }

  /** Nothing more comes; what is already here is still read. @param {unknown} [failure] */
  end(failure) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#onEnd();
    const reader = this.#take();
    if (reader) this.#finish(reader);
  }

  /** @returns {Promise<IteratorResult<T>>} */
  next() {
    if (this.#values.length > 0) {
      const value = /** @type {T} */ (this.#values.shift());
      return Promise.resolve({ value, done: false });
    }
    return new Promise((resolve, reject) => {
      const reader = { resolve, reject };
      if (this.#isOver) this.#finish(reader);
      else this.#reader = reader;
    });
  }

  /** @returns {Promise<IteratorResult<T>>} */
  return() {
    this.#values = [];
    this.end();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  #take() {
    const reader = this.#reader;
    this.#reader = undefined;
    return reader;
  }

  /** @param {{resolve: (step: IteratorResult<T>) => void, reject: (error: unknown) => void}} reader */
  #finish({ resolve, reject }) {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) resolve({ value: undefined, done: true });
    else reject(failure);
  }
}

/**
 * The events of one subscription of the host.
 * @param {import("./host_link.js").Link} link
 * @param {{capability: string, topic: string, input?: unknown}} wish
 * @param {AbortSignal} [signal]
 * @returns {Stream<import("./lime-app-sdk.d.ts").CapabilityEventPayload>}
 */
export function subscription(link, wish, signal) {
  const subscriptionId = `sub-${crypto.randomUUID()}`;
  const stopHearing = link.on("capability:event", (event) => {
    if (event?.subscriptionId !== subscriptionId) return;
    if (event.error) stream.end(new LimeError(event.error));
    else stream.push(event);
  });
  const leave = () => {
    stopHearing();
    signal?.removeEventListener("abort", end);
    // A host that is gone has no subscription left to end.
    link.request("capability:unsubscribe", { subscriptionId }).catch(() => {});
  };
  /** @type {Stream<any>} */
  const stream = new Stream(leave);
  const end = () => stream.end();
  signal?.addEventListener("abort", end, { once: true });
  link
    .request("capability:subscribe", { ...wish, subscriptionId })
    .catch((refusal) => stream.end(refusal));
  return stream;
}
