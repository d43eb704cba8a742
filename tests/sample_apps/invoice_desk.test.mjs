/** Invoice Desk: what the rules read, which checks hold, and the desk on the SDK's mock host. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { ibansIn, isIban, taxNumbersIn, wrongIbanIn } from "../../sample_apps/invoice-desk/dist/ui/reading/accounts.js";
import { getLimeRuntime } from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";
import { Desk } from "../../sample_apps/invoice-desk/dist/ui/desk.js";
import { amountsIn, currencyIn } from "../../sample_apps/invoice-desk/dist/ui/reading/amounts.js";
import { addsUp, duplicateOf, problemsOf } from "../../sample_apps/invoice-desk/dist/ui/reading/checks.js";
import { dayIn, daysLater } from "../../sample_apps/invoice-desk/dist/ui/reading/days.js";
import { readInvoice } from "../../sample_apps/invoice-desk/dist/ui/reading/invoice.js";
import { askForMissing } from "../../sample_apps/invoice-desk/dist/ui/work/asking.js";
import { standingOf } from "../../sample_apps/invoice-desk/dist/ui/work/booking.js";
import { exportBooked } from "../../sample_apps/invoice-desk/dist/ui/work/exporting.js";
import { judge } from "../../sample_apps/invoice-desk/dist/ui/work/intake.js";
import { totalsBySupplier, totalsOf } from "../../sample_apps/invoice-desk/dist/ui/work/totals.js";
import { readMail } from "../../sample_apps/invoice-desk/dist/ui/reading/mail.js";

const IBAN = "DE89370400440532013000";
const NORDLICHT = { id: "s1", name: "Nordlicht GmbH", vatId: "DE123456789", iban: IBAN, taxRate: 19 };
const TODAY = "2026-11-19";

const ENGLISH = `Nordlicht GmbH
Hafenstr. 4, Hamburg
Bill to: Lime Works Ltd
Invoice number: NL-2026-117
Invoice date: 2 November 2026
Payment within 30 days
Subtotal  EUR 1,000.00
VAT 19%  EUR 190.00
Total due  EUR 1,190.00
VAT ID DE123456789  IBAN DE89 3704 0044 0532 0130 00`;

const GERMAN = `Rechnung an: Lime Works Ltd
Rechnungsnummer
4711/26
Rechnungsdatum: 02.11.2026
Nettobetrag 1.000,00 €
zzgl. 19 % MwSt. 190,00 €
Gesamtbetrag inkl. MwSt. 1.190,00 €
Fällig am 2.12.2026
Nordlicht GmbH · USt-IdNr. DE 123 456 789 · ${IBAN}`;

const CHINESE = `发票号码：24312000000012345678
开票日期：2026年11月02日
购买方名称：青柠工作室
销售方名称：杭州云栖科技有限公司
统一社会信用代码：91330106MA2B0QXXXX
合计 ￥1,000.00 ￥60.00
不含税金额：￥1,000.00
税额：￥60.00
价税合计（小写）￥1,060.00`;

test("amounts are read in every notation, and percentages and dates are none", () => {
  const read = (line) => amountsIn(line);
  assert.deepEqual(read("1.234,56 €"), [1234.56]);
  assert.deepEqual(read("$1,234.56"), [1234.56]);
  assert.deepEqual(read("CHF 1'234.50"), [1234.5]);
  assert.deepEqual(read("1 234,56"), [1234.56]);
  assert.deepEqual(read("￥１，２３４．００元"), [1234]);
  assert.deepEqual(read("EUR119.00"), [119]);
  assert.deepEqual(read("119.00EUR"), [119]);
  assert.deepEqual(read("1.234"), [1234]);
  assert.deepEqual(read("12.5"), [12.5]);
  assert.deepEqual(read("-40,00"), [-40]);
  assert.deepEqual(read("40,00-"), [-40]);
  assert.deepEqual(read("VAT 19% 190.00"), [190]);
  assert.deepEqual(read("VAT 7,7 % 7.70"), [7.7]);
  assert.deepEqual(read("on 2026-11-02 and 02.11.2026"), []);
  assert.deepEqual(read("DE123456789"), []);
});

test("the currency is the one that is written most", () => {
  assert.equal(currencyIn("Total 5 € (about $6), 7 EUR"), "EUR");
  assert.equal(currencyIn("价税合计 ￥5"), "CNY");
  assert.equal(currencyIn("合計 ¥5 円"), "JPY");
  assert.equal(currencyIn("five"), null);
});

test("days are read in every notation, and one that can be two is told", () => {
  const day = (text, hint) => dayIn(text, hint)?.day ?? null;
  for (const text of ["2026-11-02", "2.11.2026", "02.11.26", "2 November 2026", "2. November 2026", "Nov 2nd, 2026", "2026年11月2日", "2026/11/2"]) assert.equal(day(text), "2026-11-02", text);
  assert.equal(day("2. Dezember 2026"), "2026-12-02");
  assert.deepEqual(dayIn("03/04/2026"), { day: "2026-04-03", isUnsure: true });
  assert.deepEqual(dayIn("03/04/2026", { isMonthFirst: true }), { day: "2026-03-04", isUnsure: true });
  assert.deepEqual(dayIn("03/24/2026"), { day: "2026-03-24", isUnsure: false });
  assert.equal(day("2026-02-30"), null);
  assert.equal(day("soon"), null);
  assert.equal(daysLater("2026-12-20", 30), "2027-01-19");
});

test("an account counts only where its check digits are right", () => {
  assert.deepEqual(ibansIn("IBAN DE89 3704 0044 0532 0130 00 BIC ABC"), [IBAN]);
  assert.deepEqual(ibansIn("IBAN DE88 3704 0044 0532 0130 00"), []);
  assert.equal(isIban("GB82WEST12345698765432"), true);
  assert.equal(wrongIbanIn("IBAN DE88 3704 0044 0532 0130 00 BIC ABC"), "DE88370400440532013000");
  assert.equal(wrongIbanIn("iban: DE89 3704 0044 0532 0130 00"), "");
  assert.equal(wrongIbanIn("No IBAN is known. DE123456789"), "");
  assert.deepEqual(taxNumbersIn("USt-IdNr. DE 123 456 789"), ["DE123456789"]);
});

test("an English invoice of a known supplier", () => {
  const read = readInvoice({ text: ENGLISH }, [NORDLICHT]);
  assert.deepEqual(
    { ...read, ibans: undefined, taxNumbers: undefined },
    {
      supplier: "Nordlicht GmbH", supplierId: "s1", knownBy: "vatId", number: "NL-2026-117", date: "2026-11-02", isDateUnsure: false,
      due: "2026-12-02", net: 1000, tax: 190, gross: 1190, currency: "EUR", iban: IBAN, wrongIban: "", ibans: undefined, taxNumbers: undefined,
    },
  );
  assert.deepEqual(problemsOf(read, { suppliers: [NORDLICHT], today: TODAY }), []);
});

test("a German invoice, with its number in the next line", () => {
  const { supplier, number, date, due, net, tax, gross, currency } = readInvoice({ text: GERMAN }, [NORDLICHT]);
  assert.deepEqual({ supplier, number, date, due, net, tax, gross, currency }, { supplier: "Nordlicht GmbH", number: "4711/26", date: "2026-11-02", due: "2026-12-02", net: 1000, tax: 190, gross: 1190, currency: "EUR" });
});

test("a Chinese invoice of a supplier whom nobody knows yet", () => {
  const read = readInvoice({ text: CHINESE }, [NORDLICHT]);
  const { supplier, number, date, net, tax, gross, currency } = read;
  assert.deepEqual({ supplier, number, date, net, tax, gross, currency }, { supplier: "杭州云栖科技有限公司", number: "24312000000012345678", date: "2026-11-02", net: 1000, tax: 60, gross: 1060, currency: "CNY" });
  assert.deepEqual(problemsOf(read, { suppliers: [], today: TODAY }).map(({ code }) => code), ["unknown"]);
});

test("a number may have a word before it, and ends where the next thing begins", () => {
  const number = (line) => readInvoice({ text: line }, []).number;
  assert.equal(number("Invoice number: RE 2026-17  Page 1"), "RE 2026-17");
  assert.equal(number("Invoice #4711"), "4711");
  assert.equal(number("Rechnung Nr. 12/2026."), "12/2026");
  assert.equal(number("Invoice from Nordlicht"), "");
  assert.equal(number("Invoice number: none"), "");
});

test("what is not there stays empty, and is named", () => {
  const read = readInvoice({ text: "Dear all,\nsee you on Monday.\n" }, [NORDLICHT]);
  assert.deepEqual(problemsOf(read, { suppliers: [NORDLICHT], today: TODAY }).map(({ code }) => code), ["missing.supplier", "missing.number", "missing.date", "missing.gross", "missing.currency"]);
});

test("each check that does not hold is named", () => {
  const whole = readInvoice({ text: ENGLISH }, [NORDLICHT]);
  const codes = (changes, suppliers = [NORDLICHT]) => problemsOf({ ...whole, ...changes }, { suppliers, today: TODAY }).map(({ code }) => code);
  assert.deepEqual(codes({ gross: 1191 }), ["totals"]);
  assert.deepEqual(codes({ gross: 1190.02 }), []);
  assert.deepEqual(codes({ net: 1100, tax: 90 }), ["rate"]);
  assert.deepEqual(codes({ net: null, tax: null }), ["split"]);
  assert.deepEqual(codes({ net: null, tax: null }, [{ ...NORDLICHT, taxRate: 0 }]), []);
  assert.deepEqual(codes({ iban: "GB82WEST12345698765432" }), ["account"]);
  assert.deepEqual(codes({ iban: "", wrongIban: "DE88370400440532013000" }), ["iban"]);
  assert.deepEqual(codes({ date: "2026-11-20", due: "2026-11-25" }), ["future"]);
  assert.deepEqual(codes({ due: "2026-11-01" }), ["due"]);
  assert.deepEqual(codes({ isDateUnsure: true }), ["unsure"]);
  assert.deepEqual(codes({ gross: -1190, net: -1000, tax: -190 }), ["credit"]);
  assert.deepEqual(codes({ byModel: ["number"] }), ["model"]);
  assert.equal(addsUp({ net: 0.1, tax: 0.2, gross: 0.3 }), true);
});

test("the same number of the same supplier is the same invoice, however it is set", () => {
  const booked = [{ supplier: "Nordlicht GmbH", number: "NL-2026-117" }];
  assert.equal(duplicateOf({ supplier: "NORDLICHT GmbH", number: "nl 2026/117" }, booked), booked[0]);
  assert.equal(duplicateOf({ supplier: "Nordlicht GmbH", number: "NL-2026-118" }, booked), null);
  assert.equal(duplicateOf({ supplier: "", number: "NL-2026-117" }, booked), null);
});

test("a supplier is not taken for another whose name begins likewise", () => {
  const suppliers = [{ id: "a", name: "Nord" }, { id: "b", name: "Nordlicht" }];
  assert.equal(readInvoice({ text: "Nordlicht\nInvoice no: 5" }, suppliers).supplierId, "b");
});

test("a mail is read with its sender, its words and the names of what hangs on it", () => {
  const mail = [
    "From: =?utf-8?B?Tm9yZGxpY2h0IEdtYkg=?= <billing@nordlicht.example>",
    "Subject: Invoice",
    ' NL-9',
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "Total due: 119,00 =E2=82=AC and =",
    "no more",
    "--b",
    'Content-Type: application/pdf; name="a.pdf"',
    "Content-Disposition: attachment",
    "",
    "xx",
    "--b--",
    "",
  ].join("\r\n");
  assert.deepEqual(readMail(new TextEncoder().encode(mail)), { text: "Invoice NL-9\nTotal due: 119,00 € and no more", sender: "Nordlicht GmbH", attachments: ["a.pdf"] });
});

test("a page in a mail gives its words and nothing else", () => {
  const mail = "From: a@b.example\r\nContent-Type: text/html\r\n\r\n<style>x</style><p>Total&nbsp;due</p><script>1</script><b>5&euro;</b>";
  const { text, sender } = readMail(new TextEncoder().encode(mail));
  assert.deepEqual([text.trim(), sender], ["Total due\n5€", "a@b.example"]);
});

test("what cannot be read says why, and what is under way already is a duplicate", () => {
  const known = { suppliers: [NORDLICHT], others: [{ supplier: "Nordlicht GmbH", number: "NL-2026-117", file: "a.pdf" }], today: TODAY };
  assert.deepEqual(judge({ text: " ", attachments: [] }, known).problems.map(({ code }) => code), ["scan"]);
  assert.deepEqual(judge({ text: "See the file.", attachments: ["a.pdf"] }, known).problems, [{ code: "attached", values: { names: "a.pdf" } }]);
  const { kind, of } = judge({ text: ENGLISH, attachments: [] }, known);
  assert.deepEqual([kind, of.file], ["duplicate", "a.pdf"]);
});

test("how an arrival stands is read from its run and from the books", () => {
  const arrival = { kind: "run", runId: "r" };
  const standing = (run, booked = []) => standingOf(arrival, new Map(run ? [["r", run]] : []), booked);
  assert.equal(standing({ status: "waiting", waitsFor: "review" }), "waiting");
  assert.equal(standing({ status: "waiting", waitsFor: "retry" }), "failed");
  assert.equal(standing({ status: "running" }), "working");
  assert.equal(standing({ status: "cancelled" }), "rejected");
  assert.equal(standing({ status: "succeeded" }, [{ runId: "r" }]), "booked");
  assert.equal(standing({ status: "succeeded" }), "removed");
});

test("amounts of two currencies are never added, sums are exact, and what is not known is no sum", () => {
  const rows = [
    { supplier: "A", currency: "EUR", net: 0.1, tax: null, gross: 0.1 },
    { supplier: "A", currency: "EUR", net: 0.2, tax: 0, gross: 0.2 },
    { supplier: "A", currency: "USD", net: 1, tax: 0, gross: 1 },
  ];
  assert.deepEqual(totalsOf(rows), [{ currency: "EUR", count: 2, net: 0.3, tax: null, gross: 0.3 }, { currency: "USD", count: 1, net: 1, tax: 0, gross: 1 }]);
  assert.deepEqual(totalsBySupplier(rows).map(({ currency, gross }) => [currency, gross]), [["EUR", 0.3], ["USD", 1]]);
});

async function connected(output) {
  const host = createMockHost({ appId: "invoice-desk" });
  const asked = [];
  host.answer("lime.agent", "startTask", (params) => (asked.push(params), { taskId: "t1" }));
  host.answer("lime.agent", "streamTask", () => [{ type: "result", sequence: 1, payload: {} }]);
  host.answer("lime.agent", "getTask", () => ({ result: { subtype: "success", text: "", output } }));
  return { host, asked, lime: await getLimeRuntime({ appId: "invoice-desk", transport: host.transport }) };
}

test("a model is asked for what is missing alone, and what it says is used only where it stands in the text", async () => {
  const { lime, asked } = await connected({ number: "NL-9", gross: "1.190,00", due: "2026-12-24", supplier: "Somebody Else" });
  const text = "Beleg NL-9\nSumme 1.190,00 EUR";
  const invoice = { supplier: "Nordlicht GmbH", number: "", date: "2026-11-02", due: "", net: 1000, tax: 190, gross: null, currency: "EUR", iban: IBAN };
  const found = await askForMissing(lime, invoice, text, { title: "a.pdf" });
  assert.deepEqual(asked[0].input.fields, ["number", "due", "gross"]);
  assert.deepEqual(found, { ...invoice, number: "NL-9", gross: 1190, byModel: ["number", "gross"] });
});

test("without a model no agent is asked, and the desk says what to do", async () => {
  const host = createMockHost({ appId: "invoice-desk", snapshot: { models: { status: "none" } } });
  host.answer("lime.agent", "startTask", () => assert.fail("no model is there to be asked"));
  const lime = await getLimeRuntime({ appId: "invoice-desk", transport: host.transport });
  const desk = new Desk(lime, () => (key) => key);
  await desk.load();
  assert.deepEqual([desk.isLoaded, desk.hasModel, desk.folder], [true, false, null]);
  await desk.askModel("a");
  assert.equal(desk.problem.error.code, "no_model");
});

test("what is shown of a booked invoice is what was booked, and not what was read first", () => {
  const desk = new Desk(null, () => (key) => key);
  const [read, changed] = [{ supplier: "Acme", gross: 250 }, { runId: "r", supplier: "Acme", gross: 238 }];
  desk.booked = [changed];
  assert.equal(desk.shownOf({ kind: "run", runId: "r", invoice: read }), changed);
  assert.equal(desk.shownOf({ kind: "run", runId: "other", invoice: read }), read);
  assert.equal(desk.shownOf({ kind: "unreadable", runId: null, invoice: null }), null);
});

test("a list is written with the heads and words that the person reads", async () => {
  const { host, lime } = await connected();
  const made = [];
  host.answer("lime.artifacts", "create", (params) => (made.push(params), { id: "a1" }));
  host.answer("lime.artifacts", "export", () => ({ ref: "ref:1", fileName: "a.xlsx" }));
  host.answer("lime.ui", "download", () => ({}));
  const row = { date: "2026-11-02", supplier: "Acme", number: "1", net: null, gross: 238, currency: "EUR", byPerson: true, runId: "r" };
  await exportBooked(lime, [row], "xlsx", "List", (key) => `«${key}»`);
  const [written] = made[0].content.rows;
  assert.equal(written["«fields.gross»"], 238);
  assert.equal(written["«fields.net»"], "");
  assert.equal(written["«fields.byPerson»"], "«export.yes»");
  assert.equal("runId" in written, false);
});

test("a supplier that is removed comes back by undo", async () => {
  const { lime } = await connected();
  let hear = () => {};
  const desk = new Desk(lime, () => (key) => key, () => hear());
  await desk.load();
  await desk.keepSupplier({ ...NORDLICHT });
  await desk.removeSupplier("s1");
  assert.deepEqual(desk.suppliers, []);
  const isBack = new Promise((resolve) => (hear = () => desk.suppliers.length === 1 && resolve()));
  desk.undo();
  await isBack;
  assert.deepEqual((await lime.storage.table("supplier").query()).rows.map(({ name }) => name), ["Nordlicht GmbH"]);
});
