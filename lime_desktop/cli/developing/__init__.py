"""Commands of an app developer's loop."""
