"""What stands around one open view: its window, streams, subscriptions, downloads and topics."""
