/** The head of the page: the folder, what goes on, and the four views. */

import { h, icon, iconButton } from "/shared/html.js";
import { plain } from "/shared/parts.js";

const VIEWS = ["inbox", "booked", "suppliers", "reports"];

export function topOf(desk, texts) {
  return [h("div", { className: "bar" }, folder(desk, texts), h("span", { className: "spring" }), ...actions(desk, texts)), tabs(desk, texts), progress(desk, texts)];
}

function folder({ folder: open }, texts) {
  return h("p", { id: "folder" }, icon("folder"), h("span", { className: "name", title: open?.name }, open ? open.name : texts("folder.none")));
}

function actions(desk, texts) {
  const disabled = desk.busy !== null;
  if (desk.folder === null) return desk.arrivals.length > 0 || desk.booked.length > 0 ? [plain("choose-top", texts("folder.open"), () => desk.choose(), { disabled })] : [];
  return [
    plain("look", texts("folder.look"), () => desk.lookAgain(), { disabled, keys: "Ctrl+Shift+L" }),
    iconButton("folder", texts("folder.other"), () => desk.choose(), { id: "other-folder", disabled }),
    iconButton("close", texts("folder.close"), () => desk.closeFolder(), { id: "close-folder", disabled }),
  ];
}

function tabs(desk, texts) {
  const counts = { inbox: desk.waiting, booked: desk.booked.length, suppliers: desk.suppliers.length, reports: desk.reports.length };
  return h("nav", { "aria-label": texts("views.name") }, ...VIEWS.map((view) => tab(desk, view, counts[view], texts)));
}

function tab(desk, view, count, texts) {
  const badge = count > 0 && h("span", { className: view === "inbox" ? "count urgent" : "count" }, String(count));
  const label = view === "inbox" && count > 0 ? texts("views.waiting", { count }) : undefined;
  return h("button", { type: "button", id: `to-${view}`, "aria-current": desk.view === view ? "page" : null, title: label, onclick: () => desk.go(view) }, texts(`views.${view}`), badge);
}

function progress(desk, texts) {
  const { busy } = desk;
  if (!["read", "ask", "report"].includes(busy?.kind)) return null;
  const bar = h("progress", { "aria-label": texts(`busy.${busy.kind}`), max: 1 });
  if (busy.all > 0) bar.value = busy.done / busy.all;
  const words = busy.all > 0 ? texts("busy.reading", { done: busy.done + 1, all: busy.all }) : texts(`busy.${busy.kind}`);
  return h("div", { className: "working" }, h("div", { className: "row" }, h("p", { role: "status" }, words), h("span", { className: "spring" }), plain("stop", texts("page.stop"), () => desk.stop())), bar);
}
