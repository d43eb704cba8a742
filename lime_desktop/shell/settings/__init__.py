"""The settings: a frame with a list of sections. A new section is a module with `build`, one row in `table`, and its texts."""
