"""Which programs run beside the App Server, and how do they end? None outlives it, none inherits a key."""
