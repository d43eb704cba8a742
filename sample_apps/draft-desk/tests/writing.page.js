import { page, test } from "/__lime__/sdk/page_testing.js";

test("a brief becomes a draft with its open questions", async () => {
  await page.css("#start").click();
  await page.css("#goal").fill("We move on 3 May");
  await page.css("#readers").fill("All staff");
  await page.css("#points").fill("On 3 May");
  await page.css("#write").click();
  await page.text(/Where to\?/).waitFor();
});
