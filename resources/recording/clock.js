// A page's time and chance, taken from the recording instead of the world: between two events time stands still.

/** So many looks at the clock without an event in between, and it moves by itself: a page that waits in a loop gets on. */
const PATIENT_READS = 10_000;

function makeClock(startedAt, readRealTime) {
  let now = startedAt;
  let reads = 0;
  const read = () => (++reads > PATIENT_READS ? ++now : now);
  return {
    read,
    sinceStart: () => read() - startedAt,
    /** Time never goes back, whatever the machine's clock does. */
    set(at) {
      now = Math.max(now, at);
      reads = 0;
      return now;
    },
    tick() {
      return this.set(readRealTime());
    },
    get now() {
      return now;
    },
  };
}

function installClock(clock) {
  const RealDate = window.Date;
  const shown = new Proxy(RealDate, {
    construct: (target, values, made) => Reflect.construct(target, values.length ? values : [clock.read()], made),
    apply: () => new RealDate(clock.read()).toString(),
    get: (target, name) => (name === "now" ? clock.read : Reflect.get(target, name)),
  });
  RealDate.prototype.constructor = shown;
  window.Date = shown;
  performance.now = clock.sinceStart;
}

/** The same numbers for the same seed: mulberry32. */
function makeChance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function installChance(next) {
  const fill = (view) => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(next() * 256);
    return view;
  };
  const uuid = () => {
    const bytes = fill(new Uint8Array(16));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
  };
  Math.random = next;
  Object.defineProperty(crypto, "getRandomValues", { value: fill, configurable: true });
  Object.defineProperty(crypto, "randomUUID", { value: uuid, configurable: true });
}

/**
 * Timers, frames and idle times. While recording they fire when they are due and are told; in a replay they fire when
 * the recording says so. One row of numbers serves them all.
 */
function installTimers(clock, { isReplay, mark }) {
  const real = {
    setTimeout: window.setTimeout.bind(window),
    clearTimeout: window.clearTimeout.bind(window),
    setInterval: window.setInterval.bind(window),
    clearInterval: window.clearInterval.bind(window),
    requestAnimationFrame: window.requestAnimationFrame.bind(window),
    cancelAnimationFrame: window.cancelAnimationFrame.bind(window),
    requestIdleCallback: window.requestIdleCallback.bind(window),
    cancelIdleCallback: window.cancelIdleCallback.bind(window),
  };
  const waiting = new Map();
  const wanted = new Map();
  let last = 0;

  const fire = (id) => {
    const timer = waiting.get(id);
    if (timer === undefined) return;
    if (!timer.repeats) waiting.delete(id);
    timer.run();
  };
  const add = (start, stop, run, repeats = false) => {
    const id = ++last;
    const handle = isReplay
      ? undefined
      : start(() => {
          mark("timer", { id });
          fire(id);
        });
    waiting.set(id, { run, repeats, stop: () => stop(handle) });
    // The recording may be ahead of the page: what it wants fired comes as soon as it is there.
    const resolve = wanted.get(id);
    if (resolve) real.setTimeout(resolve, 0);
    return id;
  };
  const drop = (id) => {
    if (!isReplay) waiting.get(id)?.stop();
    waiting.delete(id);
  };
  const call = (wish, values) => () => {
    if (typeof wish === "function") wish.apply(window, values);
  };

  window.setTimeout = (wish, delay, ...values) =>
    add((run) => real.setTimeout(run, delay), real.clearTimeout, call(wish, values));
  window.setInterval = (wish, delay, ...values) =>
    add((run) => real.setInterval(run, delay), real.clearInterval, call(wish, values), true);
  window.requestAnimationFrame = (wish) =>
    add(real.requestAnimationFrame, real.cancelAnimationFrame, () => wish(clock.sinceStart()));
  window.requestIdleCallback = (wish, options) =>
    add(
      (run) => real.requestIdleCallback(run, options),
      real.cancelIdleCallback,
      () => wish({ didTimeout: false, timeRemaining: () => 10 }),
    );
  window.clearTimeout = window.clearInterval = window.cancelAnimationFrame = window.cancelIdleCallback = drop;

  return {
    real,
    /** Fire a timer, once the page has set it. */
    async fire(id) {
      if (!waiting.has(id)) await new Promise((resolve) => wanted.set(id, resolve));
      wanted.delete(id);
      fire(id);
    },
  };
}
