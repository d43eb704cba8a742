import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

async function openOrders() {
  await page.css("#pick").click();
  await host.chooseFile("orders.csv");
  await page.text("3 of 3 rows").waitFor();
}

test("a question is answered by numbers that the app computed", async () => {
  await openOrders();
  await page.css("#question").fill("Where most?");
  await page.css("#ask").click();
  await page.text(/Sum of amount for each region/).waitFor();
});

test("a question that takes too long can be stopped", async () => {
  await openOrders();
  await page.css("#question").fill("Take your time");
  await page.css("#ask").click();
  await page.css("#stop").waitFor();
  expect(await page.css("#asked").text()).toBe("Take your time");
  await page.css("#stop").click();
  await page.text(/Nothing was changed/).waitFor();
  await page.css("#plan summary").click();
  await page.css("#compute").click();
  await page.css("#answer").waitFor();
  await page.text(/Nothing was changed/).waitForGone();
});

test("a model that chooses nothing leaves the question to its keywords, and the page says so", async () => {
  await openOrders();
  await page.css("#question").fill("which region has the most amount?");
  await page.css("#ask").click();
  await page.text(/Sum of amount for each region/).waitFor();
  await page.text(/The model chose no computation that answers this, so/).waitFor();
});

test("a model that gives one total where the question is which of several is not believed", async () => {
  await openOrders();
  await page.css("#question").fill("哪个 地区 卖得 最多");
  await page.css("#ask").click();
  await page.text(/Sum of amount for each region/).waitFor();
  await page.text(/was read by its keywords/).waitFor();
  await page.css("#question").fill("哪家店卖得最多");
  await page.css("#ask").click();
  await page.text(/of what was not understood/).waitFor();
  expect(await page.css("#answer").text()).toBe("Answer");
});

test("a question that is refused does not head the answer to another one", async () => {
  await openOrders();
  await page.css("#question").fill("Where most?");
  await page.css("#ask").click();
  await page.role("heading", "Where most?").waitFor();
  await host.permit("use-model", false);
  await page.css("#question").fill("Average amount");
  await page.css("#ask").click();
  await host.answer({ yes: false });
  await page.text(/You did not allow this/).waitFor();
  expect(await page.css("#answer").text()).toBe("Where most?");
});

test("without a model a question is read by its keywords, and the page says so", async () => {
  await host.model(false);
  await openOrders();
  await page.text(/questions are read by their keywords/).waitFor();
  await page.css("#question").fill("Which region has the largest unpaid amount?");
  await page.css("#ask").click();
  await page.text(/Sum of amount for each region/).waitFor();
  await page.text(/was read by its keywords/).waitFor();
  await page.css("#read-by strong").waitFor();
  await page.css("#question").fill("各 region 的 amount 总和");
  await page.css("#ask").click();
  await page.role("heading", "各 region 的 amount 总和").waitFor();
  await page.text(/Sum of amount for each region/).waitFor();
});

test("the keyboard is where a person begins, before there is a table and with one", async () => {
  const focused = () => document.querySelector("iframe").contentDocument.activeElement.id;
  await page.css("#pick").waitFor();
  expect(focused()).toBe("pick");
  await openOrders();
  expect(focused()).toBe("question");
});
