/** What the text of an invoice says, by rules alone: the same text gives the same fields, and what is not there stays empty. */

import { ibansIn, taxNumbersIn, wrongIbanIn } from "./accounts.js";
import { amountsIn, cents, currencyIn } from "./amounts.js";
import { dayIn, daysLater } from "./days.js";
import { beside, termsIn } from "./labels.js";
import { knownSupplier, namedSupplier } from "./suppliers.js";

const NUMBER = /^[\s:：#.№]*((?:\p{Lu}{1,5}\s(?=\d))?(?=[\p{L}\d\-/._]*\d)[\p{L}\d][\p{L}\d\-/._]{0,39})/u;

/** The fields that an invoice has, in the order in which people look at them. */
export const FIELDS = ["supplier", "number", "date", "due", "net", "tax", "gross", "currency", "iban"];

/**
 * @param {{text: string, sender?: string, sentOn?: string}} document
 * @param {object[]} suppliers the person's table
 * @returns the fields, with `supplierId`, `knownBy`, `taxNumbers`, `ibans`, `wrongIban` and `isDateUnsure`
 */
export function readInvoice({ text, sender = "" }, suppliers) {
  const lines = text.normalize("NFKC").split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  const whole = lines.join("\n");
  const marks = { taxNumbers: taxNumbersIn(whole), ibans: ibansIn(whole) };
  const known = knownSupplier(`${sender}\n${whole}`, marks, suppliers);
  const currency = currencyIn(text) ?? known?.supplier.currency ?? "";
  const hint = { isMonthFirst: currency === "USD" };
  const dated = beside(lines, "date", (rest) => dayIn(rest, hint));
  return {
    supplier: known?.supplier.name ?? namedSupplier(lines, sender),
    supplierId: known?.supplier.id ?? null,
    knownBy: known?.by ?? null,
    number: beside(lines, "number", (rest) => NUMBER.exec(rest)?.[1].replace(/[.\-/]$/, "") ?? null) ?? "",
    date: dated?.day ?? "",
    isDateUnsure: dated?.isUnsure ?? false,
    due: dueIn(lines, dated?.day, hint),
    ...amounts(lines),
    currency,
    iban: marks.ibans[0] ?? "",
    wrongIban: marks.ibans.length > 0 ? "" : wrongIbanIn(whole),
    ...marks,
  };
}

function dueIn(lines, day, hint) {
  const named = beside(lines, "due", (rest) => dayIn(rest, hint));
  if (named) return named.day;
  const terms = day ? termsIn(lines) : null;
  return terms === null ? "" : daysLater(day, terms);
}

/** Of several totals the last is the one to pay; what follows from two of them is computed, never guessed. */
function amounts(lines) {
  const last = (rest) => amountsIn(rest).at(-1) ?? null;
  const [net, tax, gross] = ["net", "tax", "gross"].map((name) => beside(withoutOthers(lines, name), name, last, { isLast: name === "gross" }));
  if (gross !== null && net !== null && tax === null) return { net, tax: (cents(gross) - cents(net)) / 100, gross };
  if (gross !== null && net === null && tax !== null) return { net: (cents(gross) - cents(tax)) / 100, tax, gross };
  return { net, tax, gross };
}

const NET = /sub-?\s?total|zwischensumme|小计|不含税/iu;
const WITH_TAX = /incl|inkl|含税(?<!不含税)|价税/iu;

/** A line about the one is none about the other: `Total excl. VAT` is net, `Total incl. VAT` is no tax. */
function withoutOthers(lines, name) {
  if (name === "tax") return lines.filter((line) => !WITH_TAX.test(line) && !/excl|exkl|不含税/iu.test(line));
  if (name === "gross") return lines.filter((line) => !NET.test(line) && !/^(?:net|税额|vat|tax|mwst|金额合计)/iu.test(line));
  return lines;
}
