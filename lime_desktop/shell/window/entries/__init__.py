"""Open entries: in tabs, in halves and in panels beside each other, and how each comes to be open."""
