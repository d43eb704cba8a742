// XMLHttpRequest over the page's own fetch, recorded or replayed with it. What fetch cannot do is refused and noted.

const HANDLED = ["readystatechange", "loadstart", "progress", "load", "error", "abort", "timeout", "loadend"];

function installXhr({ note }) {
  const UNSENT = 0;
  const OPENED = 1;
  const HEADERS = 2;
  const LOADING = 3;
  const DONE = 4;

  class RecordedRequest extends EventTarget {
    static UNSENT = UNSENT;
    static OPENED = OPENED;
    static HEADERS_RECEIVED = HEADERS;
    static LOADING = LOADING;
    static DONE = DONE;

    readyState = UNSENT;
    status = 0;
    statusText = "";
    response = "";
    responseURL = "";
    responseType = "";
    timeout = 0;
    withCredentials = false;
    /** Nothing tells how far a fetch has sent: an upload is silent. */
    upload = new EventTarget();
    #wish = {};
    #headers = new Headers();
    #answered = new Headers();
    #stop = new AbortController();

    constructor() {
      super();
      for (const type of HANDLED) {
        this[`on${type}`] = null;
        this.addEventListener(type, (event) => this[`on${type}`]?.call(this, event));
      }
    }

    open(method, url, isAsync = true) {
      if (!isAsync) {
        note("SYNCHRONOUS_REQUEST", String(url));
        throw new DOMException("A page that is recorded cannot wait for a request.", "InvalidAccessError");
      }
      this.#stop.abort();
      this.#stop = new AbortController();
      this.#headers = new Headers();
      this.#answered = new Headers();
      this.#wish = { method: method.toUpperCase(), url: String(url) };
      this.#move(OPENED);
    }

    setRequestHeader(name, value) {
      this.#headers.append(name, value);
    }

    overrideMimeType() {}

    getResponseHeader(name) {
      return this.#answered.get(name);
    }

    getAllResponseHeaders() {
      return [...this.#answered].map(([name, value]) => `${name}: ${value}\r\n`).join("");
    }

    get responseText() {
      return typeof this.response === "string" ? this.response : "";
    }

    get responseXML() {
      return this.response instanceof Document ? this.response : null;
    }

    send(body = null) {
      if (this.readyState !== OPENED) throw new DOMException("The request is not open.", "InvalidStateError");
      const { method, url } = this.#wish;
      const stop = this.#stop;
      this.#tell("loadstart");
      const timer = this.timeout ? window.setTimeout(() => this.#end(stop, "timeout"), this.timeout) : 0;
      const credentials = this.withCredentials ? "include" : "same-origin";
      const carries = body !== null && !["GET", "HEAD"].includes(method);
      window
        .fetch(url, { method, headers: this.#headers, body: carries ? body : undefined, credentials, signal: stop.signal })
        .then((answer) => this.#take(stop, answer))
        .catch(() => this.#end(stop, "error"))
        .finally(() => window.clearTimeout(timer));
    }

    abort() {
      if (this.readyState === UNSENT || this.readyState === DONE) return;
      this.#end(this.#stop, "abort");
      this.readyState = UNSENT;
    }

    async #take(stop, answer) {
      if (stop.signal.aborted) return;
      this.status = answer.status;
      this.statusText = answer.statusText;
      this.responseURL = answer.url || new URL(this.#wish.url, location.href).href;
      this.#answered = answer.headers;
      this.#move(HEADERS);
      const bytes = await answer.arrayBuffer();
      if (stop.signal.aborted) return;
      this.#move(LOADING);
      this.response = this.#shaped(bytes, answer.headers.get("content-type") ?? "");
      this.#move(DONE);
      const facts = { lengthComputable: true, loaded: bytes.byteLength, total: bytes.byteLength };
      for (const type of ["progress", "load", "loadend"]) this.#tell(type, facts);
    }

    #shaped(bytes, type) {
      const text = () => new TextDecoder().decode(bytes);
      if (this.responseType === "arraybuffer") return bytes;
      if (this.responseType === "blob") return new Blob([bytes], { type });
      if (this.responseType === "document") return new DOMParser().parseFromString(text(), "text/html");
      if (this.responseType !== "json") return text();
      try {
        return JSON.parse(text());
      } catch {
        return null;
      }
    }

    #end(stop, how) {
      if (stop.signal.aborted || this.readyState === DONE) return;
      stop.abort();
      this.status = 0;
      this.response = this.responseType === "" || this.responseType === "text" ? "" : null;
      this.#move(DONE);
      for (const type of [how, "loadend"]) this.#tell(type);
    }

    #move(state) {
      this.readyState = state;
      this.#tell("readystatechange");
    }

    #tell(type, facts = {}) {
      this.dispatchEvent(type === "readystatechange" ? new Event(type) : new ProgressEvent(type, facts));
    }
  }

  window.XMLHttpRequest = RecordedRequest;
}
