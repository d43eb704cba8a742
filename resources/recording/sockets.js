// WebSockets. While recording, a real one is behind each and what it hears is told; in a replay there is none, and what
// it heard comes from the recording. What the page sends is not compared: the host never sees it.

/** A message has to fit into one of the bridge. */
const SOCKET_MESSAGE_CHARACTERS = 256 * 1024;
const STATES = ["CONNECTING", "OPEN", "CLOSING", "CLOSED"];

function installSockets({ isReplay, mark, note }) {
  const RealSocket = window.WebSocket;
  /** In a replay: what each socket is told, by its number; told before it is there, it waits. */
  const scripts = new Map();
  let last = 0;

  const scriptOf = (id) => {
    if (!scripts.has(id)) scripts.set(id, { told: [] });
    return scripts.get(id);
  };

  class RecordedSocket extends EventTarget {
    binaryType = "blob";
    readyState = 0;
    bufferedAmount = 0;
    protocol = "";
    extensions = "";
    #real;

    constructor(url, protocols = []) {
      super();
      this.url = new URL(url, location.href.replace(/^[a-z-]+:/, "wss:")).href;
      for (const type of ["open", "message", "error", "close"]) {
        this[`on${type}`] = null;
        this.addEventListener(type, (event) => this[`on${type}`]?.call(this, event));
      }
      const id = ++last;
      if (isReplay) this.#follow(scriptOf(id));
      else this.#connect(id, new RealSocket(url, protocols));
    }

    send(data) {
      if (this.readyState === 0) throw new DOMException("The socket is not open.", "InvalidStateError");
      this.#real?.send(data);
    }

    close(code, reason) {
      if (this.readyState >= 2) return;
      this.readyState = 2;
      this.#real?.close(...[code, reason].filter((each) => each !== undefined));
    }

    /** Tell what the real socket hears, then let the page hear it. */
    #connect(id, real) {
      this.#real = real;
      real.binaryType = "arraybuffer";
      const pass = (kind, facts) => {
        mark(kind, { id, ...facts });
        this.#hear(kind, facts);
      };
      real.addEventListener("open", () => pass("socket-opened", { subprotocol: real.protocol }));
      real.addEventListener("error", () => pass("socket-failed", {}));
      real.addEventListener("close", ({ code, reason, wasClean }) => pass("socket-closed", { code, reason, wasClean }));
      real.addEventListener("message", ({ data }) => {
        const facts = typeof data === "string" ? { text: data } : { base64: toBase64(new Uint8Array(data)) };
        if ((facts.text ?? facts.base64).length <= SOCKET_MESSAGE_CHARACTERS) pass("socket-message", facts);
        else {
          note("SOCKET_MESSAGE_TOO_LARGE", this.url);
          this.#hear("socket-message", facts);
        }
      });
    }

    #follow(script) {
      script.hear = (kind, facts) => this.#hear(kind, facts);
      // Nobody listens before the constructor has returned.
      queueMicrotask(() => script.told.splice(0).forEach(([kind, facts]) => script.hear(kind, facts)));
    }

    #hear(kind, { subprotocol = "", text, base64, code, reason, wasClean }) {
      if (kind === "socket-opened") {
        this.readyState = 1;
        this.protocol = subprotocol;
        this.dispatchEvent(new Event("open"));
      } else if (kind === "socket-message") {
        this.dispatchEvent(new MessageEvent("message", { data: text ?? this.#shaped(base64), origin: new URL(this.url).origin }));
      } else if (kind === "socket-failed") {
        this.dispatchEvent(new Event("error"));
      } else {
        this.readyState = 3;
        this.dispatchEvent(new CloseEvent("close", { code, reason, wasClean }));
      }
    }

    #shaped(base64) {
      const bytes = fromBase64(base64);
      return this.binaryType === "arraybuffer" ? bytes.buffer : new Blob([bytes]);
    }
  }

  STATES.forEach((name, state) => {
    RecordedSocket[name] = RecordedSocket.prototype[name] = state;
  });
  window.WebSocket = RecordedSocket;

  return {
    /** What the recording says of a socket. */
    tell(id, kind, facts) {
      const script = scriptOf(id);
      if (script.hear) script.hear(kind, facts);
      else script.told.push([kind, facts]);
    },
  };
}
