"""What of an app runs when it is installed, activated, updated, disabled or removed: as a turn, with a turn's facts."""
