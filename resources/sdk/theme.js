/** The host's theme on a page: its tokens become CSS variables, its mode attributes to style by. */

/** @typedef {import("./lime-app-sdk.d.ts").Theme} Theme */

/**
 * Apply the host's theme now and whenever it changes; returns what ends it.
 * @param {import("./lime-app-sdk.d.ts").LimeRuntime} lime
 * @param {HTMLElement} [root]
 */
export function syncTheme(lime, root = document.documentElement) {
  applyTheme(lime.snapshot.theme, root);
  return lime.onTheme((theme) => applyTheme(theme, root));
}

/** @param {Theme} theme @param {HTMLElement} root */
function applyTheme(theme, root) {
  root.dataset.limeTheme = theme.themeMode;
  root.dataset.limeThemeEffective = theme.effectiveThemeMode;
  root.dataset.limeColorScheme = theme.colorSchemeId;
  root.style.colorScheme = theme.effectiveThemeMode;
  for (const [name, value] of Object.entries(theme.tokens)) {
    // Other names are not the host's to set.
    if (name.startsWith("--lime-") || name.startsWith("--app-")) root.style.setProperty(name, value);
  }
}
