"""What every page is made of: parts, layouts, icons, style. Knows nothing of apps or runs."""
