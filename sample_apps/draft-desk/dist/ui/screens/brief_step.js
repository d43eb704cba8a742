/** Step one: what a person wants said. It folds away once there is a text. */

import { h } from "/shared/html.js";
import { TONES, missingIn } from "/work/brief.js";
import { choice, field, plain, primary, step } from "./parts.js";

const SAVED_AFTER_MS = 400;
let isOpen = false;

export function briefStep(desk, texts, { write, outline }) {
  // The fields keep a brief of their own while a person types: showing them anew would take the keyboard away.
  const brief = { ...desk.open.brief };
  const { id } = desk.open;
  const isBusy = desk.busy !== null;
  const hint = h("p", { id: "brief-hint", className: "hint", role: "status" });
  // Folded once there is a text, and while one is being written: what is looked at then is the text.
  const hasText = desk.open.content !== null || desk.busy?.step === "draft";
  // The strong button is always the next step.
  const start = hasText ? plain("write", texts("brief.rewrite"), () => now(write)) : primary("write", texts("brief.write"), () => now(write));
  const byHand = plain("outline", texts("brief.outline"), () => now(outline), { className: "quiet" });

  let timer;
  const save = () => {
    clearTimeout(timer);
    return desk.saveBrief({ ...brief }, id);
  };
  const now = (act) => {
    isOpen = false;
    save();
    act();
  };
  const check = () => {
    const missing = missingIn(brief).map((name) => texts(`brief.fields.${name}`));
    hint.textContent = missing.length ? texts("brief.missing", { fields: missing.join(texts("brief.and")) }) : texts("brief.kept");
    for (const each of [start, byHand]) each.disabled = isBusy || missing.length > 0;
  };
  const keep = (name, value) => {
    brief[name] = value;
    check();
    clearTimeout(timer);
    timer = setTimeout(save, SAVED_AFTER_MS);
  };
  const words = (name, tag, more = {}) => {
    const control = h(tag, { id: name, placeholder: texts(`brief.${name}Hint`), disabled: isBusy, ...more });
    control.value = brief[name];
    control.addEventListener("input", () => keep(name, control.value));
    // Who leaves a field may close the window next.
    control.addEventListener("change", save);
    return field(texts(`brief.${name}`), control);
  };
  const options = (group, keys) => Object.fromEntries(keys.map((key) => [key, texts(`brief.${group}.${key}`)]));

  check();
  const fields = [
    words("goal", "input", { maxLength: 200 }),
    words("readers", "input", { maxLength: 120 }),
    words("points", "textarea", { rows: 4, maxLength: 2000 }),
    h(
      "div",
      { className: "pair" },
      field(texts("brief.tone"), choice("tone", brief.tone, options("tones", TONES), (tone) => keep("tone", tone))),
      field(texts("brief.language"), choice("language", brief.language, options("languages", ["en", "zh-CN"]), (language) => keep("language", language))),
    ),
    h("div", { className: "row" }, start, !hasText && byHand, hint),
    desk.modelHint(texts("brief.withoutModel")),
  ];
  if (!hasText) return step("brief", texts("brief.title"), ...fields);
  return h(
    "details",
    { className: "step brief", open: isOpen, ontoggle: ({ target }) => (isOpen = target.open) },
    h("summary", {}, h("span", {}, texts("brief.title")), h("small", {}, brief.goal)),
    ...fields,
  );
}
