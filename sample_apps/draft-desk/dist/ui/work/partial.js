/** What can be read of JSON that is still being written. Pure. */

const SPACE = /\s*/uy;
const PLAIN = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** The value as far as it is there, or undefined: an open text counts as far as it goes, an open name does not. */
export function partialJson(text) {
  return new Reader(text).value();
}

class Reader {
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  value() {
    const next = this.#next();
    if (next === "{") return this.#object();
    if (next === "[") return this.#list();
    return next === '"' ? this.#words().words : this.#plain();
  }

  #next() {
    SPACE.lastIndex = this.#at;
    this.#at += SPACE.exec(this.#text)[0].length;
    return this.#text[this.#at];
  }

  #object() {
    const read = {};
    for (this.#at += 1; this.#next() === '"'; ) {
      const { words: name, isWhole } = this.#words();
      if (!isWhole || this.#next() !== ":") break;
      this.#at += 1;
      const value = this.value();
      if (value === undefined) break;
      read[name] = value;
      if (this.#next() !== ",") break;
      this.#at += 1;
    }
    if (this.#next() === "}") this.#at += 1;
    return read;
  }

  #list() {
    const read = [];
    this.#at += 1;
    while (this.#next() !== undefined && this.#next() !== "]") {
      const value = this.value();
      if (value === undefined) break;
      read.push(value);
      if (this.#next() !== ",") break;
      this.#at += 1;
    }
    if (this.#next() === "]") this.#at += 1;
    return read;
  }

  #words() {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === "\\" ? 2 : 1;
    const isWhole = end < this.#text.length;
    this.#at = Math.min(this.#text.length, end + 1);
    // Half of an escape is not shown: its other half comes with the next piece.
    const raw = this.#text.slice(start + 1, end).replace(isWhole ? /(?!)/u : /\\(?:u[0-9a-fA-F]{0,3})?$/u, "");
    try {
      return { words: JSON.parse(`"${raw.replace(/[\n\r\t]/gu, " ")}"`), isWhole };
    } catch {
      return { words: "", isWhole };
    }
  }

  #plain() {
    PLAIN.lastIndex = this.#at;
    const found = PLAIN.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found === undefined ? undefined : JSON.parse(found);
  }
}

/** A draft as far as it is written, in the form that is shown: everything that is missing is empty. */
export function partialDraft(text) {
  const read = partialJson(text.slice(Math.max(0, text.indexOf("{"))));
  const fields = typeof read === "object" && read !== null && !Array.isArray(read) ? read : {};
  const word = (value) => (typeof value === "string" ? value : "");
  const sections = Array.isArray(fields.sections) ? fields.sections : [];
  return {
    headline: word(fields.headline),
    summary: word(fields.summary),
    sections: sections.map((section) => ({ heading: word(section?.heading), text: word(section?.text) })),
  };
}
