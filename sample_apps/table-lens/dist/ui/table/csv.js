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
  #cell = "";
  #row = [];
  #isQuoted = false;
  #wasQuote = false;

  constructor(separator) {
    this.#separator = separator;
  }

  /** Take a piece of text, and give the rows that are complete with it. */
  push(text) {
    const rows = [];
    for (const character of text) {
      if (this.#isQuoted) this.#readQuoted(character, rows);
      else this.#readPlain(character, rows);
    }
    return rows;
  }

  /** The last row, where the file does not end with a line end. */
  end() {
    const rows = [];
    if (this.#cell !== "" || this.#row.length > 0) this.#endRow(rows);
    return rows;
  }

  #readQuoted(character, rows) {
    if (this.#wasQuote) {
      this.#wasQuote = false;
      // Two quotes are one quote; one quote is the end.
      if (character === '"') this.#cell += '"';
      else {
        this.#isQuoted = false;
        this.#readPlain(character, rows);
      }
    } else if (character === '"') this.#wasQuote = true;
    else this.#cell += character;
  }

  #readPlain(character, rows) {
    if (character === '"' && this.#cell === "") this.#isQuoted = true;
    else if (character === this.#separator) this.#endCell();
    else if (character === "\n") this.#endRow(rows);
    else if (character !== "\r") this.#cell += character;
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
