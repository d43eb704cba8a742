/** The host's theme on a page: its tokens become CSS variables, its mode attributes to style by. */

const FONTS = "/__lime__/fonts/fonts.css";

/** @typedef {import("./lime-app-sdk.d.ts").Theme} Theme */

/**
 * Apply the host's theme now and whenever it changes; returns what ends it.
 * @param {import("./lime-app-sdk.d.ts").LimeRuntime} lime
 * @param {HTMLElement} [root]
 */
export function syncTheme(lime, root = document.documentElement) {
  offerFonts(root.ownerDocument);
  applyTheme(lime.snapshot.theme, root);
  return lime.onTheme((theme) => applyTheme(theme, root));
}

/**
 * Let the page draw with the fonts that the host's tokens name first.
 * @param {Document | undefined} page
 */
function offerFonts(page) {
  if (!page?.head || page.head.querySelector(`link[href="${FONTS}"]`)) return;
  page.head.prepend(Object.assign(page.createElement("link"), { rel: "stylesheet", href: FONTS }));
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
