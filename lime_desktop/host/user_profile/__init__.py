"""What is kept of the person at this machine: folders, settings, how the window stood, what they worked in."""
