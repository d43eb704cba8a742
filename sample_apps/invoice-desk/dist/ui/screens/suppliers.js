/** The person's suppliers: by their tax number, name and account an invoice is known, and checked. */

import { h, icon, iconButton } from "/shared/html.js";
import { field, plain, primary } from "/shared/parts.js";
import { compact, isIban } from "/reading/accounts.js";

const FIELDS = ["name", "alias", "vatId", "iban", "taxRate"];
const NOBODY = { id: "", name: "", alias: "", vatId: "", iban: "", taxRate: null };

export function suppliersView(desk, texts) {
  if (desk.writing !== null) return form(desk, texts);
  const add = primary("add-supplier", texts("suppliers.add"), () => desk.write(NOBODY), { "data-take-focus": "" });
  if (desk.suppliers.length === 0) return h("section", { className: "empty" }, h("div", { className: "sign" }, icon("note")), h("h1", {}, texts("suppliers.none")), h("p", {}, texts("suppliers.noneText")), h("div", { className: "row" }, add));
  return [h("div", { className: "row tools" }, h("p", { className: "hint" }, texts("suppliers.about")), h("span", { className: "spring" }), add), table(desk, texts)];
}

function table(desk, texts) {
  return h(
    "div",
    { className: "wide", "data-scroll": "suppliers" },
    h("table", {}, h("thead", {}, h("tr", {}, ...FIELDS.map((name) => h("th", { scope: "col" }, texts(`suppliers.${name}`))), h("th", {}, h("span", { className: "seen-by-readers" }, texts("booked.actions"))))), h("tbody", {}, ...desk.suppliers.map((each) => line(desk, each, texts)))),
  );
}

const line = (desk, supplier, texts) =>
  h(
    "tr",
    {},
    ...FIELDS.map((name) => h("td", {}, name === "taxRate" ? (Number.isFinite(supplier.taxRate) ? `${supplier.taxRate} %` : "") : (supplier[name] ?? ""))),
    h("td", { className: "row end" }, iconButton("edit", texts("suppliers.edit", { name: supplier.name }), () => desk.write(supplier), { id: `edit-${supplier.id}` }), iconButton("bin", texts("suppliers.remove", { name: supplier.name }), () => desk.removeSupplier(supplier.id), { id: `remove-${supplier.id}` })),
  );

function form(desk, texts) {
  const { writing } = desk;
  const inputs = Object.fromEntries(FIELDS.map((name) => [name, h("input", { id: `supplier-${name}`, value: writing[name] ?? "", required: name === "name", maxLength: 200, ...(name === "taxRate" && { type: "number", min: 0, max: 100, step: "0.1" }) })]));
  inputs.name.setAttribute("data-take-focus", "");
  const wrong = h("p", { id: "supplier-wrong", className: "wrong", role: "alert" });
  const keep = (event) => {
    event.preventDefault();
    const said = Object.fromEntries(FIELDS.map((name) => [name, inputs[name].value.trim()]));
    const iban = compact(said.iban);
    if (iban !== "" && !isIban(iban)) return void ((wrong.textContent = texts("suppliers.wrongIban")), inputs.iban.focus());
    desk.keepSupplier({ ...writing, ...said, iban, vatId: compact(said.vatId), taxRate: said.taxRate === "" ? null : Number(said.taxRate) });
  };
  return h(
    "form",
    { className: "card", id: "supplier", onsubmit: keep },
    h("h1", {}, texts(writing.id ? "suppliers.change" : "suppliers.add")),
    ...FIELDS.map((name) => field(texts(`suppliers.${name}`), inputs[name])),
    h("p", { className: "hint" }, texts("suppliers.hint")),
    wrong,
    h("div", { className: "row end" }, plain("cancel-supplier", texts("page.cancel"), () => desk.write(null)), h("button", { type: "submit", className: "primary", id: "keep-supplier" }, texts("suppliers.keep"))),
  );
}
