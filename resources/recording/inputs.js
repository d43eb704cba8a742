// What a person does to a page, told by the element it was done to, and done again in a replay.

const POINTER = ["pointerdown", "mousedown", "pointerup", "mouseup", "dblclick", "contextmenu"];
const KEYS = ["keydown", "keyup"];
const FIELDS = ["input", "change"];
const HIDDEN = "***";

/** Tell every input of the person, before the page hears of it. What the page does to itself is not one. */
function tellInputs(mark, afterTask) {
  let isClicking = false;
  const isOwnDoing = watchOwnDoings();
  const tell = (event, facts) => {
    const target = event.composedPath()[0];
    mark("input", { event: { type: event.type, path: pathOf(target), label: labelOf(target), ...facts } });
  };
  const listen = (type, hear) => window.addEventListener(type, hear, { capture: true });
  const listenTrusted = (types, facts) => {
    for (const type of types) {
      listen(type, (event) => {
        if (!event.isTrusted) return;
        // The next thing a person does ends a click: while they are quick, no timer comes in between.
        isClicking = false;
        tell(event, facts(event));
      });
    }
  };

  listen("click", (event) => {
    // A label passes its click on, and a button submits its form: a replayed click does so by itself.
    if (isOwnDoing() || isClicking) return;
    isClicking = true;
    afterTask(() => {
      isClicking = false;
    });
    if (event.isTrusted) tell(event, pointerFacts(event));
  });
  listen("submit", (event) => {
    if (!isOwnDoing() && !isClicking) tell(event, {});
  });
  listenTrusted(POINTER, pointerFacts);
  listenTrusted(KEYS, keyFacts);
  // Told, it would move the clock on in the middle of what the page does, where a replay cannot follow.
  listen("focusin", (event) => event.isTrusted && !isOwnDoing() && tell(event, {}));
  for (const type of FIELDS) {
    listen(type, (event) => {
      if (event.isTrusted && !isOwnDoing() && !isToggle(event.target)) tell(event, fieldFacts(event));
    });
  }
}

/** Whether the page itself is just clicking, submitting, focusing or dispatching something. */
function watchOwnDoings() {
  let depth = 0;
  const watch = (owner, name) => {
    const own = owner[name];
    owner[name] = function (...values) {
      depth += 1;
      try {
        return own.apply(this, values);
      } finally {
        depth -= 1;
      }
    };
  };
  watch(HTMLElement.prototype, "click");
  for (const owner of [HTMLElement, SVGElement]) watch(owner.prototype, "focus");
  watch(HTMLFormElement.prototype, "requestSubmit");
  watch(EventTarget.prototype, "dispatchEvent");
  return () => depth > 0;
}

/** Do once more what a person did. */
async function repeatInput(event, wait) {
  const target = await foundAt(event.path, wait);
  const { type } = event;
  if (type === "focusin") target.focus?.({ preventScroll: true });
  else if (type === "click") clickOn(target, event);
  else if (type === "submit") target.requestSubmit();
  else if (FIELDS.includes(type)) changeField(target, event);
  else if (KEYS.includes(type)) target.dispatchEvent(new KeyboardEvent(type, common(event)));
  else if (type.startsWith("pointer")) target.dispatchEvent(new PointerEvent(type, common(event)));
  else target.dispatchEvent(new MouseEvent(type, common(event)));
}

const MODIFIERS = ["altKey", "ctrlKey", "metaKey", "shiftKey"];
const picked = (event, names) => Object.fromEntries(names.map((name) => [name, event[name]]));
const pointerFacts = (event) =>
  picked(event, [...MODIFIERS, "button", "buttons", "detail", "clientX", "clientY"]);
const keyFacts = (event) => {
  const facts = picked(event, [...MODIFIERS, "key", "code", "repeat"]);
  return isSecret(event.target) && facts.key.length === 1 ? { ...facts, key: "*", code: "" } : facts;
};
const common = (event) => ({ bubbles: true, cancelable: true, composed: true, view: window, ...event });
const isSecret = (target) => target instanceof HTMLInputElement && target.type === "password";
const isToggle = (target) =>
  target instanceof HTMLInputElement && ["checkbox", "radio", "button", "submit"].includes(target.type);

function fieldFacts(event) {
  const { target } = event;
  if (isSecret(target)) return { value: HIDDEN };
  if (target instanceof HTMLSelectElement) {
    return { chosen: [...target.selectedOptions].map((option) => option.index) };
  }
  const value = target.isContentEditable ? target.textContent : target.value;
  return { value, data: event.data ?? null, inputType: event.inputType ?? "" };
}

function changeField(target, event) {
  if (target instanceof HTMLSelectElement) {
    for (const option of target.options) option.selected = event.chosen.includes(option.index);
  } else if (target.isContentEditable) {
    if (target.textContent !== event.value) target.textContent = event.value;
  } else {
    // A framework may have put a setter of its own on the element: the class has the real one.
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), "value");
    if (target.value !== event.value) set.call(target, event.value);
  }
  const facts = { bubbles: true, composed: true, data: event.data, inputType: event.inputType };
  target.dispatchEvent(event.type === "input" ? new InputEvent("input", facts) : new Event("change", facts));
}

function clickOn(target, event) {
  // Whatever a click leads to, links, forms, boxes, follows from one that is dispatched as well.
  target.dispatchEvent(new PointerEvent("click", common(event)));
}

function pathOf(node) {
  const hops = [];
  let element = node instanceof Element ? node : null;
  while (element) {
    const root = element.getRootNode();
    hops.unshift(selectorIn(root, element));
    element = root instanceof ShadowRoot ? root.host : null;
  }
  return hops;
}

function selectorIn(root, element) {
  const steps = [];
  for (let at = element; at instanceof Element; at = at.parentElement) {
    if (at.id && root.querySelectorAll(`#${CSS.escape(at.id)}`).length === 1) {
      return [`#${CSS.escape(at.id)}`, ...steps].join(" > ");
    }
    const place = 1 + [...(at.parentNode?.children ?? [])].indexOf(at);
    steps.unshift(at.parentElement || root instanceof ShadowRoot ? `:nth-child(${place})` : at.localName);
  }
  return root instanceof ShadowRoot ? `:scope > ${steps.join(" > ")}` : steps.join(" > ");
}

function labelOf(node) {
  if (!(node instanceof Element)) return "";
  const said = node.ariaLabel || node.getAttribute("placeholder") || node.textContent || node.id || node.localName;
  return said.trim().replace(/\s+/g, " ").slice(0, 60);
}

async function foundAt(path, wait) {
  for (;;) {
    const found = find(path);
    if (found) return found;
    await wait();
  }
}

function find(path) {
  if (path.length === 0) return document;
  let root = document;
  let found = null;
  for (const hop of path) {
    found = root?.querySelector(hop) ?? null;
    root = found?.shadowRoot;
  }
  return found;
}
