// Carries Host Bridge messages between the app's frame and the host. Runs in an isolated world of the outer page:
// the app shares the page's DOM but not these variables, and never sees `qt`.
(() => {
  "use strict";
  const FRAME_PATH = "/__lime__/frame.html";
  if (location.pathname !== FRAME_PATH || window.top !== window) return;

  // A page that was loaded anew meets answers to questions of the one before it. Its own have numbers of their own, and
  // what nobody here asked for is passed over.
  const passOverOldAnswers = (channel) => {
    channel.execId = Math.floor(Math.random() * 2 ** 40);
    const take = channel.handleResponse;
    channel.handleResponse = (answer) => {
      if (answer.id in channel.execCallbacks) take(answer);
    };
  };

  const channel = new QWebChannel(qt.webChannelTransport, ({ objects }) => {
    const { port } = objects;
    const frame = document.createElement("iframe");
    frame.title = port.title;
    frame.allow = "";
    const limits = JSON.parse(port.limits);
    const { origin } = location;

    const deliver = (batch) => {
      if (batch) for (const message of JSON.parse(batch)) frame.contentWindow?.postMessage(message, origin);
    };

    // A few batches are under way at a time, and what comes meanwhile leaves together: a lone message waits for nothing,
    // and thousands cost the host a few crossings.
    const waiting = [];
    let waitingCharacters = 0;
    let refused = 0;
    let underWay = 0;
    const takeBatch = () => {
      let count = 0;
      for (let characters = 0; count < waiting.length && count < limits.batchMessages; count++) {
        characters += waiting[count].length;
        if (count > 0 && characters > limits.batchCharacters) break;
      }
      const batch = waiting.splice(0, count);
      for (const text of batch) waitingCharacters -= text.length;
      return batch.join("\n");
    };
    const carry = () => {
      underWay += 1;
      const refusedNow = refused;
      refused = 0;
      // JSON in one line, whatever it says: a line break inside a text is written as two other characters.
      port.receive(takeBatch(), refusedNow, (answers) => {
        underWay -= 1;
        if (waiting.length > 0) carry();
        deliver(answers);
      });
    };

    // A bucket that fills with time. What does not fit is answered here, so that a flood never reaches the window.
    let tokens = limits.burst;
    let filledAt = performance.now();
    const admits = () => {
      const now = performance.now();
      tokens = Math.min(limits.burst, tokens + ((now - filledAt) * limits.perSecond) / 1000);
      filledAt = now;
      if (tokens < 1 || waiting.length >= limits.burst || waitingCharacters > 16 * limits.characters) return false;
      tokens -= 1;
      return true;
    };
    const report = () => {
      if (refused > 0 && underWay === 0) carry();
    };
    const refuse = ({ requestId, entryKey }) => {
      if (refused++ === 0) setTimeout(report, 250);
      if (typeof requestId !== "string") return;
      const answer = { ...limits.refusal, requestId };
      if (typeof entryKey === "string") answer.entryKey = entryKey;
      frame.contentWindow?.postMessage(answer, origin);
    };

    // Only the app's own frame is heard. A nested frame, a worker or a script that posts to this page is not it.
    window.addEventListener("message", (event) => {
      if (!event.isTrusted || event.source !== frame.contentWindow || event.origin !== origin) return;
      if (!admits()) {
        refuse(event.data ?? {});
        return;
      }
      let text;
      try {
        text = JSON.stringify(event.data);
      } catch {
        return; // Not a message of the bridge: those are plain data.
      }
      if (text === undefined) return;
      if (text.length > limits.characters) {
        port.refuseOversized(String(event.data?.requestId ?? ""), text.length);
        return;
      }
      waiting.push(text);
      waitingCharacters += text.length;
      if (underWay < limits.batches) carry();
    });

    port.posted.connect(deliver);
    port.routeChanged.connect((route) => { frame.src = route; });

    // Scripts that only a developer's view has; see AppView.extend.
    for (const begin of globalThis.limeBeside ?? []) begin(frame, objects);

    // The app has the keyboard whenever the view has it: nobody types into the page around it.
    const passKeyboard = () => {
      if (document.hasFocus() && document.activeElement !== frame) frame.focus();
    };
    window.addEventListener("focus", passKeyboard);
    frame.addEventListener("load", passKeyboard);

    // The host covers the view until there is something to see. A page that draws no content is seen once it is loaded.
    let isDrawn = false;
    const tellDrawn = () => {
      if (!isDrawn) port.tellDrawn();
      isDrawn = true;
    };
    const lookForContent = () => {
      if (isDrawn) return;
      const painted = frame.contentWindow?.performance.getEntriesByName("first-contentful-paint") ?? [];
      if (painted.length > 0) tellDrawn();
      else requestAnimationFrame(lookForContent);
    };
    // At the second beginning of a frame, the first is drawn.
    const afterFrame = (tell) => requestAnimationFrame(() => requestAnimationFrame(tell));
    frame.addEventListener("load", () => afterFrame(tellDrawn), { once: true });
    port.frameWanted.connect(() => afterFrame(() => port.tellFrame()));
    requestAnimationFrame(lookForContent);

    // The frame comes last: nothing the app says at its start is missed.
    frame.src = port.route;
    document.body.replaceChildren(frame);
  });
  // At once: an old answer may come before the first of its own.
  passOverOldAnswers(channel);
})();
