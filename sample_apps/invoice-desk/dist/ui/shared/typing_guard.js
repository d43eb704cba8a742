/**
 * Whoever types goes on typing: a space or an Enter that follows letters belongs to them, and presses no button that has
 * got the keyboard meanwhile. A page that loads gives it to what can be done first; what was typed before is not meant for that.
 */

const STILL_TYPING_MS = 1_000;
const PRESSING = [" ", "Enter"];

let typedAt = -Infinity;

/** Listen for as long as the page is there; what is written in, and what is reached on purpose, gets every key. */
addEventListener(
  "keydown",
  (event) => {
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === "Tab" || isWrittenIn(event.target)) typedAt = -Infinity;
    else if (PRESSING.includes(event.key)) {
      if (event.timeStamp - typedAt < STILL_TYPING_MS && !isChord) hold(event);
    } else if (event.key.length === 1 && !isChord) typedAt = event.timeStamp;
  },
  { capture: true },
);

/** A word that goes on after it is typed as well. */
function hold(event) {
  typedAt = event.timeStamp;
  event.preventDefault();
}

const isWrittenIn = (target) => target instanceof HTMLElement && (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));
