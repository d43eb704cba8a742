/** The words by which invoices name what they say, in English, German, French and Chinese; and what stands beside such a word. */

const label = (...words) => new RegExp(`(?<![\\p{L}])(?:${words.join("|")})`, "iu");

export const LABELS = {
  number: label("invoice\\s*(?:no|number|nr|num|id|#)\\.?", "invoice\\s?#", "rechnungs-?\\s?(?:nummer|nr)\\.?", "rechnung\\s*(?:nr\\.?|#)", "beleg-?nr\\.?", "(?:num[ée]ro de )?facture\\s*(?:n[°o]\\.?)?", "发票号码", "发票编号", "发票号", "票据号码"),
  date: label("invoice date", "date of issue", "issue date", "issued(?: on)?", "rechnungsdatum", "belegdatum", "date de (?:la )?facture", "开票日期", "发票日期", "(?<!due |delivery |liefer)date", "datum", "(?<!到期|交货)日期"),
  due: label("due date", "payment due", "due(?: on| by)?", "pay(?:able)? by", "fällig(?:keitsdatum)?(?: am)?", "zahlbar bis", "[ée]ch[ée]ance", "到期日期?", "付款期限", "最迟付款"),
  net: label("sub-?\\s?total", "net(?:to)?\\s?(?:total|amount|betrag|summe)", "net(?:to)?(?!\\s*\\d+\\s*(?:days|tage))", "total excl\\S*(?: (?:vat|tax))?", "zwischensumme", "total ht", "不含税金额", "金额合计", "小计"),
  tax: label("(?:sales )?tax(?! id| no| number)", "vat(?! id| no| reg| number)", "mwst", "ust(?!-?\\s?id)", "mehrwertsteuer", "umsatzsteuer(?!-id)", "tva(?! intra)", "gst(?! no)", "增值税(?!号)", "税额合计", "税额"),
  gross: label("total (?:amount )?(?:due|payable)", "amount due", "balance due", "grand total", "invoice total", "total incl\\S*(?: (?:vat|tax))?", "gesamt(?:betrag|summe)?", "rechnungsbetrag", "bruttobetrag", "brutto", "endbetrag", "zu zahlen(?:der betrag)?", "total ttc", "net [àa] payer", "价税合计", "应付(?:金额|总额)", "总计", "合计(?!税)", "(?<!sub-?\\s?)total(?! (?:net|ht|excl))"),
};

const TERMS = /(?:net(?:to)?|within|innerhalb von|binnen|sous)?\s*(\d{1,3})\s*(?:days?|tagen?|jours|天内|日内)/iu;

/**
 * The first value that stands beside a label: behind it, or, where nothing does, at the start of the next line.
 * @param {(text: string) => any} read gives the value, or null
 */
export function beside(lines, name, read, { isLast = false } = {}) {
  let found = null;
  for (const [index, line] of lines.entries()) {
    const match = LABELS[name].exec(line);
    if (!match) continue;
    const rest = line.slice(match.index + match[0].length);
    const value = read(rest) ?? (/[\p{L}\p{N}]/u.test(rest) ? null : read(lines[index + 1] ?? ""));
    if (value === null || value === undefined) continue;
    if (!isLast) return value;
    found = value;
  }
  return found;
}

/** In how many days it is to be paid, where the text says it so. */
export function termsIn(lines) {
  for (const line of lines) {
    const found = /pay|due|net|zahl|fällig|règlement|付款/iu.test(line) && TERMS.exec(line);
    if (found) return Number(found[1]);
  }
  return null;
}
