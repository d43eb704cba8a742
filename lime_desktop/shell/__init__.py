"""Everything Qt: windows, dialogs, app views, theme. The only package that may know Qt."""
