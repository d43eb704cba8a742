import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

const inPage = () => document.querySelector("iframe").contentDocument;

async function openFolder() {
  await page.css("#choose").click();
  await host.chooseFile("folder");
  await page.text("4 files, all read.").waitFor();
}

async function ask(question) {
  await page.css("#question").fill(question);
  await page.css("#question").press("Enter");
}

test("an empty desk has the keyboard where a folder is chosen", async () => {
  await page.css("#choose").waitFor();
  expect(inPage().activeElement.id).toBe("choose");
});

test("a chosen folder is read, and the keyboard is where the question is typed", async () => {
  await openFolder();
  expect(await page.css("#file-list .file").count()).toBe(4);
  expect(inPage().activeElement.id).toBe("question");
});

test("an answer cites its passages, and a citation opens the document at its page", async () => {
  await openFolder();
  await ask("When does the ferry leave?");
  await page.css("#answer .cite").waitFor();
  expect(await page.css("#source-1").text()).toMatch("timetable.pdf, page 2");
  await page.css("#answer .cite").click();
  await page.css("#cited").waitFor();
  expect(await page.css("#cited").text()).toMatch("leaves at 08:15");
  expect(inPage().querySelector("#cited").closest("section").querySelector(".page-of").textContent).toBe("Page 2");
  expect(inPage().activeElement.id).toBe("close-document");
  await page.css("#close-document").press("Escape");
  await page.css("#cited").waitForGone();
});

test("an answer that takes too long can be stopped, and the passages stay", async () => {
  await openFolder();
  await ask("Take your time about the ferry");
  await page.css("#sources .source").nth(0).waitFor();
  await page.text("Waiting for the model’s answer. The passages are below.").waitFor();
  await page.css("#stop").click();
  await page.text("Stopped.").waitFor();
  await page.css("#sources .source").nth(0).waitFor();
});

test("without a model the passages are shown with the words marked, and no answer", async () => {
  await host.model(false);
  await openFolder();
  await ask("When does the ferry leave?");
  await page.text("No model is set up to answer").waitFor();
  expect(await page.css("#source-1 mark").nth(0).text()).toMatch(/ferry/i);
  expect(await page.css("#answer").count()).toBe(0);
});

test("a question that a table answers gets a figure with computed numbers", async () => {
  await host.model(false);
  await openFolder();
  await ask("What is the total amount for each person?");
  await page.css(".chart").waitFor();
  expect(await page.css("#planned").text()).toBe("Sum of amount for each person");
  const words = [...inPage().querySelectorAll(".chart text")].map((each) => each.textContent).join(" ");
  expect(words).toBe("Ben 60.5 Anna 54.5 Chen 16.5");
  await page.css("#plan summary").click();
  await page.css("#plan-group").choose("item");
  await page.text("Sum of amount for each item").waitFor();
});

test("a question for months gets them in their order, and they can be chosen by hand", async () => {
  await host.model(false);
  await openFolder();
  await ask("What is the total amount by month?");
  await page.css(".chart").waitFor();
  expect(await page.css("#planned").text()).toBe("Sum of amount for each month (day)");
  const words = () => [...inPage().querySelectorAll(".chart text")].map((each) => each.textContent).join(" ");
  expect(words()).toBe("2026-05 103 2026-06 28.5");
  await page.css("#plan summary").click();
  await page.css("#plan-group").choose("day, by year");
  await page.text("Sum of amount for each year (day)").waitFor();
  expect(words()).toBe("2026 131.5");
});

test("a row of a table opens where it stands", async () => {
  await host.model(false);
  await openFolder();
  await ask("museum");
  await page.css("#source-1").click();
  await page.css("tr.cited").nth(0).waitFor();
  expect(inPage().querySelector("#document h2").textContent).toBe("costs.csv");
});

test("a question of which nothing is said asks nobody", async () => {
  await openFolder();
  await ask("zeppelin");
  await page.text("No document speaks of this").waitFor();
  expect(await page.css("#write-report").count()).toBe(0);
});

test("a closed folder comes back by Undo", async () => {
  await openFolder();
  await page.css("#close-folder").click();
  await page.text("Drop a folder here").waitFor();
  await page.css("#undo").click();
  await page.text("4 files, all read.").waitFor();
});

test("of several changes of the language the last one holds, whichever texts come last", async () => {
  await page.css("#choose").waitFor();
  const frame = document.querySelector("iframe").contentWindow;
  const { fetch } = frame;
  const asked = Promise.withResolvers();
  const letGo = Promise.withResolvers();
  const told = Promise.withResolvers();
  frame.fetch = async (address) => {
    const texts = await (await fetch.call(frame, address)).json();
    asked.resolve();
    await letGo.promise;
    return { json: async () => texts };
  };
  await host.locale("zh-CN");
  await asked.promise;
  frame.fetch = fetch;
  frame.addEventListener("message", ({ data }) => data.payload?.host?.locale === "en" && told.resolve());
  await host.locale("en");
  await told.promise;
  letGo.resolve();
  // A turn of the page: what waited for the texts has gone on.
  await new Promise((resolve) => frame.setTimeout(resolve));
  await page.role("button", "Choose a folder…").waitFor();
  expect(inPage().documentElement.lang).toBe("en");
});
