/** The tables: what is booked, the person's suppliers, and every file that was looked at. */

const PAGE = 1_000;

export class Books {
  #lime;

  constructor(lime) {
    this.#lime = lime;
  }

  arrivals = () => this.#all("arrival", [{ field: "seenAt", direction: "desc" }]);
  booked = () => this.#all("invoice", [{ field: "date", direction: "desc" }]);
  suppliers = async () => (await this.#all("supplier")).sort((one, other) => one.name.localeCompare(other.name));

  keepArrival = (arrival) => this.#lime.storage.table("arrival").upsert(arrival);
  removeArrival = ({ id }) => this.#lime.storage.table("arrival").delete(id);
  keepSupplier = (supplier) => this.#lime.storage.table("supplier").upsert(supplier);
  removeSupplier = ({ id }) => this.#lime.storage.table("supplier").delete(id);

  /** Take an invoice out of the books and out of the next report, and say so for later proof. */
  async unbook(row) {
    const waiting = await this.#lime.storage.table("unreported").get(row.id);
    await this.#lime.storage.table("invoice").delete(row.id);
    if (waiting) await this.#lime.storage.table("unreported").delete(row.id);
    await this.#lime.evidence.record({ kind: "invoice_unbooked", subject: row.id, sources: [row] });
    return { row, isUnreported: Boolean(waiting) };
  }

  /** Put it back as it was. */
  async rebook({ row, isUnreported }) {
    await this.#lime.storage.table("invoice").insert(row);
    if (isUnreported) await this.#lime.storage.table("unreported").upsert(row);
    await this.#lime.evidence.record({ kind: "invoice_rebooked", subject: row.id, sources: [row] });
  }

  async #all(table, orderBy = []) {
    const rows = [];
    let cursor;
    do {
      const page = await this.#lime.storage.table(table).query({ orderBy, limit: PAGE, ...(cursor && { cursor }) });
      rows.push(...page.rows);
      cursor = page.nextCursor;
    } while (cursor);
    return rows;
  }
}
