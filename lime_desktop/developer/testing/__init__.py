"""An app's own tests of its page: which there are, how they ended, and the report of it. No Qt."""
