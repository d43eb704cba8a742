import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

test("a question is answered from the notes, and says from which", async () => {
  await page.css("#new").click();
  await page.css("#title").fill("Garden");
  await page.css("#body").fill("Water the lime tree on Mondays.");
  await page.text("Saved").waitFor();
  await page.css("#open-ask").click();
  await page.css("#question").fill("When is the lime tree watered?");
  await page.css("#question").press("Enter");
  await page.text("On Mondays.").waitFor();
  await page.css("#ask .source").waitFor();
  expect(await page.css("#ask .source").text()).toMatch("1. Garden");
});

test("a question that is being typed stays when the language changes", async () => {
  await page.css("#open-ask").click();
  await page.css("#question").fill("Half a question");
  await host.locale("zh-CN");
  await page.css("#ask form[lang=zh-CN]").waitFor();
  const kept = await page.css("#question").value();
  await host.locale("en");
  expect(kept).toBe("Half a question");
});

test("without a model a question shows the passages with its words marked, and says how to get one", async () => {
  await host.model(false);
  await page.css("#new").click();
  await page.css("#title").fill("Garden");
  await page.css("#body").fill("Water the lime tree on Mondays.");
  await page.text("Saved").waitFor();
  await page.css("#open-ask").click();
  await page.css("#question").fill("When is the lime tree watered?");
  await page.css("#question").press("Enter");
  await page.text("No model is set up to answer").waitFor();
  expect(await page.css("#ask .source mark").nth(0).text()).toBe("lime");
  expect(await page.css("#answer").count()).toBe(0);
});
