/** Step one: what a person wants said. */

import { h } from "/html.js";
import { card, choice, field, plain, primary } from "./parts.js";
import { TONES, missingIn } from "/work/brief.js";

export function briefCard(desk, texts, write) {
  // The fields keep a brief of their own while a person types: showing them anew would take the keyboard away.
  const brief = { ...desk.open.brief };
  const isBusy = desk.busy !== null;
  const hint = h("p", { id: "brief-hint", className: "hint", role: "status" });
  // The green button is always the next step.
  const start = desk.open.content
    ? plain("write", texts("brief.rewrite"), write)
    : primary("write", texts("brief.write"), write);

  const check = () => {
    const missing = missingIn(brief).map((name) => texts(`brief.fields.${name}`));
    hint.textContent = missing.length ? texts("brief.missing", { fields: missing.join(", ") }) : texts("brief.kept");
    start.disabled = isBusy || missing.length > 0;
  };
  const keep = (name, value) => {
    brief[name] = value;
    check();
    desk.saveBrief({ ...brief });
  };
  const words = (name, tag, more = {}) => {
    const control = h(tag, { id: name, placeholder: texts(`brief.${name}Hint`), disabled: isBusy, ...more });
    control.value = brief[name];
    control.addEventListener("input", () => {
      brief[name] = control.value;
      check();
    });
    control.addEventListener("change", () => keep(name, control.value));
    return field(texts(`brief.${name}`), control);
  };
  const options = (group, keys) => Object.fromEntries(keys.map((key) => [key, texts(`brief.${group}.${key}`)]));

  check();
  return card(
    1,
    texts("brief.title"),
    true,
    words("goal", "input", { maxLength: 200 }),
    words("readers", "input", { maxLength: 120 }),
    words("points", "textarea", { rows: 4, maxLength: 2000 }),
    h(
      "div",
      { className: "row" },
      field(texts("brief.tone"), choice("tone", brief.tone, options("tones", TONES), (tone) => keep("tone", tone))),
      field(
        texts("brief.language"),
        choice("language", brief.language, options("languages", ["en", "zh-CN"]), (language) => keep("language", language)),
      ),
    ),
    h("div", { className: "row end" }, hint, start),
  );
}
