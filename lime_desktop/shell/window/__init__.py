"""The main window: rail, tabs, pages, commands, and what is remembered of them."""
