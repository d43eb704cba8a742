// Makes one document repeatable. Runs in the app's own frame before anything of the app, while a session is recorded and
// while it is replayed; everything goes over the one channel to the host, so that its order is the order of the page.

const PROTOCOL = "lime.recording";
const CLOCK_KEY = "__lime_recording__";

function makeRepeatable(options) {
  const isAppFrame = window !== window.top && window.parent === window.top && location.protocol === "lime-app:";
  if (!isAppFrame) return;
  const isReplay = options.mode === "replay";
  const host = window.parent;
  const post = host.postMessage.bind(host);
  const readRealTime = Date.now.bind(Date);
  const say = (facts) => post({ protocol: PROTOCOL, ...facts }, location.origin);

  // A later document of the same session goes on where the one before it ended.
  const kept = JSON.parse(sessionStorage.getItem(CLOCK_KEY) ?? "null");
  const number = (kept?.number ?? 0) + 1;
  if (isReplay && number === 1) fillStorage(options.localStorage);
  const startedAt = kept?.now ?? (isReplay ? options.startedAt : readRealTime());
  const clock = makeClock(startedAt, readRealTime);
  const mark = (kind, facts) => say({ mark: kind, at: clock.tick(), ...facts });
  window.addEventListener("pagehide", () => {
    sessionStorage.setItem(CLOCK_KEY, JSON.stringify({ now: clock.now, number }));
  });

  const size = { width: window.innerWidth, height: window.innerHeight };
  say({ mark: "begin", at: startedAt, number, ...size, localStorage: number === 1 ? readStorage() : undefined });
  installClock(clock);
  installChance(makeChance(options.seed + number));
  const timers = installTimers(clock, { isReplay, mark });
  // The clock stays: in a replay nothing happens here.
  const noted = new Set();
  const note = (code, about) => {
    if (isReplay || noted.has(code)) return;
    noted.add(code);
    say({ mark: "note", at: clock.now, code, about });
  };
  const network = installFetch({ isReplay, mark });
  installXhr({ note });
  const sockets = installSockets({ isReplay, mark, note });
  watchUncovered(note);
  const pause = (delay) => new Promise((resolve) => timers.real.setTimeout(resolve, delay));

  let expected;
  /** Let everything run that the last event set off: promises, and what the engine hands over task by task. */
  const settle = async (step) => {
    for (let turn = 0; turn < 4; turn += 1) await pause(0);
    say({ mark: "done", step });
  };
  const carryOut = async ({ do: kind, step, at, ...facts }) => {
    clock.set(at);
    try {
      if (kind === "hear") {
        expected = step;
        return;
      }
      if (kind === "timer") await timers.fire(facts.id);
      else if (kind === "input") await repeatInput(facts.event, () => pause(20));
      else if (kind.startsWith("socket-")) sockets.tell(facts.id, kind, facts);
      else if (kind !== "rest") network.tell(facts.id, kind, facts);
    } catch (error) {
      reportError(error);
    }
    await settle(step);
  };

  window.addEventListener(
    "message",
    (event) => {
      if (event.source !== host) return;
      if (event.data?.protocol === PROTOCOL) {
        event.stopImmediatePropagation();
        carryOut(event.data);
      } else if (isReplay) {
        settle(expected);
      } else {
        mark("heard", { type: event.data?.type, requestId: event.data?.requestId });
      }
    },
    { capture: true },
  );
  if (!isReplay) tellInputs(mark, (then) => timers.real.setTimeout(then, 0));
}

function readStorage() {
  return Object.fromEntries(Object.entries(localStorage));
}

function fillStorage(entries) {
  localStorage.clear();
  for (const [key, value] of Object.entries(entries ?? {})) localStorage.setItem(key, value);
}
