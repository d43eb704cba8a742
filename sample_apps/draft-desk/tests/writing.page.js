import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

const inPage = () => document.querySelector("iframe").contentDocument;
const focused = () => inPage().activeElement.id;

async function hasKeyboard(id) {
  for (let looks = 0; looks < 200 && focused() !== id; looks += 1) await new Promise((done) => setTimeout(done, 25));
  expect(focused()).toBe(id);
}

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
  await page.text("Version 2 is kept in Documents.").waitFor();
  await page.css("#try").click();
  await page.text(/will be written to a folder/).waitFor();
});

test("who decides later is told that the question waits, and the page learns the decision", async () => {
  await writeDraft();
  await page.css("#decide").click();
  await page.css("#stop").click();
  await page.css("#waiting").waitFor();
  expect(await page.css("#status").text()).toBe("Waiting for review");
  await host.answer({ yes: true });
  await page.text("Version 2 is kept in Documents.").waitFor();
});

test("a text that is changed while its review is open is asked anew", async () => {
  await writeDraft();
  await page.css("#decide").click();
  await page.css("#stop").click();
  await page.css("#edit").click();
  await page.css("#text").fill("Another text.");
  await page.text("Waiting for review").waitForGone();
  await page.css("#decide").waitFor();
});

test("what the host recorded is told in the person's language, and in its own words one click below", async () => {
  await host.locale("zh-CN");
  await writeDraft();
  await page.css('[data-kind="structured-output"]').waitFor();
  const evidence = () => inPage().getElementById("evidence");
  for (const each of evidence().querySelectorAll("section > details")) each.open = true;
  const row = [...evidence().querySelectorAll('[data-kind="capability-call"]')].find((each) => each.textContent.includes("lime.agent.startTask"));
  expect(row.querySelector("strong").textContent).toBe("请模型拟稿");
  expect(row.querySelector(":scope > p").textContent).toBe("已完成。");
  expect(row.querySelector(":scope > details").open).toBe(false);
  expect(row.querySelector(":scope > details > p").textContent.split(":")[0]).toBe("lime.agent.startTask was carried out");
  const plain = [...evidence().querySelectorAll("li > strong, li > p")].map((each) => each.textContent).join(" ");
  expect(/lime\.|carried out|schema/.test(plain)).toBe(false);
});

test("what the person refuses is not published", async () => {
  await writeDraft();
  await page.css("#decide").click();
  await host.answer({ yes: true });
  await page.css("#try").click();
  await page.css("#publish").click();
  expect((await host.answer({ yes: false })).action).toBe("lime.ui.download");
  await page.text("Not published: you did not allow it.").waitFor();
  await page.css("#again").waitFor();
  expect(await page.role("alert").count()).toBe(0);
  expect(await page.text(/APP_E027/).count()).toBe(0);
  expect(await page.text(/is published/).count()).toBe(0);
});

test("a new draft has the keyboard at once, and what is typed is kept", async () => {
  await page.css("#start").click();
  await page.css("#goal").waitFor();
  expect(focused()).toBe("goal");
  await page.css("#goal").fill("Half a goal");
  await page.css("#new").click();
  await page.css(".draft").nth(1).click();
  await page.css("#goal").waitFor();
  expect(await page.css("#goal").value()).toBe("Half a goal");
});

test("a rejected draft is changed by hand, compared with what it was, and taken up again", async () => {
  await writeDraft();
  await page.css("#decide").click();
  await host.answer({ yes: false, message: "Too short" });
  await page.text("Rejected. Change the brief or the text, then request review again.").waitFor();
  await page.css("#edit").click();
  await page.css("#text").fill("The office moves on 3 May.");
  await page.css("#decide").click();
  await host.answer({ yes: true });
  await page.text("Version 4 is kept in Documents.").waitFor();
  await page.css("#version-3").click();
  await page.css(".differences ins b").nth(0).waitFor();
  await page.css("#back").click();
  await page.css("#version-1").click();
  await page.css("#take-up").click();
  await page.css("#version-5").waitFor();
});

test("the number of words follows what is typed", async () => {
  await writeDraft();
  await page.css("#edit").click();
  await page.css("#text").fill("One two three four five");
  expect(await page.css("#length").text()).toBe("5 words");
});

test("a deleted draft comes back", async () => {
  await writeDraft();
  await page.css("#delete").click();
  await page.css("#start").waitFor();
  await page.css("#undo").click();
  await page.text(/Where to\?/).waitFor();
});

test("without a model it says what it needs, keeps the brief, and begins with an outline", async () => {
  await host.model(false);
  await page.css("#start").click();
  await page.text(/Add one in Settings → Models to have the draft written/).waitFor();
  await page.css("#goal").fill("We move on 3 May");
  await page.css("#readers").fill("All staff");
  await page.css("#points").fill("Bring boxes");
  await page.css("#write").click();
  await page.text("No model is set up to write").waitFor();
  expect(await page.css("#goal").value()).toBe("We move on 3 May");
  await page.css("#outline-instead").click();
  await page.css("#text").waitFor();
  expect(await page.css("#text").value()).toBe("## Bring boxes");
});

test("the keyboard is where a person acts next, from the empty page to the published file", async () => {
  await page.css("#start").waitFor();
  await hasKeyboard("start");
  await page.css("#start").click();
  await page.css("#goal").fill("We move on 3 May");
  await page.css("#readers").fill("All staff");
  await page.css("#points").fill("On 3 May");
  inPage().getElementById("write").focus();
  await page.css("#write").click();
  await page.text(/Where to\?/).waitFor();
  await page.css("#decide").waitFor();
  await hasKeyboard("edit");
  inPage().getElementById("decide").focus();
  await page.css("#decide").click();
  await page.css("#stop").waitFor();
  await hasKeyboard("stop");
  await host.answer({ yes: true });
  await page.text("Version 2 is kept in Documents.").waitFor();
  await hasKeyboard("try");
  await page.css("#try").click();
  await page.css("#publish").waitFor();
  await hasKeyboard("publish");
  await page.css("#publish").click();
  await host.answer({ yes: false });
  await page.css("#again").waitFor();
  await hasKeyboard("again");
});

test("what failed and what was begun by hand leave the keyboard with the next step", async () => {
  await host.model(false);
  await page.css("#start").click();
  await page.css("#goal").fill("We move on 3 May");
  await page.css("#readers").fill("All staff");
  await page.css("#points").fill("Bring boxes");
  inPage().getElementById("write").focus();
  await page.css("#write").click();
  await page.css("#again").waitFor();
  await hasKeyboard("again");
  inPage().getElementById("outline-instead").focus();
  await page.css("#outline-instead").click();
  await page.css("#text").waitFor();
  await hasKeyboard("text");
  inPage().getElementById("delete").focus();
  await page.css("#delete").click();
  await page.css("#start").waitFor();
  await hasKeyboard("start");
  inPage().getElementById("undo").focus();
  await page.css("#undo").click();
  await page.css("#text").waitFor();
  await hasKeyboard("edit");
});

test("an empty desk leaves no column bare", async () => {
  await page.css("#start").waitFor();
  // Wide enough for three columns.
  document.querySelector("iframe").style.width = "1300px";
  const { right } = inPage().querySelector("main").getBoundingClientRect();
  expect(right).toBe(inPage().body.getBoundingClientRect().right);
});
