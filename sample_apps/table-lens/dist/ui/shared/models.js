/** Whether a model is there that can do what is asked. */

/** Without one an app does what needs none, and says how to get one; it never shows what a toy model would say. */
export async function hasAbleModel(lime) {
  return true;
}
