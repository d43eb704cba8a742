// As apps of other hosts are written: a service of their own at their origin, and the host's session.
import { createLimeHostBridgeCapabilityInvoker } from "@lime/app-sdk";

const say = (words) => {
  document.getElementById("state").textContent = words;
};
document.getElementById("place").textContent = location.pathname;
localStorage.setItem("seen", "1");

document.getElementById("trial").addEventListener("click", async () => {
  try {
    const response = await fetch("/api/publish", { method: "POST", body: "{}" });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    say("published");
  } catch {
    say("no service");
  }
});

document.getElementById("sign-in").addEventListener("click", async () => {
  const invoker = createLimeHostBridgeCapabilityInvoker({
    appId: "launch-pad",
    entryKey: "dashboard",
  });
  const answer = await invoker.invoke("lime.cloudSession", "getAccessToken");
  say(answer.ok === false ? `refused: ${answer.error.message}` : "signed in");
});
say("ready");
