/** What is booked: totals, a search, the rows, and the way out to a spreadsheet. */

import { h, icon, iconButton } from "/shared/html.js";
import { plain, primary } from "/shared/parts.js";
import { addsUp } from "/reading/checks.js";
import { fold } from "/reading/suppliers.js";
import { moneyIn } from "/work/booking.js";
import { totalsOf } from "/work/totals.js";

const SHOWN = 500;

export function bookedView(desk, texts) {
  if (desk.booked.length === 0) return h("section", { className: "empty" }, h("div", { className: "sign" }, icon("table")), h("h1", {}, texts("booked.none")), h("p", {}, texts("booked.noneText")));
  const rows = found(desk);
  const disabled = desk.busy !== null || rows.length === 0;
  return [
    h(
      "div",
      { className: "row tools" },
      h("input", { id: "search", type: "search", value: desk.query, placeholder: texts("booked.search"), "aria-label": texts("booked.search"), oninput: ({ target }) => desk.search(target.value) }),
      h("span", { className: "spring" }),
      primary("export-xlsx", texts("booked.xlsx"), () => desk.exportBooked(rows, "xlsx"), { disabled }),
      plain("export-csv", texts("booked.csv"), () => desk.exportBooked(rows, "csv"), { disabled }),
    ),
    totals(rows, texts),
    rows.length === 0 ? h("p", { className: "hint" }, texts("booked.noneFound", { query: desk.query })) : table(desk, rows, texts),
  ];
}

const found = ({ booked, query }) => {
  const words = query.split(/\s+/).map(fold).filter(Boolean);
  return booked.filter((row) => words.every((word) => fold([row.supplier, row.number, row.date, row.file].join(" ")).includes(word)));
};

/** A sum, or that nobody knows it. */
const known = (texts, amount) => (amount === null ? texts("booked.unknown") : moneyIn(texts, amount));

export const totals = (rows, texts) =>
  h(
    "div",
    { className: "totals" },
    ...totalsOf(rows).map(({ currency, count, net, tax, gross }) =>
      h(
        "div",
        { className: "total" },
        h("strong", {}, `${moneyIn(texts, gross)} ${currency}`),
        h("small", {}, texts("booked.total", { count, net: known(texts, net), tax: known(texts, tax) })),
      ),
    ),
  );

function table(desk, rows, texts) {
  const heads = ["date", "supplier", "number", "net", "tax", "gross", "due"];
  return h(
    "div",
    { className: "wide", "data-scroll": "booked" },
    h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((name) => h("th", { scope: "col", className: isAmount(name) ? "amount" : null }, texts(`fields.${name}`))), h("th", {}, h("span", { className: "seen-by-readers" }, texts("booked.actions"))))), h("tbody", {}, ...rows.slice(0, SHOWN).map((row) => line(desk, row, heads, texts)))),
    rows.length > SHOWN && h("p", { className: "hint" }, texts("booked.more", { count: rows.length - SHOWN })),
  );
}

const isAmount = (name) => ["net", "tax", "gross"].includes(name);

function line(desk, row, heads, texts) {
  const cells = heads.map((name) => {
    if (name === "gross") return h("td", { className: "amount" }, `${moneyIn(texts, row.gross)} ${row.currency}`, !addsUp(row) && h("small", { className: "odd", title: texts("booked.odd") }, texts("booked.oddShort")));
    if (isAmount(name)) return h("td", { className: "amount" }, moneyIn(texts, row[name]));
    if (name === "supplier") return h("td", { className: "who", title: row.file }, row.supplier, row.byPerson ? h("small", {}, texts("booked.byPerson")) : null);
    return h("td", {}, row[name] ?? "");
  });
  return h("tr", {}, ...cells, h("td", {}, iconButton("bin", texts("booked.unbook", { number: row.number }), () => desk.unbook(row.id), { id: `unbook-${row.id}` })));
}
