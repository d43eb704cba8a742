/**
 * Publishing: a file that leaves the app. `publish_draft` in app.operations.yaml demands a dry run, a person's yes, a key
 * and evidence; the host enforces them, so there is nothing here that could be left out.
 */

const OPERATION = "publish_draft";

/**
 * Write the newest version to a file of the app's own, and have the host judge what publishing it would do.
 * Nothing leaves the app yet.
 */
export async function tryPublishing(lime, draft, format) {
  const { ref, fileName, sizeBytes } = await lime.artifacts.export({ artifactId: draft.artifactId, format });
  const judged = await lime.ui.download({ ref, fileName }, { operation: OPERATION, dryRun: true });
  return { draftId: draft.id, version: draft.version, ref, fileName, sizeBytes, sideEffect: judged.sideEffect };
}

/**
 * Publish what was tried. The host asks the person, then where to; the key makes it one file, however often it is sent.
 * @throws where somebody said no, or chose no place
 */
export async function publish(lime, tried) {
  const { ref, fileName } = tried;
  await lime.ui.download({ ref, fileName }, { operation: OPERATION, idempotencyKey: `publish:${ref}` });
}
