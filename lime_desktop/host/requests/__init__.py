"""What an app asks, carried out: host actions, and capability calls behind policy."""
