/** Amounts of money as people write them: `1.234,56 €`, `$1,234.56`, `CHF 1'234.50`, `￥1,234.00元`. Knows no label. */

/** A whole number of cents: sums of them are exact. */
export const cents = (amount) => Math.round(amount * 100);

const SIGNS = [
  ["CNY", /¥|￥|RMB|CNY|人民币|元/i],
  ["JPY", /JPY|円/i],
  ["EUR", /€|EUR\b/i],
  ["GBP", /£|GBP\b/i],
  ["CHF", /\bCHF\b|\bSFr\./i],
  ["USD", /US\$|\$|USD\b/i],
];

/** One number in any notation. No letters or digits touch it, and no percent sign follows. */
const AMOUNT = /(?<![\p{L}\d.,/-])(-|−)?\s?(?:[€$£¥￥]\s?)?(\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?![\d]|[.,/-]\d|\s?%|\p{L})(-)?/gu;

/** Every amount in a line, in its order. Percentages and the parts of dates are none. */
export function amountsIn(line) {
  const found = [];
  for (const [, before, digits, after] of plain(line).matchAll(AMOUNT)) {
    const value = numberOf(digits);
    if (value !== null) found.push(before || after ? -value : value);
  }
  return found;
}

/** The currency that a text is in: the one whose sign or code stands in it most often; null where there is none. */
export function currencyIn(text) {
  const counts = SIGNS.map(([code, sign]) => [code, text.match(new RegExp(sign.source, "gi"))?.length ?? 0]);
  // 円 and 元 share the sign ¥: whoever writes yen says so.
  const [code, most] = counts.reduce((best, each) => (each[1] > best[1] ? each : best));
  const isYen = code === "CNY" && /JPY|円/i.test(text) && !/RMB|CNY|人民币|元/i.test(text);
  return most === 0 ? null : isYen ? "JPY" : code;
}

/** Full-width digits and signs as their usual ones, and codes that touch a number set apart. */
const plain = (line) =>
  line
    .replace(/[０-９．，－]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/(EUR|USD|GBP|CHF|CNY|RMB|JPY|元|円)/g, " $1 ");

/** The last separator with one or two digits behind it parts the cents; all others part thousands. */
function numberOf(digits) {
  const cut = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits);
  const whole = cut[1].replace(/[^\d]/g, "");
  const value = Number(`${whole}.${cut[2] ?? "0"}`);
  return Number.isFinite(value) ? value : null;
}
