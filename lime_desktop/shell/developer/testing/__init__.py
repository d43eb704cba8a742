"""An app's own tests of its page, run in the real window."""
