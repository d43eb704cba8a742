/** The keyboard: what each chord does, whatever has the focus, and how the list of invoices is walked. */

const isCommand = (event) => event.ctrlKey || event.metaKey;
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

export function listenToKeys(desk, { focusSearch }) {
  const shifted = {
    l: () => desk.lookAgain(),
    f: () => focusSearch(),
    z: () => desk.undo(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey) return;
    const step = STEPS[event.key];
    const here = document.activeElement?.closest?.(".arrival");
    if (step && here && !isCommand(event)) return void (event.preventDefault(), walk(here, step));
    if (!isCommand(event) || !event.shiftKey) return;
    const act = shifted[event.key.toLowerCase()];
    if (act === undefined || (event.key.toLowerCase() === "z" && !desk.done?.undo)) return;
    event.preventDefault();
    act();
  });
}

function walk(here, step) {
  const all = [...document.querySelectorAll(".arrival")];
  all[all.indexOf(here) + step]?.focus();
}
