"""What each JSON-RPC method of the App Server takes and gives: one module per resource."""
