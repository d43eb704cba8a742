import { expect, test } from "/__lime__/sdk/page_testing.js";
import { app, demand, probe, refusalIn } from "./probe.js";

/** What the page's content policy stopped while something was tried. */
async function stopped(attempt) {
  const found = [];
  const note = ({ blockedURI }) => found.push(blockedURI);
  app().document.addEventListener("securitypolicyviolation", note);
  await attempt();
  for (let turn = 0; turn < 50 && found.length === 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  app().document.removeEventListener("securitypolicyviolation", note);
  return found;
}

test("APP-30: the page runs in a container of the host, at an origin of its own", async () => {
  expect(app().location.origin).toBe("lime-app://probe");
  demand(app() !== app().parent, "The page has no host around it.");
  expect(app().document.cookie).toBe("");
});

test("APP-60: the page reaches no network, no socket and no file by itself", async () => {
  const tries = {
    fetch: () => app().fetch("https://example.com/").catch(() => {}),
    socket: () => void new (app().WebSocket)("wss://example.com/"),
    picture: () => void Object.assign(new (app().Image)(), { src: "https://example.com/a.png" }),
    file: () => app().fetch("file:///etc/hostname").catch(() => {}),
  };
  for (const [name, attempt] of Object.entries(tries)) demand((await stopped(attempt)).length, `${name} was not stopped.`);
});

test("APP-61: the page opens no window and puts no question of its own to the person", async () => {
  expect(app().open("https://example.com/")).toBe(null);
  expect(app().confirm("Allow everything?")).toBe(false);
  expect(app().prompt("Your password?")).toBe(null);
});

test("APP-22: a link of any other kind than a web address is not offered", async () => {
  for (const url of ["javascript:alert(1)", "file:///etc/passwd", "lime-app://notes/"]) {
    refusalIn(await probe().ask("host:openExternal", { url }));
  }
});

test("APP-27: a message that is too large is refused by its code, and the next one is heard", async () => {
  const { ask, call } = probe();
  const large = await call("lime.storage.set", { key: "large", value: "x".repeat(9_000_000) });
  demand(refusalIn(large).code, "It has no code.");
  expect((await ask("host:getSnapshot", {})).type).toBe("host:snapshot");
});
