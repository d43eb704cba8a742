// What an agent reads of a page and does in it. Runs in a world of its own, which the page cannot see; gives text alone.
(() => {
  const USABLE =
    "a[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=tab],[contenteditable=true]";
  const MOST = 400;
  const kinds = { A: "link", SELECT: "choice", TEXTAREA: "field" };
  const pressed = ["button", "submit", "reset", "image", "checkbox", "radio", "file", "color"];
  let known = [];

  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return box.width > 0 && box.height > 0 && style.visibility !== "hidden";
  };
  const kindOf = (element) => {
    if (element.tagName === "INPUT") {
      if (element.type === "password") return "password";
      return pressed.includes(element.type) ? "button" : "field";
    }
    if (element.isContentEditable && element.tagName !== "A") return "field";
    return kinds[element.tagName] ?? "button";
  };
  const nameOf = (element) => {
    const own = kindOf(element) === "button" ? element.value : "";
    const said = [
      element.getAttribute("aria-label"),
      element.labels?.[0]?.innerText,
      element.innerText,
      typeof own === "string" ? own : "",
      element.placeholder,
      element.title,
      element.name,
    ].find((each) => each && each.trim());
    return (said ?? "").trim().replace(/\s+/g, " ").slice(0, 120);
  };
  const shownValues = () =>
    [...document.querySelectorAll("input:not([type=password]):not([type=hidden]),textarea")]
      .map((each) => each.value)
      .filter(Boolean)
      .join("\n");
  const found = (name) => {
    const element = known[Number(name.slice(1)) - 1];
    return element?.isConnected ? element : null;
  };
  const fill = (element, text) => {
    const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value");
    element.focus();
    if (own?.set) own.set.call(element, text);
    else element.textContent = text;
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const choose = (element, text) => {
    const option = [...element.options].find((each) => each.text.trim() === text || each.value === text);
    if (!option) return "not_a_field";
    fill(element, option.value);
    return "";
  };

  globalThis.limeBrowser = {
    read() {
      known = [...document.querySelectorAll(USABLE)].filter(isSeen).slice(0, MOST);
      const elements = known.map((each, at) => ({
        element: `e${at + 1}`,
        kind: kindOf(each),
        name: nameOf(each),
      }));
      const text = `${document.body?.innerText ?? ""}\n${shownValues()}`.trim().slice(0, 150000);
      return JSON.stringify({ text, elements });
    },
    link(name) {
      const element = found(name);
      if (!element) return JSON.stringify({ failure: "element_unknown" });
      return JSON.stringify(element.tagName === "A" && element.href ? { url: element.href } : { failure: "not_a_link" });
    },
    click(name) {
      const element = found(name);
      if (!element) return JSON.stringify({ failure: "element_unknown" });
      element.scrollIntoView({ block: "center" });
      element.click();
      return "{}";
    },
    typeSecret(name, text) {
      return this.type(name, text, true);
    },
    type(name, text, isSecret = false) {
      const element = found(name);
      if (!element) return JSON.stringify({ failure: "element_unknown" });
      const kind = kindOf(element);
      if (isSecret && kind !== "password") return JSON.stringify({ failure: "not_a_password_field" });
      if (kind === "choice") return JSON.stringify({ failure: choose(element, text) || undefined });
      if (kind !== "field" && kind !== "password") return JSON.stringify({ failure: "not_a_field" });
      fill(element, text);
      return "{}";
    },
  };
})();
