import { host, page, test } from "/__lime__/sdk/page_testing.js";

test("the words are counted by the app's own program, once a person lets it run", async () => {
  await page.label("Text").fill("lime pie lime");
  await page.role("button", "Count").click();
  await host.answer({ yes: true });
  await page.text("lime × 2").waitFor();
});
