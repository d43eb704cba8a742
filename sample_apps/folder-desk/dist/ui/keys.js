/** The keyboard: what each chord does, whatever has the focus. The window's own chords never get here. */

const isCommand = (event) => event.ctrlKey || event.metaKey;

export function listenToKeys(desk, { focusQuestion }) {
  const shifted = {
    f: async () => (desk.draft && (await desk.closeDraft()), focusQuestion()),
    z: () => desk.undo(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape" && desk.document !== null) return void (event.preventDefault(), desk.closeDocument());
    if (!isCommand(event) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (!event.shiftKey && key === "s" && desk.draft !== null) return void (event.preventDefault(), desk.saveDocument());
    const act = event.shiftKey ? shifted[key] : undefined;
    // With nothing to undo here the chord is the editor's own.
    if (act === undefined || (key === "z" && !desk.done?.undo)) return;
    event.preventDefault();
    act();
  });
}
