/** Take over the host's theme: its tokens become CSS variables, its mode an attribute. */

export function applyTheme(theme) {
  if (theme === undefined) return;
  const { style, dataset } = document.documentElement;
  dataset.limeTheme = theme.themeMode;
  dataset.limeThemeEffective = theme.effectiveThemeMode;
  dataset.limeColorScheme = theme.colorSchemeId;
  for (const [name, value] of Object.entries(theme.tokens ?? {})) {
    // Other names are not the host's to set.
    if (name.startsWith("--lime-") || name.startsWith("--app-")) style.setProperty(name, value);
  }
}
