/** The keyboard: what each chord does, whatever has the focus. The window's own chords never get here. */

const isCommand = (event) => event.ctrlKey || event.metaKey;

export function listenToKeys(notebook, { search, toggleAsk, togglePreview }) {
  const chords = {
    n: () => notebook.add(),
    s: () => notebook.flush(),
    e: () => togglePreview(),
  };
  const shifted = {
    f: () => search(),
    l: () => toggleAsk(),
    backspace: () => notebook.open && !notebook.isInTrash && notebook.discard(),
    z: () => notebook.undo(),
  };
  document.addEventListener("keydown", (event) => {
    if (!isCommand(event) || event.altKey) return;
    const act = (event.shiftKey ? shifted : chords)[event.key.toLowerCase()];
    // With nothing to undo here the chord is the editor's own.
    if (act === undefined || (act === shifted.z && !notebook.done?.undo)) return;
    event.preventDefault();
    act();
  });
}
