/** Comma-separated text, piece by piece: quotes, line ends inside quotes, and whichever separator the file uses. */

const SEPARATORS = [",", ";", "\t", "|"];

/** The separator that stands most often in the first line, outside quotes. */
export function separatorOf(text) {
  const [first] = text.replace(/"[^"]*"/g, "").split(/\r?\n/, 1);
  const count = (separator) => first.split(separator).length;
  return SEPARATORS.reduce((best, each) => (count(each) > count(best) ? each : best));
}

export class CsvReader {
  #separator;
  #stops;
  #cell = "";
  #row = [];
  #isQuoted = false;
  #wasQuote = false;

  constructor(separator) {
    this.#separator = separator;
    this.#stops = new RegExp(`[\\n\\r"${separator}]`, "g");
  }

  /** Take a piece of text, and give the rows that are complete with it. */
  push(text) {
    const rows = [];
    let at = 0;
    while (at < text.length) at = this.#isQuoted ? this.#readQuoted(text, at) : this.#readPlain(text, at, rows);
    return rows;
  }

  /** The last row, where the file does not end with a line end. */
  end() {
    const rows = [];
    if (this.#cell !== "" || this.#row.length > 0) this.#endRow(rows);
    return rows;
  }

  /** Go on to the next quote; two of them are one quote, one is the end. */
  #readQuoted(text, at) {
    if (this.#wasQuote) {
      this.#wasQuote = false;
      this.#isQuoted = text[at] === '"';
      if (!this.#isQuoted) return at;
      this.#cell += '"';
      return at + 1;
    }
    const end = text.indexOf('"', at);
    this.#wasQuote = end !== -1;
    this.#cell += text.slice(at, this.#wasQuote ? end : undefined);
    return this.#wasQuote ? end + 1 : text.length;
  }

  /** Go on to whatever ends a cell or begins a quoted one. */
  #readPlain(text, at, rows) {
    this.#stops.lastIndex = at;
    const stop = this.#stops.exec(text);
    this.#cell += text.slice(at, stop?.index);
    if (stop === null) return text.length;
    if (stop[0] === this.#separator) this.#endCell();
    else if (stop[0] === "\n") this.#endRow(rows);
    else if (stop[0] === '"' && this.#cell === "") this.#isQuoted = true;
    else if (stop[0] === '"') this.#cell += '"';
    return stop.index + 1;
  }

  #endCell() {
    this.#row.push(this.#cell);
    this.#cell = "";
  }

  #endRow(rows) {
    this.#endCell();
    if (this.#row.length > 1 || this.#row[0] !== "") rows.push(this.#row);
    this.#row = [];
  }
}
