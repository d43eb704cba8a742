"""What every command shares: output, failures, groups of commands, the way to the window."""
