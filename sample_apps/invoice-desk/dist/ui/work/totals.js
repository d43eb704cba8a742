/** Sums of booked invoices, exact to the cent, one for each currency: amounts of two currencies are never added. */

import { cents } from "../reading/amounts.js";

/** @returns {{currency: string, count: number, net: number, tax: number, gross: number}[]} */
export function totalsOf(rows) {
  return grouped(rows, ({ currency }) => currency).map(([currency, those]) => ({ currency, ...sums(those) }));
}

/** The same for each supplier, the largest first. */
export function totalsBySupplier(rows) {
  return grouped(rows, ({ supplier, currency }) => `${supplier}\n${currency}`)
    .map(([, those]) => ({ supplier: those[0].supplier, currency: those[0].currency, ...sums(those) }))
    .sort((one, other) => one.currency.localeCompare(other.currency) || other.gross - one.gross);
}

const sums = (rows) => ({ count: rows.length, ...Object.fromEntries(["net", "tax", "gross"].map((name) => [name, sum(rows, name)])) });

/** Null where one of them does not say: what is not known is not nothing. */
const sum = (rows, name) => (rows.some((row) => !Number.isFinite(row[name])) ? null : added(rows, name));

const added = (rows, name) => rows.reduce((whole, row) => whole + cents(row[name]), 0) / 100;

function grouped(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return [...groups];
}
