/** A file that is dragged over the page: where it may be let go is shown, and letting go opens it. */

const holdsFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

/** @param over the sign that lies over the page meanwhile  @param open hears of the first file */
export function listenToDrops(over, open) {
  // Entering a child leaves its parent: only when all are left has it gone.
  let depth = 0;
  const become = (count) => {
    depth = Math.max(0, count);
    over.hidden = depth === 0;
  };
  document.addEventListener("dragenter", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    become(depth + 1);
  });
  document.addEventListener("dragleave", (event) => holdsFiles(event) && become(depth - 1));
  document.addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  document.addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    // Else the page would make room for the file itself.
    event.preventDefault();
    become(0);
    open(event.dataTransfer.files[0]);
  });
}
