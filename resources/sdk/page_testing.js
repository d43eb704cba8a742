/**
 * Tests that drive an app's page as a person would, in the real host: `lime-desktop test` runs them.
 *
 *     import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";
 *
 *     test("an item that is added is in the list", async () => {
 *       await page.label("New item").fill("Buy limes");
 *       await page.role("button", "Add").click();
 *       await page.text("Buy limes").waitFor();
 *     });
 *
 * They run outside the app's frame, so that the app may reload and go wherever it likes. Each test starts on a page
 * that was just loaded, with nothing kept.
 */

import { workflowsOf } from "./page_testing_runs.js";
import { accessibleName, isVisible, roleOf } from "./page_names.js";

/**
 * @typedef {import("./page_testing.d.ts").TestBody} TestBody
 * @typedef {import("./page_testing.d.ts").Locator} Locator
 * @typedef {import("./page_testing.d.ts").HostAnswer} HostAnswer
 */

const PATIENCE_MS = 15_000;
const LOOK_MS = 20;

/** @type {{name: string, body: TestBody}[]} */
const written = [];

/** @param {string} name @param {TestBody} body */
export function test(name, body) {
  written.push({ name, body });
}

/** The tests that were written since it was last asked; for the runner. */
export const takeTests = () => written.splice(0);

/** @returns {Document} */
function appDocument() {
  const content = document.querySelector("iframe")?.contentDocument;
  if (!content) throw new Error("The app's page is not there.");
  return content;
}

/** @template T @param {() => T | undefined | false | null} look @param {string} what @returns {Promise<T>} */
async function until(look, what) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what}, after ${PATIENCE_MS / 1000} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What a test points at: looked for anew each time, and waited for. @implements {Locator} */
class Place {
  #find;
  #words;

  /** @param {() => Element[]} find @param {string} words */
  constructor(find, words) {
    this.#find = find;
    this.#words = words;
  }

