"""Pictures from strangers: drawn in a process with a budget, shown as pixels of a fixed size.

`child` draws, `drawing` asks it from a thread, `icons` shows what came back or a letter until then. What was drawn is kept by the
hash of its bytes (`lime_desktop.host.appearance.picture_cache`), so that a start draws nothing twice, and what was too much is never tried again.
"""
