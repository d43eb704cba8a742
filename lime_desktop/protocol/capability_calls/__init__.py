"""What each `lime.*` method takes and gives: one module per capability, joined in `table`."""
