// What a page fetches. Files of its own bundle come from the bundle, in a replay too, but in the recorded order;
// everything else is told while recording, piece by piece, and comes from the recording afterwards.

const BODY_PREFIX = "/__lime__/body/";
/** A piece has to fit into a message of the bridge. */
const PIECE_BYTES = 192 * 1024;

function installFetch({ isReplay, mark }) {
  const realFetch = window.fetch.bind(window);
  /** In a replay: what the recording says of each fetch, by its number. */
  const scripts = new Map();
  let last = 0;

  const scriptOf = (id) => {
    if (!scripts.has(id)) scripts.set(id, makeScript());
    return scripts.get(id);
  };

  async function fetchFile(id, input, init) {
    const found = await realFetch(input, init);
    const body = await found.arrayBuffer();
    if (isReplay) await scriptOf(id).released;
    else mark("fetched", { id });
    return new Response(body, { status: found.status, headers: found.headers });
  }

  async function tellFetch(id, input, init) {
    let found;
    try {
      found = await realFetch(input, init);
    } catch (error) {
      mark("fetch-failed", { id, message: String(error?.message ?? error) });
      throw error;
    }
    mark("fetch-opened", { id, status: found.status, headers: Object.fromEntries(found.headers) });
    const reader = found.body?.getReader();
    const body = new ReadableStream({
      async pull(controller) {
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) {
          mark("fetch-closed", { id });
          controller.close();
          return;
        }
        for (let at = 0; at < value.length; at += PIECE_BYTES) {
          const piece = value.subarray(at, at + PIECE_BYTES);
          mark("fetch-piece", { id, base64: toBase64(piece) });
          controller.enqueue(piece);
        }
      },
      cancel: (reason) => reader?.cancel(reason),
    }, { highWaterMark: 0 });
    return new Response(body, { status: found.status, headers: found.headers });
  }

  async function replayFetch(id, init) {
    const script = scriptOf(id);
    init?.signal?.addEventListener("abort", () => script.fail(init.signal.reason), { once: true });
    const { status, headers } = await script.opened;
    return new Response(script.body, { status, headers });
  }

  window.fetch = (input, init) => {
    const id = ++last;
    const url = new URL(input instanceof Request ? input.url : String(input), location.href);
    const isFile = url.origin === location.origin && !url.pathname.startsWith(BODY_PREFIX);
    if (isFile || url.protocol === "data:" || url.protocol === "blob:") return fetchFile(id, input, init);
    return isReplay ? replayFetch(id, init) : tellFetch(id, input, init);
  };

  return {
    /** What the recording says of a fetch. */
    tell(id, kind, facts) {
      const script = scriptOf(id);
      if (kind === "fetched") script.release();
      else if (kind === "fetch-opened") script.open(facts);
      else if (kind === "fetch-piece") script.piece(fromBase64(facts.base64));
      else if (kind === "fetch-closed") script.close();
      else script.fail(new TypeError(facts.message));
    },
  };
}

/** A fetch whose steps are told from outside. */
function makeScript() {
  const script = {};
  script.released = new Promise((resolve) => {
    script.release = resolve;
  });
  let controller;
  script.body = new ReadableStream({
    start(given) {
      controller = given;
    },
  });
  script.opened = new Promise((resolve, reject) => {
    script.open = resolve;
    script.fail = (error) => {
      reject(error);
      controller.error(error);
    };
  });
  script.opened.catch(() => {});
  script.piece = (bytes) => controller.enqueue(bytes);
  script.close = () => controller.close();
  return script;
}

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

function fromBase64(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
