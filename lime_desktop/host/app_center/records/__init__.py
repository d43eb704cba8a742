"""What the app center remembers: host.db, its rows, and the state read from them."""
