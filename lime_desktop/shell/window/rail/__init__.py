"""The strip at the window's edge: pages and apps to turn to, each a button, and what they say of themselves."""
