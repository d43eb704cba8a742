/**
 * What has to hold before an invoice is booked without a person. Each check that does not gives a code; the words for it are
 * the page's. Knows no host.
 */

import { compact } from "./accounts.js";
import { cents } from "./amounts.js";
import { fold } from "./suppliers.js";

const REQUIRED = ["supplier", "number", "date", "gross", "currency"];
/** A tax that was rounded line by line differs by a cent or two. */
const ROUNDING = 2;

/** The same invoice, however its number is set: `RE 2026-17` and `re2026/17`. */
export const sameKey = ({ supplier, number }) => `${fold(supplier)}/${fold(number)}`;

/** Which of the others this is one of; null where it is none, or where it says too little to tell. */
export function duplicateOf(invoice, others) {
  if (fold(invoice.supplier) === "" || fold(invoice.number) === "") return null;
  const key = sameKey(invoice);
  return others.find((each) => sameKey(each) === key) ?? null;
}

/** Whether net and tax add up to the total, as far as all three are there. */
export function addsUp({ net, tax, gross }) {
  if (![net, tax, gross].every(Number.isFinite)) return true;
  return Math.abs(cents(net) + cents(tax) - cents(gross)) <= ROUNDING;
}

/**
 * @param {{suppliers: object[], today: string}} known
 * @returns {{code: string, values: object}[]} empty where everything holds
 */
export function problemsOf(invoice, { suppliers, today }) {
  const found = REQUIRED.filter((name) => invoice[name] === null || invoice[name] === undefined || invoice[name] === "").map((name) => ({ code: `missing.${name}`, values: {} }));
  const add = (code, values = {}) => found.push({ code, values });
  const supplier = suppliers.find(({ id }) => id === invoice.supplierId);
  if (invoice.supplier && !supplier) add("unknown", { name: invoice.supplier });
  if (supplier?.iban && invoice.iban && compact(supplier.iban) !== compact(invoice.iban)) add("account", { iban: invoice.iban, known: supplier.iban });
  if (invoice.wrongIban) add("iban", { iban: invoice.wrongIban });
  checkAmounts(invoice, supplier, add);
  if (invoice.isDateUnsure) add("unsure", { date: invoice.date });
  if (invoice.date && invoice.date > today) add("future", { date: invoice.date });
  if (invoice.due && invoice.date && invoice.due < invoice.date) add("due", { due: invoice.due });
  for (const name of invoice.byModel ?? []) add("model", { field: name });
  return found;
}

function checkAmounts(invoice, supplier, add) {
  const { net, tax, gross } = invoice;
  const rate = Number.isFinite(supplier?.taxRate) ? supplier.taxRate : null;
  if (!addsUp(invoice)) add("totals", { net, tax, gross, sum: (cents(net) + cents(tax)) / 100 });
  else if (Number.isFinite(net) && Number.isFinite(tax)) {
    if (rate !== null && Math.abs(cents(net) * (rate / 100) - cents(tax)) > ROUNDING) add("rate", { rate, tax });
  } else if (Number.isFinite(gross) && rate !== 0) add("split");
  if (Number.isFinite(gross) && gross <= 0) add("credit", { gross });
}
