import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

async function askAbout(question) {
  await page.css("#choose").click();
  await host.chooseFile("folder");
  await page.text("4 files, all read.").waitFor();
  await page.css("#question").fill(question);
  await page.css("#question").press("Enter");
  await page.css("#write-report").waitFor();
}

test("a report is written by a model from the passages, and says so", async () => {
  await askAbout("When does the ferry leave?");
  await page.css("#write-report").click();
  await page.css("#draft-text").waitFor();
  expect(await page.css("#draft-text").text()).toMatch("leaves at 08:15");
  expect(await page.css("#draft-text").text()).toMatch("timetable.pdf, page 2");
  await page.text(/Written by a model from your documents/).waitFor();
});

test("without a model a report is put together by a template, and says so", async () => {
  await host.model(false);
  await askAbout("What is the total amount for each person?");
  await page.css("#write-report").click();
  await page.text(/Put together from your documents by a template/).waitFor();
  expect(await page.css("#draft-text table").text()).toMatch("60.5");
  await page.css("#no-revision").waitFor();
});

test("only passages that stay ticked go into a draft", async () => {
  await host.model(false);
  await askAbout("When does the ferry leave?");
  await page.css("#sources input").nth(0).check(false);
  await page.css("#write-mail").click();
  await page.css("#draft-text").waitFor();
  const text = await page.css("#draft-text").text();
  expect(text.includes("Departures")).toBe(false);
  expect(text).toMatch("Subject: When does the ferry leave?");
});

test("a change is shown as a difference, and made when the person approves it", async () => {
  await askAbout("When does the ferry leave?");
  await page.css("#write-report").click();
  await page.css("#wish").fill("Say when to be there");
  await page.css("#wish").press("Enter");
  await page.css("#proposal ins").nth(0).waitFor();
  await host.answer({ yes: true });
  await page.text("Approved. The draft is changed.").waitFor();
  expect(await page.css("#draft-text").text()).toMatch("Be at the harbour early");
  await page.css("#undo").click();
  await page.text(/Sources/).waitFor();
});

test("a template's draft that a model changed says so, and is the template's again by Undo", async () => {
  await host.model(false);
  await askAbout("When does the ferry leave?");
  await page.css("#write-report").click();
  await page.text(/Put together from your documents by a template/).waitFor();
  await host.model(true);
  await page.css("#wish").fill("Say when to be there");
  await page.css("#wish").press("Enter");
  await host.answer({ yes: true });
  await page.text("Put together by a template, then changed by a model as you approved. Check it before you use it.").waitFor();
  await page.css("#undo").click();
  await page.text(/because no model is set up/).waitFor();
});

test("a change that has nothing to do with the text is not used, and nothing is said to have stopped", async () => {
  await askAbout("When does the ferry leave?");
  await page.css("#write-report").click();
  await page.css("#wish").fill("Say it in riddles");
  await page.css("#wish").press("Enter");
  await page.text("What the model wrote is not used.").waitFor();
  await page.text(/Nothing was changed\./).waitFor();
  expect(await page.css("#proposal").count()).toBe(0);
});

test("a rejected change leaves the draft as it was", async () => {
  await askAbout("When does the ferry leave?");
  await page.css("#write-report").click();
  await page.css("#draft-text").waitFor();
  const before = await page.css("#draft-text").text();
  await page.css("#wish").fill("Say when to be there");
  await page.css("#wish").press("Enter");
  await page.css("#proposal").waitFor();
  await host.answer({ yes: false });
  await page.text("Rejected. Nothing was changed.").waitFor();
  expect(await page.css("#draft-text").text()).toBe(before);
});

test("a draft is saved as a document, and deleted with a way back", async () => {
  await host.model(false);
  await askAbout("ferry");
  await page.css("#write-report").click();
  await page.css("#save-document").click();
  await page.text("Saved as version 1 in Documents.").waitFor();
  await page.css("#delete-draft").click();
  await page.css("#draft-list").waitForGone();
  await page.css("#undo").click();
  await page.css("#draft-text").waitFor();
});
