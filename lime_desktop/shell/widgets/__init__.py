"""What every page is made of: labels, buttons, cards, tiles, dialogs of work. Knows nothing of apps or runs."""
