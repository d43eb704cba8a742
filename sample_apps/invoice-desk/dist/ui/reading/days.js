/** Days as people write them: `2026-11-02`, `2.11.2026`, `Nov 2, 2026`, `2. November 2026`, `2026年11月2日`. As `2026-11-02`. */

const MONTHS = [
  ["jan", "jän", "janv"], ["feb", "fév", "fev"], ["mar", "mär", "mrz"], ["apr", "avr"], ["may", "mai"], ["jun", "juin"],
  ["jul", "juil"], ["aug", "aoû", "aou"], ["sep"], ["oct", "okt"], ["nov"], ["dec", "dez", "déc"],
];

const FORMS = [
  [/(\d{4})\s?[年]\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/u, ([, y, m, d]) => [y, m, d]],
  [/(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/u, ([, y, m, d]) => [y, m, d]],
  [/(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?!\d)/u, ([, d, m, y]) => [year(y), m, d]],
  [/(?<!\d)(\d{1,2})(?:\.|st|nd|rd|th)?\s+(\p{L}{3,})\.?,?\s+(\d{4})(?!\d)/u, ([, d, m, y]) => [y, monthNamed(m), d]],
  [/(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/u, ([, m, d, y]) => [y, monthNamed(m), d]],
];
/** Which of both is the month nobody can tell, unless one of them cannot be. */
const SLASHED = /(?<!\d)(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/;

/**
 * The first day in a text.
 * @param {{isMonthFirst?: boolean}} [hint] how `03/04/2026` is read where nothing else says
 * @returns {{day: string, isUnsure: boolean} | null}
 */
export function dayIn(text, { isMonthFirst = false } = {}) {
  const found = FORMS.map(([form, order]) => [form.exec(text), order])
    .filter(([match]) => match)
    .map(([match, order]) => ({ at: match.index, day: dayOf(...order(match)) }))
    .filter(({ day }) => day !== null)
    .sort((one, other) => one.at - other.at);
  const slashed = SLASHED.exec(text);
  if (slashed && (found.length === 0 || slashed.index < found[0].at)) return slashedDay(slashed, isMonthFirst);
  return found.length > 0 ? { day: found[0].day, isUnsure: false } : null;
}

/** The day that lies so many days after another. */
export function daysLater(day, count) {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}

function slashedDay([, first, second, written], isMonthFirst) {
  const isUnsure = Number(first) <= 12 && Number(second) <= 12 && first !== second;
  const readsMonth = Number(second) > 12 || (isUnsure && isMonthFirst);
  const day = readsMonth ? dayOf(written, first, second) : dayOf(written, second, first);
  return day && { day, isUnsure };
}

function dayOf(y, m, d) {
  const text = [String(y).padStart(4, "0"), String(m).padStart(2, "0"), String(d).padStart(2, "0")].join("-");
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null;
}

const year = (written) => (written.length === 2 ? `20${written}` : written);

function monthNamed(name) {
  const index = MONTHS.findIndex((starts) => starts.some((start) => name.toLowerCase().startsWith(start)));
  return index === -1 ? "00" : index + 1;
}
