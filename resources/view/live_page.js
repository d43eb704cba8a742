// For whoever works on an app: shows what was saved without losing the place in the page. Runs beside the relay, in
// its isolated world; the app sees an event, and no variable.
//
// An app that wants to keep its own state listens for "lime:before-reload" on its window, saves what it likes to
// sessionStorage, and calls preventDefault(): then nothing is put back for it.
(() => {
  "use strict";
  const PATIENCE_MS = 3000;
  const SECRET_KINDS = new Set(["password", "file", "hidden"]);

  let frame;
  let live;
  let touched = new Set();
  let kept = null;
  let turn = 0;

  (globalThis.limeBeside ??= []).push((appFrame, { live: port }) => {
    frame = appFrame;
    live = port;
    frame.addEventListener("load", welcome);
    live.reloadWanted.connect(reload);
    live.stylesWanted.connect((paths, number) => swapStyles(JSON.parse(paths), number));
    live.arrived();
  });

  /** A page has been loaded, by us or by itself. */
  function welcome() {
    const { contentWindow: page, contentDocument: content } = frame;
    touched = new Set();
    content.addEventListener("input", ({ isTrusted, target }) => isTrusted && touched.add(target), true);
    page.addEventListener("pagehide", () => live.left());
    if (kept !== null) putBack(kept);
    kept = null;
    tellPainted(turn, "page");
    turn = 0;
  }

  function reload(number) {
    turn = number;
    const page = frame.contentWindow;
    kept = page.dispatchEvent(new Event("lime:before-reload", { cancelable: true })) ? look() : null;
    page.location.reload();
  }

  /** What the developer did to the page: what was typed, how far it was scrolled, where the keyboard was. */
  function look() {
    const content = frame.contentDocument;
    const scrolled = [...content.querySelectorAll("*")].filter((each) => each.scrollTop || each.scrollLeft);
    const fields = [...touched].filter((each) => each.isConnected && !SECRET_KINDS.has(each.type));
    const active = content.activeElement;
    return {
      fields: fields.map((each) => ({ at: placeOf(each), ...valueOf(each) })),
      scrolled: scrolled.map((each) => ({ at: placeOf(each), left: each.scrollLeft, top: each.scrollTop })),
      focus: active && active !== content.body ? { at: placeOf(active), ...selectionOf(active) } : null,
    };
  }

  /** Put each thing back as soon as the page has a place for it, until the developer takes over. */
  function putBack({ fields, scrolled, focus }) {
    const { contentWindow: page, contentDocument: content } = frame;
    const waiting = new Set([
      ...fields.map((field) => () => fill(content, field)),
      ...scrolled.map((place) => () => scroll(content, place)),
      ...(focus === null ? [] : [() => select(content, focus)]),
    ]);
    const attempt = () => {
      for (const each of waiting) if (each()) waiting.delete(each);
      if (waiting.size === 0) stop();
    };
    const watcher = new MutationObserver(attempt);
    const signs = ["pointerdown", "keydown", "wheel"];
    const stop = () => {
      watcher.disconnect();
      clearTimeout(timer);
      for (const sign of signs) page.removeEventListener(sign, stop, true);
    };
    const timer = setTimeout(stop, PATIENCE_MS);
    for (const sign of signs) page.addEventListener(sign, stop, true);
    watcher.observe(content, { subtree: true, childList: true, attributes: true });
    attempt();
  }

  /** Swap style sheets that the page links to; one it uses in another way needs the whole page. */
  function swapStyles(paths, number) {
    const links = [...frame.contentDocument.querySelectorAll('link[rel~="stylesheet"]')];
    const pathOf = (link) => new URL(link.href).pathname;
    const stale = links.filter((link) => paths.includes(pathOf(link)));
    const known = new Set(stale.map(pathOf));
    if (!paths.every((path) => known.has(path))) {
      reload(number);
      return;
    }
    Promise.all(stale.map((link) => renew(link, number))).then(() => tellPainted(number, "styles"));
  }

  /** The old sheet goes when the new one is there: nothing is ever shown without. */
  function renew(link, number) {
    return new Promise((done) => {
      const fresh = link.cloneNode();
      const address = new URL(link.href);
      address.searchParams.set("saved", number);
      fresh.href = address.href;
      const settle = () => {
        link.remove();
        done();
      };
      fresh.addEventListener("load", settle, { once: true });
      fresh.addEventListener("error", settle, { once: true });
      link.after(fresh);
    });
  }

  function tellPainted(number, how) {
    const tell = () => live.painted(number, how);
    // A hidden page has no frames.
    if (document.hidden) tell();
    else requestAnimationFrame(() => setTimeout(tell));
  }

  function fill(content, { at, tag, checked, chosen, html, value }) {
    const field = content.querySelector(at);
    if (field === null || field.disabled || field.tagName !== tag) return false;
    if (checked !== undefined) field.checked = checked;
    else if (chosen !== undefined) for (const option of field.options) option.selected = chosen.includes(option.value);
    else if (html !== undefined) field.innerHTML = html;
    else field.value = value;
    touched.add(field);
    for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    return true;
  }

  function scroll(content, { at, left, top }) {
    const place = content.querySelector(at);
    place?.scrollTo({ left, top, behavior: "instant" });
    return place !== null && Math.abs(place.scrollTop - top) <= 1 && Math.abs(place.scrollLeft - left) <= 1;
  }

  function select(content, { at, start, end }) {
    const field = content.querySelector(at);
    if (field === null || field.disabled) return false;
    field.focus({ preventScroll: true });
    if (start !== undefined) field.setSelectionRange(start, end);
    return true;
  }

  function valueOf(field) {
    const { tagName: tag } = field;
    if (field.type === "checkbox" || field.type === "radio") return { tag, checked: field.checked };
    if (tag === "SELECT") return { tag, chosen: [...field.selectedOptions].map(({ value }) => value) };
    if (field.isContentEditable) return { tag, html: field.innerHTML };
    return { tag, value: field.value };
  }

  function selectionOf(field) {
    // Number and date fields have none, and some throw when asked.
    const isText = field.tagName === "TEXTAREA" || ["text", "search", "url", "tel"].includes(field.type);
    return isText ? { start: field.selectionStart, end: field.selectionEnd } : {};
  }

  /** A selector that finds the element again: by its id, or by its place below the next one that has one. */
  function placeOf(element) {
    if (element.id !== "") return `#${CSS.escape(element.id)}`;
    const parent = element.parentElement;
    if (parent === null) return ":root";
    const number = [...parent.children].indexOf(element) + 1;
    return `${placeOf(parent)} > :nth-child(${number})`;
  }
})();
