/** What a version changed: words that went are struck out, words that came are marked. */

import { button, h, iconButton } from "/shared/html.js";
import { amountOf, differencesOf } from "/shared/differences.js";
import { differencesView } from "/shared/differences_view.js";
import { momentIn } from "/shared/texts.js";
import { textOf } from "/work/versions.js";

export function comparison(desk, texts) {
  const { compared } = desk;
  const before = desk.before(compared);
  const sides = [before ? textOf(before) : "", textOf(compared)];
  const { gone, come } = amountOf(differencesOf(...sides));
  const names = { gone: texts("versions.gone"), new: texts("versions.new") };
  const isLatest = desk.versions[0]?.number === compared.number;
  return [
    h(
      "header",
      {},
      iconButton("back", texts("versions.back"), () => desk.compare(null), { id: "back", "data-take-focus": "" }),
      h("h1", { className: "small" }, texts("versions.one", compared)),
      h("small", {}, momentIn(texts, compared.createdAt)),
      h("span", { className: "spring" }),
      !isLatest && button(texts("versions.takeUp"), () => desk.takeUp(compared), { id: "take-up" }),
    ),
    h("p", { className: "about" }, before ? texts("versions.against", { number: before.number, gone, come }) : texts("versions.first")),
    compared.note && h("p", { className: "about" }, texts("review.note", compared)),
    h("div", { className: "paper differences", tabIndex: 0, role: "region", "aria-label": texts("versions.changes") }, differencesView(...sides, names)),
  ];
}
