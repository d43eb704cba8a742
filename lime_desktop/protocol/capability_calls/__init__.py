"""What each `lime.*` method takes and gives: one module per capability or for two that belong together, joined in `table`."""
