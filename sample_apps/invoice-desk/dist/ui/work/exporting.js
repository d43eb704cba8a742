/** What leaves the app: lists for a spreadsheet, and the reports that the schedule wrote. */

const COLUMNS = ["date", "supplier", "number", "net", "tax", "gross", "currency", "due", "iban", "file", "byPerson"];

/** Write booked invoices to a place that the person chooses, as they read them; says whether they chose one. */
export async function exportBooked(lime, rows, format, title, texts) {
  const said = (name, value) => (name === "byPerson" ? texts(value ? "export.yes" : "export.no") : value ?? "");
  const listed = rows.map((row) => Object.fromEntries(COLUMNS.map((name) => [texts(`fields.${name}`), said(name, row[name])])));
  const kept = await lime.artifacts.create({ kind: "invoice-list", title, content: { rows: listed, madeAt: new Date().toISOString() } });
  return saveAs(lime, kept.id, format);
}

async function saveAs(lime, artifactId, format) {
  const { ref, fileName } = await lime.artifacts.export({ artifactId, format });
  try {
    await lime.ui.download({ ref, fileName }, { operation: "export_list" });
    return true;
  } catch (error) {
    // Closing the chooser is a choice too.
    if (error.code === "cancelled") return false;
    throw error;
  }
}

export const listReports = (lime) => lime.artifacts.list({ kind: "invoice-report" });

/** What a report says, without being led to its viewer: an export of the same data. */
export async function readReport(lime, artifactId) {
  const { ref } = await lime.artifacts.export({ artifactId, format: "json" });
  const { content } = await lime.files.readRef({ ref });
  await lime.files.releaseRef({ ref }).catch(() => {});
  return JSON.parse(content);
}
