"""What every page is made of: parts, icons, style. Knows nothing of apps or runs."""
