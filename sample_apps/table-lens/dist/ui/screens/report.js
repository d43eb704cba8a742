/** The viewer of kept answers: opened by the host for one of them, or at their list. */

import { h, icon } from "/shared/html.js";
import { momentIn } from "/shared/texts.js";
import { findings } from "/shared/table/answer_view.js";
import { card, plain } from "/shared/parts.js";

export async function reportPage(lime, texts) {
  const wanted = new URLSearchParams(location.search).get("artifact");
  const reports = await lime.artifacts.list({ kind: "table-report" });
  const chosen = reports.find(({ id }) => id === wanted) ?? reports[0];
  const back = h("a", { href: "/", className: "back" }, texts("report.back"));
  if (!chosen) return [back, nothingKept(texts)];
  const report = await readReport(lime, chosen.id);
  return [back, list(reports, chosen, texts), reportCard(lime, report, texts)];
}

/** Read without being led to the viewer, which is here already: an export of the same data. */
async function readReport(lime, artifactId) {
  const { ref } = await lime.artifacts.export({ artifactId, format: "json" });
  const { content } = await lime.files.readRef({ ref });
  await lime.files.releaseRef({ ref });
  return { id: artifactId, ...JSON.parse(content) };
}

const nothingKept = (texts) =>
  h("section", { className: "empty" }, h("div", { className: "sign" }, icon("chart")), h("h1", {}, texts("report.none")), h("p", {}, texts("report.noneText")));

const list = (reports, chosen, texts) =>
  h(
    "nav",
    { className: "reports", "aria-label": texts("report.all") },
    ...reports.map(({ id, title, createdAt }) =>
      h(
        "a",
        { href: `/report?artifact=${encodeURIComponent(id)}`, "aria-current": id === chosen.id ? "true" : null },
        h("span", {}, title),
        h("time", { dateTime: createdAt }, momentIn(texts, createdAt)),
      ),
    ),
  );

function reportCard(lime, report, texts) {
  const { question, source, filters } = report;
  const save = async (format) => {
    const { ref, fileName } = await lime.artifacts.export({ artifactId: report.id, format });
    // Whoever chooses no place has changed their mind, and knows it.
    await lime.ui.download({ ref, fileName }).catch(() => {});
  };
  return card(
    "report",
    question || texts("report.title"),
    ...findings(report, texts),
    h("small", { id: "source" }, texts("answer.source", source), filters.length ? texts("report.filtered", { count: filters.length }) : ""),
    h(
      "div",
      { className: "row" },
      report.png && plain("save-png", texts("answer.png"), () => save("png")),
      report.svg && plain("save-svg", texts("answer.svg"), () => save("svg")),
      plain("save-csv", texts("report.csv"), () => save("csv")),
      plain("save-markdown", texts("report.markdown"), () => save("markdown")),
    ),
  );
}
