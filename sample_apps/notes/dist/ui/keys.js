/** The keyboard: what each chord does, whatever has the focus. */

const isCommand = (event) => event.ctrlKey || event.metaKey;

export function listenToKeys(notebook, { search, toggleAsk }) {
  const chords = {
    n: () => notebook.add(),
    s: () => notebook.flush(),
    f: () => search.select(),
    e: () => toggleAsk(),
  };
  const shifted = {
    backspace: () => notebook.open && notebook.remove(),
    z: () => notebook.undo(),
  };
  document.addEventListener("keydown", (event) => {
    if (!isCommand(event) || event.altKey) return;
    const act = (event.shiftKey ? shifted : chords)[event.key.toLowerCase()];
    // Without a deleted note the chord is the editor's own.
    if (act === undefined || (act === shifted.z && notebook.deleted === null)) return;
    event.preventDefault();
    act();
  });
}