  #visible() {
    return this.#find().filter(isVisible);
  }

  /** @returns {Promise<any>} */
  #one() {
    return until(() => {
      const found = this.#visible();
      if (found.length > 1) throw new Error(`${found.length} things are ${this.#words}; name one.`);
      return found[0];
    }, `Nothing visible is ${this.#words}`);
  }

  /** @returns {Promise<any>} */
  async #usable() {
    await this.#one();
    return until(
      () => this.#visible().find((each) => !(/** @type {any} */ (each).disabled) && each.ariaDisabled !== "true"),
      `What is ${this.#words} cannot be used`,
    );
  }

  /** The nth of several, from 0. @param {number} index @returns {Locator} */
  nth(index) {
    return new Place(() => this.#visible().slice(index, index + 1), `number ${index + 1} of ${this.#words}`);
  }

  async click() {
    const element = await this.#usable();
    element.scrollIntoView({ block: "center" });
    element.focus();
    element.click();
  }

  /** @param {string} text */
  async fill(text) {
    const element = await this.#usable();
    element.focus();
    if (element.isContentEditable) element.textContent = text;
    else setValue(element, text);
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
  }

  /** Press a key where it is: `Enter`, `Escape`, `Control+k` … @param {string} keys */
  async press(keys) {
    const element = await this.#usable();
    element.focus();
    const parts = keys.split("+");
    const key = parts.pop() || "+";
    const init = {
      key,
      bubbles: true,
      cancelable: true,
      ctrlKey: parts.includes("Control"),
      shiftKey: parts.includes("Shift"),
      altKey: parts.includes("Alt"),
      metaKey: parts.includes("Meta"),
    };
    const goesOn = element.dispatchEvent(new KeyboardEvent("keydown", init));
    if (goesOn && key === "Enter" && element.form && element.tagName === "INPUT") element.form.requestSubmit();
    element.dispatchEvent(new KeyboardEvent("keyup", init));
  }

  /** @param {boolean} [wanted] */
  async check(wanted = true) {
    const element = await this.#usable();
    if (element.checked !== wanted) element.click();
  }

  /** Choose an option by its words or its value. @param {string} option */
  async choose(option) {
    const element = await this.#usable();
    const found = [...element.options].find((each) => each.value === option || each.text.trim() === option);
    if (!found) throw new Error(`${this.#words} has no option “${option}”.`);
    setValue(element, found.value);
    for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
  }

  async text() {
    return (await this.#one()).innerText.trim();
  }

  async value() {
    return (await this.#one()).value;
  }

  async count() {
    return this.#visible().length;
  }

  async waitFor() {
    await until(() => this.#visible().length > 0, `Nothing visible is ${this.#words}`);
  }

  async waitForGone() {
    await until(() => this.#visible().length === 0, `Something is still ${this.#words}`);
  }
}

/** Set a field as typing does, even where a framework watches the property. @param {any} element @param {string} text */
function setValue(element, text) {
  const owner = Object.getPrototypeOf(element);
  Object.getOwnPropertyDescriptor(owner, "value")?.set?.call(element, text);
}

/** @param {string | RegExp} wanted @param {string} found */
const isAlike = (wanted, found) => (wanted instanceof RegExp ? wanted.test(found) : found.trim() === wanted);

/** @param {string} selector */
const all = (selector) => [...appDocument().querySelectorAll(selector)];

export const page = {
  /** By role and accessible name, as a screen reader has it. @param {string} role @param {string | RegExp} [name] */
  role: (role, name) =>
    new Place(
      () => all("*").filter((each) => roleOf(each) === role && (name === undefined || isAlike(name, accessibleName(each)))),
      name === undefined ? `a ${role}` : `a ${role} named “${name}”`,
    ),
  /** A field by its label. @param {string | RegExp} label */
  label: (label) =>
    new Place(
      () => all("input, textarea, select, [contenteditable]").filter((each) => isAlike(label, accessibleName(each))),
      `a field labelled “${label}”`,
    ),
  /** The innermost element with this text. @param {string | RegExp} text */
  text: (text) =>
    new Place(
      () =>
        all("body *").filter(
          (each) =>
            isAlike(text, /** @type {HTMLElement} */ (each).innerText ?? "") &&
            ![...each.children].some((child) => isAlike(text, /** @type {HTMLElement} */ (child).innerText ?? "")),
        ),
      `something that says “${text}”`,
    ),
  /** @param {string} selector */
  css: (selector) => new Place(() => all(selector), `“${selector}”`),
  /** The app's own route now. */
  route: () => appDocument().location.pathname,
};

let asked = 0;
/** @type {Map<number, {resolve: (value: any) => void, reject: (error: Error) => void}>} */
const waiting = new Map();

document.addEventListener("lime-test:answered", (event) => {
  const { id, value, problem } = JSON.parse(/** @type {CustomEvent} */ (event).detail);
  const wait = waiting.get(id);
  waiting.delete(id);
  if (problem) wait?.reject(new Error(problem));
  else wait?.resolve(value);
});

/** @param {string} command @param {object} [given] @returns {Promise<any>} */
function ask(command, given = {}) {
  const id = ++asked;
  const detail = JSON.stringify({ kind: "command", id, command, given });
  document.dispatchEvent(new CustomEvent("lime-test:told", { detail }));
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** What only the person before the screen can do. */
export const host = {
  /** Wait for the host's next question to the person, and decide it. @param {HostAnswer} answer */
  answer: (answer) => ask("answer", answer),
  /** Choose a file of the package's `tests` folder in the dialog that is open, or opens next. @param {string} file */
  chooseFile: (file) => ask("chooseFile", { file }),
  /** @param {"light" | "dark"} mode */
  theme: (mode) => ask("look", { theme_mode: mode }),
  /** @param {string} permission @param {boolean} isGiven */
  permit: (permission, isGiven) => ask("permit", { permission, isGiven }),
  /** Have a model at hand for tasks, or none. @param {boolean} isThere */
  model: (isThere) => ask("model", { isThere }),
  /** @param {"en" | "zh-CN"} locale */
  locale: (locale) => ask("look", { locale }),
  /** The runs of the app's workflows, led by hand. */
  workflow: workflowsOf(ask),
  /** Take a picture of the window into the folder of pictures. @param {string} name */
  screenshot: (name) => ask("screenshot", { name }),
};

/** @param {unknown} value */
const shown = (value) => JSON.stringify(value) ?? String(value);

/** @param {unknown} actual */
export const expect = (actual) => ({
  /** @param {unknown} expected */
  toBe(expected) {
    if (!Object.is(actual, expected)) throw new Error(`Expected ${shown(expected)}, found ${shown(actual)}.`);
  },
  /** @param {unknown} expected */
  toEqual(expected) {
    if (shown(actual) !== shown(expected)) throw new Error(`Expected ${shown(expected)}, found ${shown(actual)}.`);
  },
  /** @param {string | RegExp} expected */
  toMatch(expected) {
    const text = String(actual);
    const holds = expected instanceof RegExp ? expected.test(text) : text.includes(expected);
    if (!holds) throw new Error(`Expected something like ${expected}, found ${shown(text)}.`);
  },
});
