"""The command palette: everything that can be opened or done, found by typing. `offers` lists it, `dialog` shows it."""
