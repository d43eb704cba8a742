/** Beside the draft: every text it has had, and what happened, when, and who wrote it down. */

import { h } from "/shared/html.js";
import { momentIn } from "/shared/texts.js";

export const beside = (desk, texts) => [versionList(desk, texts), evidenceList(desk.evidence, texts)];

function versionList(desk, texts) {
  const items = desk.versions.map((version) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          id: `version-${version.number}`,
          type: "button",
          className: "version",
          disabled: desk.busy !== null,
          "aria-current": desk.compared?.number === version.number ? "true" : null,
          onclick: () => desk.compare(version),
        },
        h("span", {}, texts("versions.one", version)),
        h("small", {}, `${texts(`versions.kinds.${version.kind}`)} · ${momentIn(texts, version.createdAt)}`),
      ),
    ),
  );
  const none = h("p", { className: "hint" }, texts("versions.none"));
  return h("section", { "aria-label": texts("versions.title") }, h("h2", {}, texts("versions.title")), items.length > 0 ? h("ol", {}, items) : none);
}

function evidenceList({ steps, calls }, texts) {
  const title = h("h2", { id: "evidence-title" }, texts("evidence.title"));
  const isNone = steps.length === 0 && calls.length === 0;
  return h(
    "section",
    { "aria-label": texts("evidence.title") },
    title,
    isNone ? h("p", { className: "hint" }, texts("evidence.none")) : h("ol", { className: "evidence" }, ...steps.map((each) => (each.kind in HOST_WORDS ? hostRow(each, texts, texts(HOST_WORDS[each.kind])) : row(each, texts)))),
    callList(calls, texts),
  );
}

function callList(calls, texts) {
  if (calls.length === 0) return null;
  const rows = calls.map((each) => callRow(each, texts));
  return h("details", {}, h("summary", {}, texts("evidence.calls")), h("ol", { className: "evidence" }, ...rows));
}

/** Kinds that the host writes into the evidence of a draft, in words for whoever keeps such records; and what a person is told. */
const HOST_WORDS = { "structured-output": "evidence.fits" };
const OUTCOME = "outcome:";

/** A call that the host recorded: what the app did and what came of it. */
function callRow(record, texts) {
  const outcome = record.refs.find((each) => each.startsWith(OUTCOME))?.slice(OUTCOME.length);
  const came = texts(`evidence.outcomes.${outcome}`, {}, "");
  return hostRow(record, texts, came, texts(`evidence.did.${record.subject}`, {}, texts("evidence.kinds.capability-call")));
}

/** In a person's words; the host's own words are one click below. */
const hostRow = ({ kind, message, createdAt }, texts, said, title = texts(`evidence.kinds.${kind}`)) =>
  h(
    "li",
    { "data-kind": kind },
    h("strong", {}, title),
    h("time", { dateTime: createdAt }, momentIn(texts, createdAt)),
    h("p", {}, said),
    h("details", {}, h("summary", {}, texts("evidence.record")), h("p", { lang: "en" }, message)),
  );

const row = ({ kind, message, createdAt }, texts) =>
  h(
    "li",
    { "data-kind": kind },
    h("strong", {}, texts(`evidence.kinds.${kind}`, {}, kind)),
    h("time", { dateTime: createdAt }, momentIn(texts, createdAt)),
    h("p", {}, message),
  );
