/** What came in: a list that says how each invoice stands, and the one that is looked at. */

import { h, icon } from "/shared/html.js";
import { plain } from "/shared/parts.js";
import { momentIn } from "/shared/texts.js";
import { FIELDS } from "/reading/invoice.js";
import { missingIn } from "/work/asking.js";
import { inWords, moneyIn, NEEDS_YOU } from "/work/booking.js";

const AMOUNTS = ["net", "tax", "gross"];
const SIGNS = { booked: "check", duplicate: "file", unreadable: "file", rejected: "close", removed: "bin", working: "more" };

export function inboxView(desk, texts) {
  const shown = desk.arrivals.filter(({ isHidden }) => !isHidden);
  if (shown.length === 0) return nothing(texts);
  const needsYou = shown.filter((each) => NEEDS_YOU.includes(desk.standing(each)));
  const working = shown.filter((each) => desk.standing(each) === "working");
  const others = shown.filter((each) => !needsYou.includes(each) && !working.includes(each));
  const chosen = shown.find(({ id }) => id === desk.selected) ?? needsYou[0] ?? shown[0];
  return h(
    "div",
    { className: "inbox" },
    h("div", { className: "list", "data-scroll": "list" }, group(desk, "needsYou", needsYou, chosen, texts), group(desk, "working", working, chosen, texts), group(desk, "others", others, chosen, texts)),
    detail(desk, chosen, texts),
  );
}

const nothing = (texts) => h("section", { className: "empty" }, h("div", { className: "sign" }, icon("file")), h("h1", {}, texts("inbox.none")), h("p", {}, texts("inbox.noneText")));

function group(desk, key, arrivals, chosen, texts) {
  if (arrivals.length === 0) return null;
  return h("section", { "aria-label": texts(`inbox.${key}`) }, h("h2", {}, texts(`inbox.${key}`)), ...arrivals.map((each) => row(desk, each, each === chosen, texts)));
}

function row(desk, arrival, isChosen, texts) {
  const standing = desk.standing(arrival);
  const invoice = desk.shownOf(arrival);
  const title = invoice?.supplier || arrival.name;
  const amount = Number.isFinite(invoice?.gross) ? `${moneyIn(texts, invoice.gross)} ${invoice.currency}` : "";
  return h(
    "button",
    { type: "button", className: `arrival ${standing}`, id: `a-${arrival.id}`, "aria-current": isChosen ? "true" : null, onclick: () => desk.select(arrival.id), "data-take-focus": isChosen ? "" : null },
    h("span", { className: "what" }, title),
    h("span", { className: "sum" }, amount),
    h("small", { className: "which" }, invoice?.number || arrival.name),
    h("small", { className: "state" }, icon(SIGNS[standing] ?? "eye"), texts(`standing.${standing}`)),
  );
}

function detail(desk, arrival, texts) {
  const standing = desk.standing(arrival);
  const invoice = desk.shownOf(arrival);
  return h(
    "section",
    { id: "detail", "aria-label": texts("inbox.detail"), "data-scroll": "detail" },
    h("h1", { id: "detail-title" }, invoice?.supplier || arrival.name),
    h("p", { className: "from" }, icon("file"), h("span", {}, arrival.path), h("time", { dateTime: arrival.seenAt }, momentIn(texts, arrival.seenAt))),
    says(desk, arrival, standing, texts),
    h("div", { className: "row actions" }, ...actions(desk, arrival, standing, texts)),
    invoice && fields(invoice, texts),
  );
}

/** How it stands, and what to do. */
function says(desk, arrival, standing, texts) {
  const values = arrival.of ? { number: arrival.of.number, file: arrival.of.file, supplier: arrival.of.supplier } : {};
  const error = desk.runs.get(arrival.runId)?.error;
  const list = standing !== "booked" && arrival.problems.length > 0 && h("ul", { id: "problems" }, ...arrival.problems.map((each) => h("li", {}, inWords(each, texts))));
  const isBad = NEEDS_YOU.includes(standing) || standing === "unreadable" || standing === "duplicate";
  return h(
    "div",
    { id: "says", className: isBad ? "tell attention" : "tell", role: "status" },
    h("strong", {}, texts(`says.${standing}`, values)),
    list,
    h("p", {}, texts(`next.${standing}`, values)),
    error && standing === "failed" && h("code", {}, `${error.code} · ${error.message}`),
  );
}

function fields(invoice, texts) {
  const missing = missingIn(invoice);
  const byModel = invoice.byModel ?? [];
  return h(
    "dl",
    { className: "fields" },
    ...FIELDS.map((name) =>
      h(
        "div",
        { className: missing.includes(name) ? "field missing" : "field" },
        h("dt", {}, texts(`fields.${name}`)),
        h("dd", { id: `field-${name}`, className: AMOUNTS.includes(name) ? "amount" : null }, missing.includes(name) ? texts("fields.empty") : AMOUNTS.includes(name) ? moneyIn(texts, invoice[name]) : invoice[name]),
        byModel.includes(name) && h("small", { className: "by" }, texts("fields.byModel")),
      ),
    ),
  );
}

function actions(desk, arrival, standing, texts) {
  const disabled = desk.busy !== null || desk.folder === null;
  const can = (key, is) => is && key;
  const isOpen = ["waiting", "asked", "failed"].includes(standing);
  const isUnknown = arrival.problems.some(({ code }) => code === "unknown");
  return [
    can(plain("retry", texts("page.retry"), () => desk.retry(arrival.id), { disabled: desk.busy !== null }), standing === "failed"),
    can(plain("learn", texts("inbox.learn"), () => desk.learnSupplier(arrival.id), { disabled }), isOpen && isUnknown),
    can(plain("ask-model", texts("inbox.askModel"), () => desk.askModel(arrival.id), { disabled }), isOpen && desk.hasModel && arrival.problems.some(({ code }) => code === "split" || code.startsWith("missing."))),
    can(plain("check-again", texts("inbox.checkAgain"), () => desk.checkAgain(arrival.id), { disabled }), standing !== "booked" && standing !== "working"),
    can(plain("dismiss", texts("inbox.dismiss"), () => desk.dismiss(arrival.id), { className: "quiet" }), !isOpen && standing !== "working"),
  ].filter(Boolean);
}
