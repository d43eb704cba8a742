/** Beside every step: what happened, when, and who wrote it down. */

import { h } from "/html.js";
import { momentIn } from "/texts.js";

export function evidenceList({ steps, calls }, texts) {
  const title = h("h2", { id: "evidence-title" }, texts("evidence.title"));
  if (steps.length === 0 && calls.length === 0) return [title, h("p", { className: "next" }, texts("evidence.none"))];
  return [title, h("ol", { className: "evidence" }, ...steps.map((each) => row(each, texts))), callList(calls, texts)];
}

function callList(calls, texts) {
  if (calls.length === 0) return null;
  const rows = calls.map((each) => row(each, texts));
  return h("details", {}, h("summary", {}, texts("evidence.calls")), h("ol", { className: "evidence" }, ...rows));
}

const row = ({ kind, message, createdAt }, texts) =>
  h(
    "li",
    { "data-kind": kind },
    h("strong", {}, texts(`evidence.kinds.${kind}`, {}, kind)),
    h("time", { dateTime: createdAt }, momentIn(texts, createdAt)),
    h("p", {}, message),
  );
