/** What becomes of an invoice, without a folder of them: the runs that book, led by hand, and what the page shows of it. */

import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

const INVOICE = { problems: "", supplier: "Nordlicht GmbH", number: "NL-1", date: "2026-11-02", due: "2026-12-02", net: 100, tax: 19, gross: 119, currency: "EUR", iban: "", file: "a.pdf" };
const WORDS = { again: "It is booked already, or not whole." };
const book = (changes, needsPerson = false) => host.workflow.start("book", { needsPerson, invoice: { ...INVOICE, ...changes }, words: WORDS });

test("an invoice whose checks hold is booked once, and is on the list", async () => {
  const run = await book();
  expect(run.state.status).toBe("succeeded");
  expect(run.states).toEqual(["look", "check", "judged", "book", "queue", "prove"]);
  const twice = await book();
  expect(twice.state.waitsFor).toBe("review");
  await twice.answer({ yes: false, message: "The same one." });
  expect(twice.states.at(-1)).toBe("refused");
  await page.role("button", /^Booked/).click();
  await page.text("NL-1").waitFor();
});

test("what does not add up waits for a person, and is booked as they changed it", async () => {
  const run = await book({ number: "NL-2", gross: 129, problems: "The sum is wrong." }, true);
  expect(run.state.waitsFor).toBe("review");
  await run.answer({ yes: true, changed: { ...INVOICE, number: "NL-2" } });
  expect(run.stepIn("book").output.row.gross).toBe(119);
  expect(run.stepIn("book").output.row.byPerson).toBe(true);
});

test("what a person emptied is booked empty, whatever was read from the file", async () => {
  const run = await book({ number: "NL-3", gross: 250, problems: "The sum is wrong." }, true);
  await run.answer({ yes: true, changed: { ...INVOICE, number: "NL-3", net: null, tax: null, gross: 12.5 } });
  const { net, tax, gross } = run.stepIn("book").output.row;
  expect({ net, tax, gross }).toEqual({ net: null, tax: null, gross: 12.5 });
});

test("a supplier that a person enters is on their list", async () => {
  await page.role("button", /^Suppliers/).click();
  await page.role("button", "Add a supplier").click();
  await page.label("Name").fill("Nordlicht GmbH");
  await page.role("button", "Save").click();
  await page.text("Nordlicht GmbH").waitFor();
});
