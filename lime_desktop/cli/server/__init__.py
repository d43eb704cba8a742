"""Commands about the App Server and its data."""
