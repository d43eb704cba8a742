"""The main window: rail, open entries, pages, commands, and what is remembered of them."""
