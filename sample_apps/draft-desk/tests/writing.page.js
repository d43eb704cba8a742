import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

/** Fill the brief in and have it written; what the agent says is in `engine.json`. */
async function writeDraft() {
  await page.css("#start").click();
  await page.css("#goal").fill("We move on 3 May");
  await page.css("#readers").fill("All staff");
  await page.css("#points").fill("On 3 May");
  await page.css("#write").click();
  await page.text(/Where to\?/).waitFor();
}

test("a brief becomes a draft with its open questions", async () => {
  await writeDraft();
});

test("a version is kept once the person approves, and is tried before it is published", async () => {
  await writeDraft();
  await page.css("#decide").click();
  const asked = await host.answer({ yes: true });
  expect(asked.prompt).toBe("We move on 3 May");
  await page.text("Version 1 is kept.").waitFor();
  await page.css("#try").click();
  await page.text(/Would write/).waitFor();
});

test("what the person refuses is not published", async () => {
  await writeDraft();
  await page.css("#decide").click();
  await host.answer({ yes: true });
  await page.css("#try").click();
  await page.css("#publish").click();
  expect((await host.answer({ yes: false })).action).toBe("lime.ui.download");
  await page.text("You said no, so nothing was done.").waitFor();
  expect(await page.text(/is published/).count()).toBe(0);
});
