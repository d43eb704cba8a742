/** What changed between two texts, drawn: lines that went are struck out, lines that came are marked, and in them the words. */

import { differencesOf } from "./differences.js";
import { h } from "./html.js";

const TAGS = { same: "span", gone: "del", new: "ins" };

/** @param {{gone: string, new: string}} names said to readers: a colour alone says nothing to who does not see it */
export const differencesView = (before, after, names) => differencesOf(before, after).map((line) => drawn(line, names));

function drawn({ kind, parts }, names) {
  const name = kind === "same" ? null : h("span", { className: "seen-by-readers" }, `${names[kind]}: `);
  return h("div", { className: `line ${kind}` }, name, h(TAGS[kind], {}, parts.map(({ text, isChanged }) => (isChanged ? h("b", {}, text) : text))));
}
