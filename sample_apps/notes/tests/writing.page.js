import { page, test } from "/__lime__/sdk/page_testing.js";

test("a note that was written is found by a word in it", async () => {
  await page.css("#new").click();
  await page.label("Title").fill("Garden");
  await page.label("Write here…").fill("Water the lime tree.");
  await page.role("searchbox").fill("lime");
  await page.text("Garden").waitFor();
  await page.role("searchbox").fill("lemon");
  await page.text("Garden").waitForGone();
});
