/** Who sent an invoice: found in the person's own table by tax number, account or name; else the name that the text gives itself. */

import { compact } from "./accounts.js";

const COMPANY = /(\bGmbH\b|\bAG\b|\bKG\b|\bUG\b|\be\.?K\.|\bLtd\b|\bLimited\b|\bLLC\b|\bInc\b|\bCorp\b|\bB\.?V\.?\b|\bS\.?A\.?S?\b|\bSARL\b|\bS\.r\.l|\bPLC\b|公司|工作室|商行)/u;
const SELLER = /^\s*(?:seller|vendor|supplier|issued by|销售方名称|销售方|开票方|收款单位|卖方)\s*[:：]\s*(.+)$/iu;
const BUYER = /^\s*(?:bill(?:ed)? to|invoice to|customer|client|ship to|rechnung an|kunde|购买方名称|购买方|客户|买方|付款单位)/iu;
const LONGEST = 120;

/** A name as it is compared: its letters and digits alone. */
export const fold = (text) => (text ?? "").normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/**
 * The supplier of the table that a text is from.
 * @returns {{supplier: object, by: "vatId" | "iban" | "name"} | null}
 */
export function knownSupplier(text, { taxNumbers, ibans }, suppliers) {
  const has = (values, value) => compact(value) !== "" && values.includes(compact(value));
  const byTax = suppliers.find(({ vatId }) => has(taxNumbers, vatId));
  if (byTax) return { supplier: byTax, by: "vatId" };
  const byName = longestNamed(fold(text), suppliers);
  if (byName) return { supplier: byName, by: "name" };
  const byAccount = suppliers.find(({ iban }) => has(ibans, iban));
  return byAccount ? { supplier: byAccount, by: "iban" } : null;
}

/** The longest of the names that stand in a text: `Nord` must not be taken for `Nordlicht`. */
function longestNamed(folded, suppliers) {
  const length = ({ name, alias }) => Math.max(...[name, alias].map(fold).filter((each) => each.length > 2 && folded.includes(each)).map((each) => each.length), 0);
  const [best] = suppliers.filter((each) => length(each) > 0).sort((one, other) => length(other) - length(one));
  return best ?? null;
}

/** The name of somebody who is in no table; empty where the text does not say. */
export function namedSupplier(lines, sender = "") {
  for (const line of lines) {
    const named = SELLER.exec(line);
    if (named) return named[1].trim().slice(0, LONGEST);
  }
  let isBuyers = false;
  for (const line of lines) {
    if (BUYER.test(line)) isBuyers = true;
    else if (COMPANY.test(line) && !isBuyers) return line.split(/\s{3,}|[|·•,]/u)[0].trim().slice(0, LONGEST);
    else if (isBuyers && COMPANY.test(line)) isBuyers = false;
  }
  return sender.slice(0, LONGEST);
}
